/* The policies of fixtures at the start of a World: built-in ones that move with its clock, and those that are bought. */

import { addDuration } from '../world/duration.ts';
import { valueAt } from '../world/json.ts';
import { type Instant, MIN_INSTANT, timestamp } from '../world/time.ts';
import type { ProductFamily } from './family.ts';
import type { FixtureProblem } from './fixture-error.ts';
import { type FilePurchase, type Fixtures, fileOf, isGiven, isRelative } from './fixtures.ts';
import type { ServedFamilies } from './index.ts';
import { buyPlanned, createPurchaseWorld, type PlannedPurchase } from './planned-purchases.ts';
import type { RecordProblem } from './record-validation.ts';
import { anyFamilies, type PoliciesByFamily, startPolicies } from './world.ts';

/** What the purchases of fixtures come to in a World that starts at a moment. */
interface BoughtPolicies {
  /** The policies of all merchants, with those that were bought. */
  readonly policies: PoliciesByFamily;
  /** Why purchases were refused. Their policies are missing. */
  readonly problems: readonly FixtureProblem[];
}

interface KeptPolicies extends BoughtPolicies {
  readonly families: ServedFamilies;
  readonly start: Instant;
}

/** The last result for fixtures: tests create many Worlds that start at the same moment. */
const kept = new WeakMap<Fixtures, KeptPolicies>();

/** Buys the purchases of fixtures for the first merchant, in order of time, as of the start of its World. */
export function boughtAt(
  fixtures: Fixtures,
  families: ServedFamilies,
  start: Instant,
): BoughtPolicies {
  const policies = policiesAt(fixtures, start);
  if (fixtures.purchases.length === 0) return { policies, problems: [] };
  const known = kept.get(fixtures);
  if (known?.families === families && known.start === start) return known;
  const bought = buyPurchases(fixtures, policies, families, start);
  kept.set(fixtures, { families, start, ...bought });
  return bought;
}

function buyPurchases(
  fixtures: Fixtures,
  written: PoliciesByFamily,
  families: ServedFamilies,
  start: Instant,
): BoughtPolicies {
  const problems: FixtureProblem[] = [];
  const merchantId = fixtures.merchants[0]?.id ?? 1;
  const policies = startPolicies(written, merchantId, merchantId);
  const setup = { priceList: fixtures, families, merchantId, seed: 1, policies };
  const world = createPurchaseWorld(setup);
  // A test validates built-in purchases at built-in prices.
  const isChecked = Object.keys(fixtures.given).length === 0;
  const takenBy = numberPlaces(written);
  const bought = new Map(anyFamilies.map(({ key }) => [key, [] as object[]]));
  for (const { purchase, ...planned } of plan(fixtures, families, start)) {
    const { family } = planned;
    const wrong = [...wrongTimes(purchase, planned), ...takenNumber(purchase, takenBy)];
    const result = wrong.length > 0 ? { problems: wrong } : buyPlanned(world, planned, isChecked);
    if ('policy' in result) {
      const { policyNumber: number } = purchase;
      const { policy } = result;
      const numbered = number === undefined ? policy : family.renumberPolicy(policy, number);
      bought.get(family.key)?.push(numbered);
      continue;
    }
    const { file, position } = purchase;
    for (const problem of result.problems) {
      problems.push({ file, ...problem, path: ['purchases', position, ...problem.path] });
    }
  }
  const all = anyFamilies.map((family) => [
    family.key,
    [...(written[family.key] ?? []), ...(bought.get(family.key) ?? [])].toSorted((a, b) =>
      inOrder(boughtAtOf(family, a), boughtAtOf(family, b)),
    ),
  ]);
  return { policies: Object.fromEntries(all), problems };
}

/** The purchases of fixtures in a World that starts at a moment, in order of time. */
function plan(fixtures: Fixtures, families: ServedFamilies, start: Instant) {
  const years = yearsBack(start);
  return fixtures.purchases
    .map((purchase) => {
      const family = families.all.find(({ key }) => key === purchase.family) as ProductFamily;
      const at = momentOf(purchase.at, start);
      const renewals = purchase.renewals.map((time) => momentOf(time, start));
      return isGiven(fixtures, purchase.file, 'purchases')
        ? { purchase, family, at, renewals, request: purchase.request }
        : {
            ...{ purchase, family, at: Math.max(at, MIN_INSTANT), renewals },
            request: movedBack(purchase.request, years),
          };
    })
    .toSorted((a, b) => a.at - b.at);
}

/** When a purchase is made in a World that starts at a moment. Minus infinity is before the range of clocks. */
const momentOf = (at: string, start: Instant): Instant =>
  isRelative(at)
    ? (addDuration(start, at.slice(1), -1) ?? Number.NEGATIVE_INFINITY)
    : Date.parse(at);

/** What is wrong with the time of a purchase, and with those of its renewals. */
function wrongTimes(
  written: FilePurchase,
  { family, at, renewals = [] }: PlannedPurchase,
): RecordProblem[] {
  if (at < MIN_INSTANT) {
    const message = `${written.at} goes before ${timestamp(MIN_INSTANT)}`;
    return [{ rule: 'time', path: ['at'], message }];
  }
  if (renewals.length > 0 && !family.renewPolicy) {
    const message = `policies of ${family.tag} are not renewed`;
    return [{ rule: 'unknown_field', path: ['renewals'], message }];
  }
  return renewals.flatMap((renewal, place): RecordProblem[] => {
    const earliest = Math.max(renewals[place - 1] ?? at, MIN_INSTANT);
    if (renewal >= earliest) return [];
    const message = `${written.renewals[place]} is before ${timestamp(earliest)}; renewals come after the purchase, oldest first`;
    return [{ rule: 'time', path: ['renewals', place], message }];
  });
}

/** The places of the policies of all families, by family and number. */
const numberPlaces = (policies: PoliciesByFamily): Map<string, string> =>
  new Map(
    anyFamilies.flatMap(({ key, policyKeys }) =>
      (policies[key] ?? []).map((policy, place): [string, string] => [
        `${key} ${policyKeys.keyOf(policy)}`,
        `policies.${place}`,
      ]),
    ),
  );

/** That another policy of the family has the number of a purchase. Notes the place of a number that is free. */
function takenNumber(
  { family, policyNumber, position }: FilePurchase,
  places: Map<string, string>,
): RecordProblem[] {
  if (policyNumber === undefined) return [];
  const key = `${family} ${policyNumber}`;
  const place = places.get(key);
  if (place === undefined) {
    places.set(key, `purchases.${position}`);
    return [];
  }
  const message = `${policyNumber} is already used by ${place}`;
  return [{ rule: 'duplicate', path: ['policy_number'], message }];
}

/** When a policy was bought, as its record says. */
const boughtAtOf = ({ policyPaths }: ProductFamily, policy: object): string =>
  valueAt(policy, policyPaths.createdAt) as string;

/** Compares two timestamps. `localeCompare` would load the platform's collation: 7 of 110 ms of a start. */
const inOrder = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** Every fourth year has a 29 February again. */
const STEP_YEARS = 4;

/** The last moment in the built-in records, as a test holds. */
export const LAST_BUILT_IN_MOMENT = '2023-12-29T16:53:43.000000Z';

/** How many years the built-in records have to move back, so that none is after this time. */
function yearsBack(start: Instant): number {
  let years = 0;
  while (movedBack(LAST_BUILT_IN_MOMENT, years) > timestamp(start)) years += STEP_YEARS;
  return years;
}

/** The policies of fixtures. The built-in ones are not after this time. */
function policiesAt(fixtures: Fixtures, start: Instant): PoliciesByFamily {
  const years = yearsBack(start);
  const moving = anyFamilies.filter((family) => !isGiven(fixtures, fileOf(family), 'policies'));
  if (years === 0 || moving.length === 0) return fixtures.policies;
  const moved = moving.map(({ key }) => [key, movedBack(fixtures.policies[key], years)]);
  return { ...fixtures.policies, ...Object.fromEntries(moved) };
}

/** A year, a day or a moment. */
const DATE = /^(\d{4})(-\d\d-\d\d(?:[T ][\d:.Z]+)?)?$/;

/** A value whose dates are that many years earlier, at any depth. */
function movedBack<Value>(value: Value, years: number): Value {
  if (years === 0) return value;
  if (typeof value === 'string') return movedText(value, years) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => movedBack(each, years)) as Value;
  const fields = Object.entries(value).map(([name, held]) => [name, movedBack(held, years)]);
  return Object.fromEntries(fields) as Value;
}

function movedText(text: string, years: number): string {
  const [, year, rest = ''] = DATE.exec(text) ?? [];
  return year === undefined ? text : `${Number(year) - years}${rest}`;
}
