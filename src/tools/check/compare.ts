/* Compares a response with its schema and with the response of the twin. */

import { isObject, pathInside, sameJson, showValue, valueAt } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import {
  type Comparison,
  compareValues,
  expectedAt,
  formFindings,
  ofShape,
} from './compare-values.ts';
import {
  type Cause,
  causeOf,
  finding,
  missingField,
  UNKNOWN_FIELD,
  unknownField,
} from './differences.ts';
import { leavesOf } from './forms.ts';
import { nameFinding, namesByValue } from './names.ts';
import { assumptionsIn, insideOf, metaOf, type Schema } from './schemas.ts';

/** Compares the server's body with the twin's, along their schema. Yields between elements of a list, to stay cooperative. */
export function* compareBodies(
  schema: Schema,
  twin: unknown,
  server: unknown,
  context: Comparison,
): Generator<void, void> {
  link(schema, twin, server, '$', context);
  yield;
  yield* walk(schema, twin, server, '$', [], context);
}

/** The field that identifies the elements of a list, and their kind of record. */
interface Identity {
  readonly field: string;
  readonly kind: string;
}

function identityOf(element: Schema): Identity | undefined {
  const fields = Object.entries(insideOf(element).shape ?? {});
  const [field, schema] = fields.find(([, each]) => metaOf(each)['x-key']) ?? [];
  if (field === undefined || schema === undefined) return undefined;
  return { field, kind: String(metaOf(schema)['x-issued']?.as) };
}

/** Links the server's ids, tokens and numbers with the twin's, before anything that depends on them is compared. */
function link(
  schema: Schema | undefined,
  twin: unknown,
  server: unknown,
  path: string,
  context: Comparison,
): void {
  if (!schema || twin === null || server === null || twin === undefined || server === undefined)
    return;
  const meta = metaOf(schema);
  const issued = meta['x-issued'];
  if (issued) {
    if (typeof twin !== typeof server) return;
    const { operation, links, add } = context;
    links.add(issued.as, twin, server, {
      operation,
      path,
      assumptions: meta['x-assumptions'] ?? [],
      add,
    });
    return;
  }
  const { shape, element } = insideOf(schema);
  if (shape && isObject(twin) && isObject(server)) {
    for (const [field, inside] of Object.entries(shape)) {
      link(inside, twin[field], server[field], pathInside(path, field), context);
    }
  } else if (element && Array.isArray(twin) && Array.isArray(server)) {
    for (const [position, [twinItem, serverItem]] of pairs(
      element,
      twin,
      server,
      context,
    ).entries()) {
      link(element, twinItem, serverItem, pathInside(path, position), context);
      if (context.namesOthers) linkOther(element, twin[position], serverItem, path, context);
    }
  }
}

/** Links a placeholder with a record that the twin does not know. */
function linkOther(
  element: Schema,
  twin: unknown,
  server: unknown,
  path: string,
  context: Comparison,
): void {
  const identity = identityOf(element);
  if (!identity || !isPlaceholder(twin, identity)) return;
  const { field, kind } = identity;
  const { operation, links, add } = context;
  const number = valueAt(server, field);
  if (links.twinFor(kind, number) !== undefined) return;
  links.add(kind, valueAt(twin, field), number, { operation, path, assumptions: [], add });
}

/** Prefix of records that the twin has in place of unknown ones. */
export const PLACEHOLDER = 'placeholder';

const isPlaceholder = (item: unknown, identity: Identity | undefined): boolean =>
  identity !== undefined && String(valueAt(item, identity.field)).startsWith(PLACEHOLDER);

/** Pairs each of the server's elements with the twin's; undefined if the twin has none. */
function pairs(
  element: Schema,
  twin: readonly unknown[],
  server: readonly unknown[],
  { links }: Comparison,
): [twin: unknown, server: unknown][] {
  const identity = identityOf(element);
  if (!identity) return server.map((item, position) => [twin[position], item]);
  const { field, kind } = identity;
  const known = server.map((item) => links.twinFor(kind, valueAt(item, field)));
  const candidates = twin.filter((item) => !isPlaceholder(item, identity));
  const byKey = new Map(candidates.map((item) => [valueAt(item, field), item]));
  const linked = known.map((name) => byKey.get(name));
  const isNamed = (item: unknown) => links.serverFor(kind, valueAt(item, field)) !== undefined;
  const rest = candidates.filter((item) => !linked.includes(item) && !isNamed(item));
  const isFree = known.filter((name) => name === undefined).length === rest.length;
  return server.map((item, position) => {
    const isNew = isFree && known[position] === undefined;
    return [linked[position] ?? (isNew ? rest.shift() : undefined), item];
  });
}

function* walk(
  schema: Schema | undefined,
  twin: unknown,
  server: unknown,
  path: string,
  above: readonly AssumptionId[],
  context: Comparison,
): Generator<void, void> {
  const assumptions = assumptionsIn(schema, above);
  if (schema && context.isProviderFree && metaOf(schema)['x-provider']) {
    for (const each of formFindings(schema, server, path)) context.add(each);
    return;
  }
  const { shape, element } = insideOf(schema);
  if (isObject(twin) && isObject(server)) {
    const others = namesByValue(twin, server);
    for (const field of Object.keys(twin)) {
      const [inside, place] = [shape?.[field], pathInside(path, field)];
      const other = others.get(field);
      if (server[field] !== undefined) {
        yield* walk(inside, twin[field], server[field], place, assumptions, context);
      } else if (other !== undefined) {
        context.add(nameFinding(inside, path, field, other, server[other]));
      } else {
        const expected = expectedAt(inside, twin[field], context);
        const missing = ofShape(assumptionsIn(inside, assumptions));
        context.add({
          ...finding(place, expected, undefined, missing),
          cause: missingField(place, twin[field] === null),
          weight: leavesOf(twin[field]),
        });
      }
    }
    const named = [...others.values()];
    for (const field of Object.keys(server)) {
      if (Object.hasOwn(twin, field) || named.includes(field)) continue;
      const place = pathInside(path, field);
      context.add({
        ...finding(place, UNKNOWN_FIELD, server[field]),
        cause: unknownField(place, server[field] === null),
      });
    }
  } else if (Array.isArray(twin) && Array.isArray(server)) {
    yield* walkList(element, twin, server, path, assumptions, context);
  } else {
    compareValues(schema, twin, server, path, assumptions, context);
  }
}

function* walkList(
  element: Schema | undefined,
  twin: readonly unknown[],
  server: readonly unknown[],
  path: string,
  assumptions: readonly AssumptionId[],
  context: Comparison,
): Generator<void, void> {
  if (!element) return;
  const { links, isExclusive } = context;
  const add = (expected: string, at: unknown, place = path, cause?: Cause, weight = 1) =>
    context.add({ path: place, expected, seen: at, assumptions, weight, ...(cause && { cause }) });
  const identity = identityOf(element);
  const nameOf = (item: unknown) => identity && valueAt(item, identity.field);
  const translated = (item: unknown) => links.translate(String(nameOf(item)));
  // Whether the twin knows an element of the server, but not in this list.
  const isOfOther = (item: unknown): boolean => {
    const known = identity && links.twinFor(identity.kind, nameOf(item));
    return known !== undefined && !twin.some((each) => nameOf(each) === known);
  };
  const paired = pairs(element, twin, server, context);
  for (const [position, [twinItem, serverItem]] of paired.entries()) {
    yield;
    const place = pathInside(path, position);
    if (twinItem !== undefined) {
      yield* walk(element, twinItem, serverItem, place, [], context);
    } else if (context.isSelected?.(serverItem) === false) {
      const [expected, about] = ['only records of the selected days', ['list-selection'] as const];
      const found = finding(path, expected, nameOf(serverItem), about);
      context.add({ ...found, cause: causeOf('selection') });
    } else if (isOfOther(serverItem)) {
      add(
        'only records of this merchant and this page',
        nameOf(serverItem),
        path,
        POSITIONS,
        leavesOf(serverItem),
      );
    } else {
      const isOthers = !isExclusive && identity !== undefined;
      if (!isOthers) add('no more elements', serverItem, place);
      const addForm = isOthers ? context.addOfOthers : context.add;
      for (const each of formFindings(element, serverItem, place)) addForm?.(each);
    }
  }
  const found = new Set(paired.map(([item]) => item));
  if (paired.some(([item]) => item !== undefined)) context.listsOwn?.();
  const missing = twin.filter((item) => !found.has(item) && !isPlaceholder(item, identity));
  for (const item of missing) {
    const expected = identity
      ? `the purchased record: ${showValue(translated(item))}`
      : `${twin.length} elements`;
    add(expected, `${server.length} elements without it`, path, MISSING_RECORD, leavesOf(item));
  }
  if (!identity || missing.length > 0) return;
  if (twin.length !== server.length && !isExclusive) {
    const [expected, length] = [String(twin.length), `${path}.length`];
    context.add(finding(length, expected, server.length, ['list-selection']));
  }
  const inOrder = (items: readonly unknown[]) =>
    items.filter((item) => item !== undefined && !isPlaceholder(item, identity));
  const [twinOrder, serverOrder] = [inOrder(twin), inOrder(paired.map(([item]) => item))];
  if (serverOrder.some((item, place) => item !== twinOrder[place])) {
    const [expected, said] = [twinOrder, serverOrder].map((items) =>
      items.map(translated).join(', '),
    );
    const isReverse = sameJson(serverOrder, twinOrder.toReversed());
    const seen = isReverse ? 'the reverse order' : said;
    add(`this order: ${expected}`, seen, path, ORDER, twin.length);
  } else if (twinOrder.length > 1) context.agrees?.(assumptions);
}

/** Records stand on other pages of a list. */
export const POSITIONS = causeOf('positions');
/** Records on one page stand in another order. */
export const ORDER = causeOf('order');
/** A list lacks a record that was bought. */
export const MISSING_RECORD = causeOf('missing record');
