/*
 * The check of a loaded World as a whole. Schemas check each row; this checks what rows say about each other. With a
 * contradiction, a World would assign numbers twice or return impossible responses.
 */

import { unknownOperation } from '../control/fields.ts';
import { rowOfPrices } from '../control/fixture-change.ts';
import type { MerchantStore } from '../control/merchant-store.ts';
import type { Catalogue } from '../products/catalogue.ts';
import { type ProductFamily, raiseIds } from '../products/family.ts';
import { futureMoments, lineOf, reviewProducts } from '../products/fixtures.ts';
import { anyFamilies, priceListOf, stateOf, type World } from '../products/world.ts';
import type { FaultRule } from '../public.ts';
import { momentText } from '../world/clock.ts';
import { noEffectReason, tooLargeReason, tooManyReason } from '../world/faults.ts';
import { listEntries } from '../world/journal.ts';
import { type Instant, timestamp } from '../world/time.ts';
import { lastNowOf, WORLD_TABLES } from '../world/world.ts';
import { formsOfWorld, placed } from './rows.ts';

/** Problems, one line each with its place. Undefined after a part without one, so that others can have a turn. */
type Lines = Generator<string | undefined, void>;

/** What a sandbox allows in its Worlds. */
export type WorldLimits = Pick<MerchantStore, 'breaksConnections' | 'host'>;

/** Checks a World that was loaded from rows. */
export function* checkWorld(world: World, limits: WorldLimits): Lines {
  const missing = missingValues(world);
  if (missing.length > 0) return yield* missing;
  yield* checkSizes(world);
  yield* checkPrices(world);
  yield* checkFaults(world, limits);
  yield* checkJournal(world);
  const now = lastNowOf(world);
  for (const family of anyFamilies) {
    yield* checkPolicies(family, world, now);
    yield* checkTokens(family, world, now);
  }
}

/** A World has no default for these values. */
const REQUIRED = ['merchant_id', 'clock', 'random', 'fault_random'];

const missingValues = ({ tables, clock }: World): string[] =>
  [
    ...REQUIRED.filter((name) => !tables.byName.get(WORLD_TABLES.values)?.has(name)),
    ...(clock && clock.since === undefined ? ['clock.since'] : []),
  ].map((name) => `${WORLD_TABLES.values}.${name}: is missing`);

function* checkSizes({ tables }: World): Lines {
  for (const [name, { most = Number.POSITIVE_INFINITY }] of formsOfWorld()) {
    const size = tables.byName.get(name)?.size ?? 0;
    if (size > most) yield `${name}: expected at most ${most} elements, got ${size}`;
  }
}

/** Checks the World's own price list. That of the sandbox comes from fixtures, which are valid. */
function* checkPrices(world: World): Lines {
  const list = rowOfPrices(world);
  if (!list) return;
  const place = `${WORLD_TABLES.values}.price_list`;
  for (const line of reviewProducts(list.products)) yield `${place}.${line}`;
  for (const family of anyFamilies) {
    const records = list.records[family.key] as object;
    for (const problem of family.validateRecords(records, priceListOf(list))) {
      yield problem && `${place}.records.${family.key}.${lineOf(problem)}`;
    }
  }
}

function* checkFaults({ faults, sequences }: World, limits: WorldLimits): Lines {
  const rules = [...faults.values()];
  const tooMany = tooManyReason(rules, limits.host.limits?.maxFaultBytes);
  if (tooMany !== undefined) yield `faults: expected ${tooMany}`;
  for (const [position, rule] of rules.entries()) {
    const place = `faults.${position}`;
    yield unknownOperation(rule.match.operation, `${place}.match.operation`);
    for (const problem of ruleProblems(rule, limits)) yield placed(place, problem);
  }
  yield tooLow('sequences.fault', sequences.get('fault'), highestNumber(rules), 'faults');
}

/** What a sandbox refuses in a rule, one line each with its place in the rule. */
export function ruleProblems(rule: FaultRule, { breaksConnections }: WorldLimits): string[] {
  const noEffect = noEffectReason(rule, breaksConnections);
  const tooLarge = tooLargeReason(rule);
  return [
    ...(noEffect === undefined ? [] : [`effect.kind: ${noEffect}`]),
    ...(tooLarge === undefined ? [] : [`the document: ${tooLarge}`]),
  ];
}

function* checkJournal({ journal, requests }: World): Lines {
  const entries = listEntries(journal);
  for (const [position, { operation }] of entries.entries()) {
    const place = `journal.${journal.dropped + position}.operation`;
    yield unknownOperation(operation ?? undefined, place);
  }
  const highest = highestNumber(entries);
  yield tooLow(`${WORLD_TABLES.values}.requests`, requests, highest, 'journal');
}

/** The highest number at the end of an id such as `req-1-42`. */
export const highestNumber = (numbered: readonly { readonly id: string }[]): number =>
  numbered.reduce((most, { id }) => Math.max(most, Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? 0)), 0);

/** The next number must be new. */
const tooLow = (place: string, last = 0, highest: number, where: string): string | undefined =>
  last >= highest
    ? undefined
    : `${place}: expected at least ${highest}, the highest in ${where}, got ${last}`;

function* checkPolicies(family: ProductFamily, world: World, now: Instant): Lines {
  const { name, list } = family.policiesOf(stateOf(world, family));
  const { key, policyList } = family;
  for (const problem of family.validateRecords({ [policyList]: list }, knownTo(family, world))) {
    yield problem && `${key}.${lineOf(problem)}`;
  }
  const latest = timestamp(now);
  const highest: Record<string, number> = {};
  for (const [position, policy] of list.entries()) {
    for (const problem of futureMoments(policy, latest, [policyList, position])) {
      yield `${key}.${lineOf(problem)}`;
    }
    raiseIds(highest, family.sequences, policy);
    yield;
  }
  for (const [sequence, most] of Object.entries(highest)) {
    yield tooLow(`sequences.${sequence}`, world.sequences.get(sequence), most, name);
  }
}

/** All products as those of a family: other fixtures may have given the id of a policy's product to another family. */
export const knownTo = ({ key }: ProductFamily, { products }: World): Catalogue => ({
  products: new Map([...products].map(([id, product]) => [id, { ...product, family: key }])),
});

function* checkTokens(family: ProductFamily, world: World, now: Instant): Lines {
  const state = stateOf(world, family);
  const { pending, used } = state.tokens;
  const policies = family.policiesOf(state);
  const { reservedNumber: field } = family;
  const reserved = new Set<string>();
  let before = Number.NEGATIVE_INFINITY;
  for (const [token, { initiated_at, details }] of pending.entries()) {
    const place = `${pending.name}.${token}`;
    if (initiated_at < before || initiated_at > now) {
      const written = momentText(initiated_at);
      yield `${place}.initiated_at: ${written} is out of order, or after the time of the clock`;
    }
    before = initiated_at;
    if (used.has(token)) yield `${place}: this token is also in ${used.name}`;
    if (world.expired_tokens.has(token)) yield `${place}: this token is also in expired`;
    const { product_id: product } = details;
    if (!world.products.has(product)) {
      yield `${place}.details.product_id: product ${product} is not in the catalogue`;
    }
    const number = field && String(Reflect.get(details, field));
    if (number !== undefined && (policies.has(number) || reserved.has(number))) {
      yield `${place}.details.${field}: policy number ${number} is also that of another policy`;
    }
    if (number !== undefined) reserved.add(number);
    yield;
  }
  for (const [token, number] of used.entries()) {
    if (typeof number === 'string' && !policies.has(number)) {
      yield `${used.name}.${token}: no policy has the number ${number}`;
    }
    yield;
  }
}
