/* Compares a response with its schema and with the response of the twin. */

import { z } from '@hono/zod-openapi';
import { isObject, pathInside, sameJson, showValue, valueAt } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { parseUrl } from '../../world/platform.ts';
import { describeExpected } from '../../world/problem-texts.ts';
import { instantOf, SECOND_MS } from '../../world/time.ts';
import {
  type Cause,
  causeOf,
  type Finding,
  fieldOf,
  finding,
  isInData,
  missingField,
  UNKNOWN_FIELD,
  unknownField,
} from './differences.ts';
import { differsInForm, formOf, isMoment, leavesOf, sameMeaning } from './forms.ts';
import type { Links } from './links.ts';

type Schema = z.core.$ZodType;

/** Context of a comparison. */
export interface Comparison {
  readonly operation: string;
  readonly links: Links;
  /** How far times of the server may be from the twin's, in milliseconds. */
  readonly slackMs: number;
  /** The base of the twin's page URLs. */
  readonly base: string;
  /** Whether to check only the form of fields that the provider sets. */
  readonly isProviderFree?: true;
  /** Whether to link records that the twin does not know with placeholders. */
  readonly namesOthers?: boolean;
  /** Whether the server's lists contain only records that the twin has. */
  readonly isExclusive: boolean;
  add(finding: Finding): void;
  /** Called with the assumptions behind a value that agrees. */
  agrees?(assumptions: readonly AssumptionId[]): void;
  /** Called with the origin of page URLs that point to another host. */
  elsewhere(origin: string): void;
}

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

const metas = new WeakMap<Schema, z.GlobalMeta>();

/** The metadata of a schema, and of the schema inside a nullable, optional or similar. */
export function metaOf(schema: Schema): z.GlobalMeta {
  const known = metas.get(schema);
  if (known) return known;
  const { innerType } = schema._zod.def as { innerType?: Schema };
  const meta = Object.assign({}, innerType && metaOf(innerType), z.globalRegistry.get(schema));
  metas.set(schema, meta);
  return meta;
}

interface Inside {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
}

/** The fields of an object or the element of a list, also inside a nullable, optional or similar. */
export function insideOf(schema: Schema | undefined): Inside {
  const def = schema?._zod.def as (Inside & { innerType?: Schema }) | undefined;
  return def?.innerType ? insideOf(def.innerType) : (def ?? {});
}

const assumptionsIn = (schema: Schema | undefined, above: readonly AssumptionId[]) =>
  (schema && metaOf(schema)['x-assumptions']) ?? above;

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
    add(`this order: ${expected}`, said, path, POSITIONS, own.length);
  }
}

/** Records stand at other places of a list, or on other pages. */
export const POSITIONS = causeOf('positions');
/** A list lacks a record that was bought. */
export const MISSING_RECORD = causeOf('missing record');

function compareValues(
  schema: Schema | undefined,
  own: unknown,
  seen: unknown,
  path: string,
  assumptions: readonly AssumptionId[],
  context: Comparison,
): void {
  const issued = schema && metaOf(schema)['x-issued'];
  const agrees =
    issued && own !== null && seen !== null
      ? typeof seen === typeof own &&
        (issued.form === undefined || issued.form.test(String(seen))) &&
        (typeof seen !== 'number' || (Number.isInteger(seen) && seen > 0))
      : sameValue(own, seen, context);
  if (agrees) {
    context.agrees?.(assumptions);
    return;
  }
  const add = (about: readonly AssumptionId[], cause: Cause) => {
    const expected = expectedAt(schema, own, context);
    const weight = typeof own === 'object' ? leavesOf(own) : 1;
    context.add({ ...finding(path, expected, seen, about), cause, weight });
  };
  const field = fieldOf(path);
  if (typeof own === 'string' && typeof seen === 'string') {
    if (own !== seen && own.trim() === seen) {
      add(['text-trim'], causeOf('white space'));
      return;
    }
    const rewriting = rewritingOf(own, seen);
    if (rewriting !== undefined && !issued) {
      add([], causeOf(rewriting));
      return;
    }
  }
  const isIssued = issued && own !== null && seen !== null;
  if (isIssued || !differsInForm(own, seen)) {
    const about = isIssued ? ofForm(assumptions) : ofValue(assumptions);
    add(about, causeOf(isIssued ? 'form' : 'value', field, about, seen === null));
    return;
  }
  const forms = [formOf(own), formOf(seen)] as const;
  const isTime = forms.every(isMoment);
  // Moments are written in one way everywhere; another type is a matter of its field.
  add(ofForm(assumptions), isTime ? causeOf('form', ...forms) : causeOf('form', field, forms[1]));
  if (!sameMeaning(own, seen, context.slackMs)) {
    add(ofValue(assumptions), causeOf('value', field, ofValue(assumptions)));
  }
}

/** How a server rewrites texts; undefined if it says something else. */
function rewritingOf(own: string, seen: string): string | undefined {
  if (/^https?:/.test(own)) return undefined;
  if (own.toUpperCase() === seen) return 'in capitals';
  if (own.toLowerCase() === seen) return 'in lower case';
  const unescaped = seen.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name) => ENTITIES[name] ?? "'");
  return unescaped === own ? 'escaped for HTML' : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The assumptions that a missing field can contradict; all others are about its value. */
const ABOUT_SHAPE: ReadonlySet<string> = new Set<AssumptionId>([
  'error-envelope',
  'group-life-items',
  'group-life-verify-response',
  'motor-initiate-token',
  'subscriber-defaults',
]);

/** The assumptions that the type of a value, or how it is written, can contradict. */
const ABOUT_FORM: ReadonlySet<string> = new Set<AssumptionId>([
  'error-code-type',
  'group-life-policy-number',
  'group-life-user',
  'motor-duration',
  'motor-make-model',
  'motor-policy-number',
  'motor-slug',
  'motor-year-make',
  'policy-no',
  'product-id-type',
  'subscriptions-key',
  'timestamp-precision',
  'token-format',
]);

/** The assumptions that only the form of a value can contradict. */
const ONLY_FORM: ReadonlySet<string> = new Set<AssumptionId>([
  'product-id-type',
  'timestamp-precision',
  'token-boundary',
  'token-format',
]);

type Ids = readonly AssumptionId[];
const ofShape = (ids: Ids): Ids => ids.filter((id) => ABOUT_SHAPE.has(id));
const ofForm = (ids: Ids): Ids => ids.filter((id) => ABOUT_FORM.has(id));
const ofValue = (ids: Ids): Ids => ids.filter((id) => !ONLY_FORM.has(id));

/** What the server should have returned. */
function expectedAt(schema: Schema | undefined, own: unknown, { links }: Comparison): string {
  const issued = schema && own !== null ? metaOf(schema)['x-issued'] : undefined;
  if (issued) return issued.says ?? (typeof own === 'number' ? 'a whole number' : 'a string');
  return showValue(typeof own === 'string' ? links.translate(own) : own);
}

function sameValue(own: unknown, seen: unknown, context: Comparison): boolean {
  if (typeof own !== 'string' || typeof seen !== 'string') return sameJson(own, seen);
  if (own === seen) return true;
  if (own.startsWith(context.base) && /^https?:\/\//.test(seen)) return sameUrl(own, seen, context);
  if (context.slackMs > 0 && isWritten(own) && patternOf(own) === patternOf(seen)) {
    return Math.abs(momentOf(own) - momentOf(seen)) <= context.slackMs;
  }
  return context.links.translate(own) === seen;
}

const isWritten = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.000000Z)?$/.test(text);
const patternOf = (text: string): string => text.replace(/\d/g, '0');
const momentOf = (text: string): number => instantOf(text.replace(' ', 'T'));
/** The two responses to a request may be written in different seconds. */
export const WRITING_SLACK_MS = 2 * SECOND_MS;

/** Compares page URLs by path and query. Host and order of parameters do not count. */
function sameUrl(own: string, seen: string, { base, elsewhere }: Comparison): boolean {
  const [a, b] = [parseUrl(own), parseUrl(seen)];
  if (!a || !b) return false;
  const path = a.pathname.slice(new URL(base).pathname.replace(/\/$/, '').length);
  const query = (url: URL) => JSON.stringify([...url.searchParams].toSorted());
  if (!b.pathname.endsWith(path) || query(a) !== query(b)) return false;
  if (a.origin !== b.origin || a.pathname !== b.pathname) elsewhere(b.origin);
  return true;
}

/** Checks a body, or a part of it, against its schema only. */
export function formFindings(schema: Schema, body: unknown, path: string): Finding[] {
  const { issues = [] } = z.safeParse(schema, body).error ?? {};
  return issues.flatMap((issue) => {
    const place = issue.path.reduce<string>(
      (to, key) => pathInside(to, key as string | number),
      path,
    );
    const seen = valueAt(body, issue.path.map(String).join('.'));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const at = pathInside(place, key);
        return { ...finding(at, UNKNOWN_FIELD, valueAt(seen, key)), cause: unknownField(at) };
      });
    }
    let assumptions: readonly AssumptionId[] = [];
    let inside: Schema | undefined = schema;
    for (const key of issue.path) {
      const { shape, element }: Inside = insideOf(inside);
      inside = typeof key === 'number' ? element : shape?.[String(key)];
      assumptions = assumptionsIn(inside, assumptions);
    }
    const [fixed] = (inside && issue.code === 'custom' && metaOf(inside).examples) || [];
    const expected = fixed === undefined ? describeExpected(issue) : JSON.stringify(fixed);
    return [{ ...finding(place, expected, seen, assumptions), ...formCause(inside, place, seen) }];
  });
}

/** The cause of a value whose form its schema does not allow, and the assumptions that it contradicts. */
function formCause(
  schema: Schema | undefined,
  place: string,
  seen: unknown,
): Partial<Pick<Finding, 'cause' | 'assumptions'>> {
  if (!schema || !isInData(place)) return {};
  const about = metaOf(schema)['x-assumptions'] ?? [];
  if (seen === undefined) {
    const isNullable = z.safeParse(schema, null).success;
    return { cause: missingField(place, isNullable), assumptions: ofShape(about) };
  }
  const [example] = metaOf(schema).examples ?? [];
  if (metaOf(schema)['x-issued']) {
    return {
      cause: causeOf('form', fieldOf(place), ofForm(about), false),
      assumptions: ofForm(about),
    };
  }
  if (example === undefined || !differsInForm(example, seen)) return {};
  const forms = [formOf(example), formOf(seen)] as const;
  const cause = forms.every(isMoment)
    ? causeOf('form', ...forms)
    : causeOf('form', fieldOf(place), forms[1]);
  return { cause, assumptions: ofForm(about) };
}
