/* The purchases of fixture files: when each is made, and the policies that a World starts with because of them. */

import { timeBefore } from '../world/duration.ts';
import { type Instant, MIN_INSTANT, timestamp } from '../world/time.ts';
import { type ProductFamily, policiesIn } from './family.ts';
import type { FixtureProblem } from './fixture-error.ts';
import { type FilePurchase, type Fixtures, isRelative } from './fixtures.ts';
import type { ServedFamilies } from './index.ts';
import { movedBack, movedBefore, yearsBack } from './moved-records.ts';
import { buyAll } from './planned-purchases.ts';
import { type RecordProblem, valueAt } from './record-validation.ts';
import { anyFamilies, fixturePolicies } from './world.ts';

/** What the purchases of fixtures come to in a World that starts at a moment. */
export interface BoughtRecords {
  /** The records of each family, with the policies that were bought. */
  readonly records: Fixtures['records'];
  /** Why purchases were refused. Their policies are not in the records. */
  readonly problems: readonly FixtureProblem[];
}

interface KeptRecords {
  readonly families: ServedFamilies;
  readonly start: Instant | undefined;
  readonly bought: BoughtRecords;
}

/** The last result for fixtures: tests create many Worlds that start at the same moment. */
const kept = new WeakMap<Fixtures, KeptRecords>();

/** Buys the purchases of fixtures for the first merchant, in order of time, as of the start of its World. */
export function boughtAt(
  fixtures: Fixtures,
  families: ServedFamilies,
  start: Instant,
): BoughtRecords {
  const moved = movedBefore(fixtures, start);
  if (fixtures.purchases.length === 0) return { records: moved.records, problems: [] };
  // Without relative times, every World starts with the same policies.
  const isSame = moved === fixtures && !fixtures.purchases.some(({ at }) => isRelative(at));
  const dependsOn = isSame ? undefined : start;
  const known = kept.get(fixtures);
  if (known?.families === families && known.start === dependsOn) return known.bought;
  const bought = buyPurchases(moved, families, start);
  kept.set(fixtures, { families, start: dependsOn, bought });
  return bought;
}

function buyPurchases(fixtures: Fixtures, families: ServedFamilies, start: Instant): BoughtRecords {
  const problems: FixtureProblem[] = [];
  const refuse = ({ file, position }: FilePurchase, problem: RecordProblem) =>
    problems.push({ file, ...problem, path: ['purchases', position, ...problem.path] });
  const years = yearsBack(start);
  const planned = fixtures.purchases.flatMap((purchase) => {
    const family = families.all.find(({ key }) => key === purchase.family) as ProductFamily;
    const at = momentOf(purchase.at, start) ?? (purchase.isBuiltIn ? MIN_INSTANT : undefined);
    if (at === undefined) {
      const message = `${purchase.at} goes before ${timestamp(MIN_INSTANT)}`;
      refuse(purchase, { rule: 'time', path: ['at'], message });
      return [];
    }
    const request = purchase.isBuiltIn ? movedBack(purchase.request, years) : purchase.request;
    const { renewals, problems } = renewalsOf(purchase, family, at, start);
    for (const problem of problems) refuse(purchase, problem);
    return problems.length > 0 ? [] : [{ ...purchase, request, purchase, family, at, renewals }];
  });
  planned.sort((a, b) => a.at - b.at);
  const merchantId = fixtures.merchants[0]?.id ?? 1;
  const policies = fixturePolicies(fixtures, { merchantId }, merchantId);
  const market = { priceList: fixtures, families, merchantId, seed: 1, policies };
  const bought = new Map(anyFamilies.map(({ key }) => [key, [] as object[]]));
  const outcomes = buyAll(market, planned);
  for (const { purchase, family } of planned) {
    const outcome = outcomes.next().value;
    if (outcome && 'policy' in outcome) {
      bought.get(family.key)?.push(numbered(family, outcome.policy, purchase.policyNumber));
    }
    for (const problem of outcome && 'problems' in outcome ? outcome.problems : []) {
      refuse(purchase, problem);
    }
  }
  for (const [purchase, problem] of takenNumbers(fixtures, planned)) refuse(purchase, problem);
  const records = anyFamilies.map((family) => [
    family.key,
    withPolicies(family, fixtures.records[family.key] as object, bought.get(family.key) ?? []),
  ]);
  return { records: Object.fromEntries(records), problems };
}

/** When a purchase is made in a World that starts at a moment. Undefined if that is before the range of clocks. */
const momentOf = (at: string, start: Instant): Instant | undefined =>
  isRelative(at) ? timeBefore(start, at.slice(1)) : Date.parse(at);

/** When a policy that is bought at a moment is renewed, in order, and what is wrong with that. */
function renewalsOf(
  { renewals }: FilePurchase,
  family: ProductFamily,
  at: Instant,
  start: Instant,
): { readonly renewals: readonly Instant[]; readonly problems: readonly RecordProblem[] } {
  if (renewals.length > 0 && !family.renewPolicy) {
    const message = `policies of ${family.tag} are not renewed`;
    return { renewals: [], problems: [{ rule: 'unknown_field', path: ['renewals'], message }] };
  }
  const moments = renewals.map((time) => momentOf(time, start) ?? MIN_INSTANT);
  const problems = moments.flatMap((moment, place): RecordProblem[] => {
    const earliest = moments[place - 1] ?? at;
    if (moment >= earliest) return [];
    const message = `${renewals[place]} is before ${timestamp(earliest)}; renewals come after the purchase, oldest first`;
    return [{ rule: 'time', path: ['renewals', place], message }];
  });
  return { renewals: moments, problems };
}

/** The fields with the number of a policy. */
const NUMBER_FIELDS = new Set(['policy_no', 'policy_number']);

/** A policy with this number in place of the one that was drawn. */
function numbered(family: ProductFamily, policy: object, number: string | undefined): object {
  if (number === undefined) return policy;
  const drawn = family.policyKeys.keyOf(policy);
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(copy);
    const fields = Object.entries(value).map(([name, held]) => [
      name,
      NUMBER_FIELDS.has(name) && held === drawn ? number : copy(held),
    ]);
    return Object.fromEntries(fields);
  };
  return copy(policy) as object;
}

/** The purchases whose policy number another policy of their family has. */
function* takenNumbers(
  fixtures: Fixtures,
  purchases: readonly { readonly purchase: FilePurchase; readonly family: ProductFamily }[],
): Generator<readonly [FilePurchase, RecordProblem], void> {
  if (purchases.every(({ purchase }) => purchase.policyNumber === undefined)) return;
  const places = new Map<string, string>();
  for (const family of anyFamilies) {
    const policies = policiesIn(family, fixtures.records[family.key] as object);
    for (const [place, policy] of policies.entries()) {
      places.set(
        `${family.key} ${family.policyKeys.keyOf(policy)}`,
        `${family.policyList}.${place}`,
      );
    }
  }
  for (const { purchase, family } of purchases) {
    const { policyNumber, position } = purchase;
    if (policyNumber === undefined) continue;
    const key = `${family.key} ${policyNumber}`;
    const place = places.get(key);
    places.set(key, place ?? `purchases.${position}`);
    if (place === undefined) continue;
    const message = `${policyNumber} is already used by ${place}`;
    yield [purchase, { rule: 'duplicate', path: ['policy_number'], message }];
  }
}

/** Records with further policies, oldest first. */
const withPolicies = (
  family: ProductFamily,
  records: object,
  bought: readonly object[],
): object => ({
  ...records,
  [family.policyList]: [...policiesIn(family, records), ...bought].toSorted((a, b) =>
    inOrder(boughtAtOf(family, a), boughtAtOf(family, b)),
  ),
});

/** When a policy was bought, as its record says. */
const boughtAtOf = ({ policyPaths }: ProductFamily, policy: object): string =>
  valueAt(policy, policyPaths.createdAt) as string;

/** Compares two timestamps. `localeCompare` would load the platform's collation: 7 of 110 ms of a start. */
const inOrder = (a: string, b: string): number => Number(a > b) - Number(a < b);
