import type { z } from '@hono/zod-openapi';
import { type FamilyWorld, type ProductFamily, policiesIn, raiseIds } from '../products/family.ts';
import { futureMoments, reviewProducts } from '../products/fixtures.ts';
import { findDuplicates } from '../products/record-validation.ts';
import { anyFamilies, stateOf } from '../products/world.ts';
import { noEffectReason, tooLargeReason, tooManyReason } from '../world/faults.ts';
import { formatIssues } from '../world/problem-texts.ts';
import { timestamp } from '../world/time.ts';
import { ControlError } from './control-error.ts';
import { unknownOperation } from './fields.ts';
import type { MerchantStore } from './merchant-store.ts';
import { dumpSchemas, type FamilyDump, type WorldDump } from './world-dump.ts';

/** The highest number of problems that are reported. */
const MAX_PROBLEMS = 50;

/** The problems of a snapshot, one line each with its place. */
export interface Problems {
  /** Adds lines. Throws 422 once there are too many. */
  note(lines: readonly string[]): void;
  /** Throws 422 if there are any. */
  throwIfAny(): void;
}

export function createProblems(): Problems {
  const errors: string[] = [];
  const refuse = () => {
    throw new ControlError(422, `Invalid snapshot, nothing was restored: ${errors[0]}`, {
      errors,
    });
  };
  return {
    note(lines) {
      for (const line of lines) {
        errors.push(line);
        if (errors.length === MAX_PROBLEMS) refuse();
      }
    },
    throwIfAny() {
      if (errors.length > 0) refuse();
    },
  };
}

/** Parses a part of the snapshot and notes its problems with their place. */
function* readPart<S extends z.ZodType>(
  schema: S,
  part: unknown,
  place: string,
  problems: Problems,
): Generator<void, z.output<S> | undefined> {
  yield;
  const parsed = schema.safeParse(part);
  if (parsed.success) return parsed.data;
  problems.note(
    formatIssues(part, parsed.error).map((line) =>
      line.startsWith('the document:') ? place + line.slice(12) : `${place}.${line}`,
    ),
  );
  return undefined;
}

/** Parses the elements of a list in place, so that memory never holds two copies of the list. */
function* readList(
  schema: z.ZodType,
  list: unknown[],
  place: string,
  problems: Problems,
): Generator<void, void> {
  for (const [position, element] of list.entries()) {
    list[position] = yield* readPart(schema, element, `${place}.${position}`, problems);
  }
}

/** Parses the `world` of a snapshot. Throws 422 if a part does not match its schema. */
export function* readDump(document: unknown, problems: Problems): Generator<void, WorldDump> {
  const { world, elements, pending, used } = dumpSchemas();
  const dump = yield* readPart(world, document, 'world', problems);
  problems.throwIfAny();
  const parts = dump as Exclude<typeof dump, undefined>;
  for (const [list, schema] of Object.entries(elements)) {
    yield* readList(schema, parts[list as keyof typeof elements], `world.${list}`, problems);
  }
  for (const { key, records } of anyFamilies) {
    const family = parts.families[key] as Record<'pending' | 'used', unknown[]> & {
      records: Record<string, unknown[]>;
    };
    const at = `world.families.${key}`;
    for (const [list, { element }] of Object.entries(records.shape)) {
      yield* readList(
        element,
        family.records[list] as unknown[],
        `${at}.records.${list}`,
        problems,
      );
    }
    yield* readList(pending[key] as z.ZodType, family.pending, `${at}.pending`, problems);
    yield* readList(used, family.used, `${at}.used`, problems);
  }
  problems.throwIfAny();
  return parts as unknown as WorldDump;
}

/**
 * Notes contradictions between the parts of a dump, families aside. With them a World would assign numbers twice or
 * return impossible responses.
 */
export function reviewWorld(
  dump: WorldDump,
  { breaksConnections, host }: Pick<MerchantStore, 'breaksConnections' | 'host'>,
  problems: Problems,
): void {
  const known = new Set(['request', 'fault', ...sequenceNames()]);
  const tooMany = tooManyReason(dump.faults, host.limits?.maxFaultBytes);
  const lines = [
    ...reviewProducts(dump.products),
    ...(tooMany === undefined ? [] : [`faults: expected ${tooMany}`]),
    ...findDuplicates(dump.faults, ({ id }) => id, 'faults', 'id'),
    ...findDuplicates(dump.journal, ({ id }) => id, 'journal', 'id'),
    ...findDuplicates(dump.expired_tokens, ([token]) => token, 'expired_tokens', '0'),
    ...findDuplicates(dump.assumed, ([ids]) => ids, 'assumed', '0'),
    ...dump.faults.flatMap(
      ({ match }, position) =>
        unknownOperation(match.operation, `faults.${position}.match.operation`) ?? [],
    ),
    ...dump.faults.flatMap(({ effect }, position) => {
      const refusalReason = breaksConnections ? undefined : noEffectReason(effect);
      return refusalReason === undefined
        ? []
        : [`faults.${position}.effect.kind: ${refusalReason}`];
    }),
    ...dump.faults.flatMap((rule, position) => {
      const tooLarge = tooLargeReason(rule);
      return tooLarge === undefined ? [] : [`faults.${position}: ${tooLarge}`];
    }),
    ...dump.journal.flatMap(
      ({ operation }, position) =>
        unknownOperation(operation ?? undefined, `journal.${position}.operation`) ?? [],
    ),
    ...Object.keys(dump.sequences).flatMap((name) =>
      known.has(name) ? [] : [`sequences: unknown ${JSON.stringify(name)}`],
    ),
    ...tooLow(dump, 'request', highestNumber(dump.journal), 'journal'),
    ...tooLow(dump, 'fault', highestNumber(dump.faults), 'faults'),
  ];
  problems.note(lines.map((line) => `world.${line}`));
}

const sequenceNames = (): string[] =>
  anyFamilies.flatMap(({ sequences }) => sequences.map(({ name }) => name));

/** The highest number at the end of an id such as `req-1-42`. */
const highestNumber = (numbered: readonly { readonly id: string }[]): number =>
  numbered.reduce((most, { id }) => Math.max(most, Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? 0)), 0);

/** The next id must be new. */
function tooLow({ sequences }: WorldDump, name: string, highest: number, place: string): string[] {
  const last = sequences[name] ?? 0;
  return last >= highest
    ? []
    : [`sequences.${name}: expected at least ${highest}, the highest in ${place}, got ${last}`];
}

/** Notes the problems of a family's records, and adds them to a World. */
export function* reviewRecords(
  family: ProductFamily,
  dump: WorldDump,
  world: FamilyWorld,
  problems: Problems,
): Generator<void, void> {
  const { records } = dump.families[family.key] as FamilyDump;
  const at = `world.families.${family.key}.records`;
  for (const problem of family.validateRecords(records, world)) {
    if (problem) problems.note([`${at}.${problem.path.join('.')}: ${problem.message}`]);
    yield;
  }
  const latest = timestamp(Date.parse(dump.clock.now));
  const highest: Record<string, number> = {};
  const table = family.policiesOf(stateOf(world, family));
  for (const [position, policy] of policiesIn(family, records).entries()) {
    for (const { path, message } of futureMoments(policy, latest, [family.policyList, position])) {
      problems.note([`${at}.${path.join('.')}: ${message}`]);
    }
    raiseIds(highest, family.sequences, policy);
    table.loadAll([policy]);
    yield;
  }
  const name = `families.${family.key}.records`;
  for (const [sequence, most] of Object.entries(highest)) {
    problems.note(tooLow(dump, sequence, most, name).map((line) => `world.${line}`));
  }
}

/** Notes the problems of a family's tokens, and adds them to a World that has its records. */
export function* reviewTokens(
  family: ProductFamily,
  dump: WorldDump,
  world: FamilyWorld,
  problems: Problems,
): Generator<void, void> {
  const { pending, used } = dump.families[family.key] as FamilyDump;
  const at = `world.families.${family.key}`;
  const state = stateOf(world, family);
  const table = family.policiesOf(state);
  const expired = new Set(dump.expired_tokens.map(([token]) => token));
  for (const [position, token] of used.entries()) {
    if (state.tokens.used.has(token))
      problems.note([`${at}.used.${position}: duplicate "${token}"`]);
    state.tokens.used.load(token, true);
    yield;
  }
  const { products } = world;
  let before = '';
  for (const [position, { token, initiated_at, details }] of pending.entries()) {
    const here = `${at}.pending.${position}`;
    if (initiated_at < before || initiated_at > dump.clock.now) {
      problems.note([
        `${here}.initiated_at: ${initiated_at} is out of order, or after the time of the clock`,
      ]);
    }
    before = initiated_at;
    if (state.tokens.pending.has(token)) problems.note([`${here}.token: duplicate "${token}"`]);
    if (state.tokens.used.has(token)) {
      problems.note([`${here}.token: "${token}" is also in families.${family.key}.used`]);
    }
    if (expired.has(token)) {
      problems.note([`${here}.token: "${token}" is also in expired_tokens`]);
    }
    const moment = Date.parse(initiated_at);
    const { product_id: product } = details;
    if (products.get(product)?.family !== family.key) {
      problems.note([`${here}.details.product_id: product ${product} is not in the catalogue`]);
    }
    const { reservedNumber: field } = family;
    const number = field && String(Reflect.get(details, field));
    if (number !== undefined && (table.has(number) || state.tokens.pending.hasOther(number))) {
      problems.note([
        `${here}.details.${field}: policy number ${number} is also that of another policy`,
      ]);
    }
    state.tokens.pending.load(token, { initiated_at: moment, details });
    yield;
  }
}
