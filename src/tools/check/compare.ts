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
import { assumptionsIn, insideOf, metaOf, type Schema } from './schemas.ts';

/** Compares the server's body with the twin's, along their schema. Yields between elements of a list, to stay cooperative. */
export function* compareBodies(
  schema: Schema,
  own: unknown,
  seen: unknown,
  context: Comparison,
): Generator<void, void> {
  link(schema, own, seen, '$', context);
  yield;
  yield* walk(schema, own, seen, '$', [], context);
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
  own: unknown,
  seen: unknown,
  path: string,
  context: Comparison,
): void {
  if (!schema || own === null || seen === null || own === undefined || seen === undefined) return;
  const meta = metaOf(schema);
  const issued = meta['x-issued'];
  if (issued) {
    if (typeof own !== typeof seen) return;
    const { operation, links, add } = context;
    links.add(issued.as, own, seen, {
      operation,
      path,
      assumptions: meta['x-assumptions'] ?? [],
      add,
    });
    return;
  }
  const { shape, element } = insideOf(schema);
  if (shape && isObject(own) && isObject(seen)) {
    for (const [field, inside] of Object.entries(shape)) {
      link(inside, own[field], seen[field], pathInside(path, field), context);
    }
  } else if (element && Array.isArray(own) && Array.isArray(seen)) {
    for (const [position, [ownItem, seenItem]] of pairs(element, own, seen, context).entries()) {
      link(element, ownItem, seenItem, pathInside(path, position), context);
      if (context.namesOthers) linkOther(element, own[position], seenItem, path, context);
    }
  }
}

/** Links a placeholder with a record that the twin does not know. */
function linkOther(
  element: Schema,
  own: unknown,
  seen: unknown,
  path: string,
  context: Comparison,
): void {
  const identity = identityOf(element);
  if (!identity || !isPlaceholder(own, identity)) return;
  const { field, kind } = identity;
  const { operation, links, add } = context;
  const number = valueAt(seen, field);
  if (links.ownFor(kind, number) !== undefined) return;
  links.add(kind, valueAt(own, field), number, { operation, path, assumptions: [], add });
}

/** Prefix of records that the twin has in place of unknown ones. */
export const PLACEHOLDER = 'placeholder';

const isPlaceholder = (item: unknown, identity: Identity | undefined): boolean =>
  identity !== undefined && String(valueAt(item, identity.field)).startsWith(PLACEHOLDER);

/** Pairs each of the server's elements with the twin's; undefined if the twin has none. */
function pairs(
  element: Schema,
  own: readonly unknown[],
  seen: readonly unknown[],
  { links }: Comparison,
): [own: unknown, seen: unknown][] {
  const identity = identityOf(element);
  if (!identity) return seen.map((item, position) => [own[position], item]);
  const { field, kind } = identity;
  const known = seen.map((item) => links.ownFor(kind, valueAt(item, field)));
  const candidates = own.filter((item) => !isPlaceholder(item, identity));
  const byKey = new Map(candidates.map((item) => [valueAt(item, field), item]));
  const linked = known.map((name) => byKey.get(name));
  const rest = candidates.filter((item) => !linked.includes(item));
  const isFree = known.filter((name) => name === undefined).length === rest.length;
  return seen.map((item, position) => {
    const isNew = isFree && known[position] === undefined;
    return [linked[position] ?? (isNew ? rest.shift() : undefined), item];
  });
}

function* walk(
  schema: Schema | undefined,
  own: unknown,
  seen: unknown,
  path: string,
  above: readonly AssumptionId[],
  context: Comparison,
): Generator<void, void> {
  const assumptions = assumptionsIn(schema, above);
  if (schema && context.isProviderFree && metaOf(schema)['x-provider']) {
    for (const each of formFindings(schema, seen, path)) context.add(each);
    return;
  }
  const { shape, element } = insideOf(schema);
  if (isObject(own) && isObject(seen)) {
    for (const field of Object.keys(own)) {
      const [inside, place] = [shape?.[field], pathInside(path, field)];
      if (seen[field] !== undefined) {
        yield* walk(inside, own[field], seen[field], place, assumptions, context);
      } else {
        const expected = expectedAt(inside, own[field], context);
        const missing = ofShape(assumptionsIn(inside, assumptions));
        context.add({
          ...finding(place, expected, undefined, missing),
          cause: missingField(place, own[field] === null),
          weight: leavesOf(own[field]),
        });
      }
    }
    for (const field of Object.keys(seen)) {
      if (Object.hasOwn(own, field)) continue;
      const place = pathInside(path, field);
      context.add({ ...finding(place, UNKNOWN_FIELD, seen[field]), cause: unknownField(place) });
    }
  } else if (Array.isArray(own) && Array.isArray(seen)) {
    yield* walkList(element, own, seen, path, assumptions, context);
  } else {
    compareValues(schema, own, seen, path, assumptions, context);
  }
}

function* walkList(
  element: Schema | undefined,
  own: readonly unknown[],
  seen: readonly unknown[],
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
    const known = identity && links.ownFor(identity.kind, nameOf(item));
    return known !== undefined && !own.some((each) => nameOf(each) === known);
  };
  const paired = pairs(element, own, seen, context);
  for (const [position, [ownItem, seenItem]] of paired.entries()) {
    yield;
    const place = pathInside(path, position);
    if (ownItem !== undefined) {
      yield* walk(element, ownItem, seenItem, place, [], context);
    } else if (isOfOther(seenItem)) {
      add(
        'only records of this merchant and this page',
        nameOf(seenItem),
        path,
        POSITIONS,
        leavesOf(seenItem),
      );
    } else {
      if (isExclusive || !identity) add('no more elements', seenItem, place);
      for (const each of formFindings(element, seenItem, place)) context.add(each);
    }
  }
  const found = new Set(paired.map(([item]) => item));
  const missing = own.filter((item) => !found.has(item) && !isPlaceholder(item, identity));
  for (const item of missing) {
    const expected = identity
      ? `the purchased record: ${showValue(translated(item))}`
      : `${own.length} elements`;
    add(expected, `${seen.length} elements without it`, path, MISSING_RECORD, leavesOf(item));
  }
  if (!identity || missing.length > 0) return;
  if (own.length !== seen.length && !isExclusive) {
    const [expected, length] = [String(own.length), `${path}.length`];
    context.add(finding(length, expected, seen.length, ['list-selection']));
  }
  const inOrder = (items: readonly unknown[]) =>
    items.filter((item) => item !== undefined && !isPlaceholder(item, identity));
  const [ownOrder, seenOrder] = [inOrder(own), inOrder(paired.map(([item]) => item))];
  if (seenOrder.some((item, place) => item !== ownOrder[place])) {
    const [expected, said] = [ownOrder, seenOrder].map((items) => items.map(translated).join(', '));
    const isReverse = sameJson(seenOrder, ownOrder.toReversed());
    add(
      `this order: ${expected}`,
      isReverse ? 'the reverse order' : said,
      path,
      POSITIONS,
      own.length,
    );
  }
}

/** Records stand at other places of a list, or on other pages. */
export const POSITIONS = causeOf('positions');
/** A list lacks a record that was bought. */
export const MISSING_RECORD = causeOf('missing record');
