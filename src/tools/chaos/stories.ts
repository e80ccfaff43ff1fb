/* What happened in each World of a run, and which World of another run it is compared with. */

import { roleOf } from '../../products/world.ts';
import type { AttemptId, LedgerNote, LinesNote } from './ledger.ts';
import type { WorldPlace } from './observer.ts';
import type { Bought, BoughtDifference } from './public.ts';
import type { NumberedCall } from './selection.ts';

/** What happened in a World. */
export interface WorldStory {
  /** The World that it is in another run: that of a test, or that of a merchant's name. */
  readonly place: WorldPlace;
  readonly merchant: string;
  readonly key: string;
  /** The calls that arrived, in their order. */
  readonly calls: readonly (NumberedCall & { readonly isDisturbed: boolean })[];
  /** What happened, in the order in which calls ended. */
  readonly lines: readonly LinesNote[];
  readonly bought: readonly Bought[];
  /** Whether its test passed; undefined if nobody said so, null if it did not end. */
  readonly passed: boolean | null | undefined;
  /** How often its test was tried before. */
  readonly earlierAttempts: number;
}

type Note<Kind extends LedgerNote['kind']> = Extract<LedgerNote, { kind: Kind }>;
type Tests = readonly Note<'test'>[];
type Calls = readonly Note<'call'>[];
/** The number of the last attempt of each test. */
type LastAttempts = ReadonlyMap<string, number>;

/**
 * The stories of the Worlds that were called, in the order of their first calls. Of a test that was tried again, those
 * of its last attempt. A program that was killed and started again goes on with the Worlds of its first start.
 */
export function storiesOf(notes: readonly LedgerNote[]): WorldStory[] {
  const tests = notes.filter((note) => note.kind === 'test');
  const calls = notes.filter((note) => note.kind === 'call');
  const last: LastAttempts = new Map(
    tests
      .toSorted((one, other) => one.attempt - other.attempt)
      .map(({ id, attempt }) => [id, attempt]),
  );
  const numbers = new Map<string, number>();
  const groups = new Map<string, { place: WorldPlace; note: Note<'world'>; worlds: string[] }>();
  for (const note of notes) {
    if (note.kind !== 'world' || isOfEarlierAttempt(last, calls, note)) continue;
    const { name, start, test } = note;
    const kin = JSON.stringify([name, start, test?.id]);
    const number = numbers.get(kin) ?? 0;
    numbers.set(kin, number + 1);
    const id = JSON.stringify([test?.id ?? null, name, number]);
    const group = groups.get(id) ?? { place: { name, number, test: test?.id }, note, worlds: [] };
    group.worlds.push(note.world);
    groups.set(id, group);
  }
  return [...groups.values()].map(({ place, note, worlds }) => {
    const isIn = ({ world }: { readonly world: string }) => worlds.includes(world);
    const lines = notes.filter((each) => each.kind === 'lines').filter(isIn);
    const own = calls.filter(isIn);
    return {
      place,
      merchant: note.merchant,
      key: note.key,
      calls: own,
      lines,
      bought: boughtIn(lines),
      passed: resultOf(
        tests.filter((each) => !isEarlier(last, each)),
        own,
        place.test,
      ),
      earlierAttempts: last.get(place.test ?? '') ?? 0,
    };
  });
}

/** The tests of a run, as the kits tell. */
export const testsOf = (notes: readonly LedgerNote[]): ReadonlySet<string> =>
  new Set(notes.flatMap((note) => (note.kind === 'test' ? [note.id] : [])));

/** What a World bought, without what tests bought that did not run. */
export const boughtBy = ({ lines }: WorldStory, tests: ReadonlySet<string>): readonly Bought[] =>
  boughtIn(lines.filter(({ test }) => !test || tests.has(test.id)));

const isEarlier = (last: LastAttempts, test: AttemptId | undefined): boolean =>
  test !== undefined && test.attempt < (last.get(test.id) ?? 0);

/** Whether a test created a World in an attempt that was tried again, and no other attempt used it. */
const isOfEarlierAttempt = (
  last: LastAttempts,
  calls: Calls,
  { world, test }: Note<'world'>,
): boolean =>
  isEarlier(last, test) &&
  calls.every((call) => call.world !== world || call.tests.every((user) => isEarlier(last, user)));

/** Whether the test that created a World and all that called it passed. */
function resultOf(
  tests: Tests,
  calls: Calls,
  creator: string | undefined,
): boolean | null | undefined {
  const users = new Set(calls.flatMap((call) => call.tests.map(({ id }) => id)));
  const results = new Map<string, boolean | null>();
  for (const { id, passed = null } of tests) {
    if (id === creator || users.has(id)) results.set(id, passed);
  }
  return resultOfAll([...results.values()]);
}

/** False if one failed, null if one did not end, undefined if there are none. */
const resultOfAll = (
  results: readonly (boolean | null | undefined)[],
): boolean | null | undefined =>
  results.includes(false) ? false : results.includes(null) ? null : results.length > 0 || undefined;

/**
 * Counts what was bought that is alike. The second renewal of a policy is not like the first one of another. Of a test
 * that was tried again in the same World, only the attempt that bought most counts: none buys for the others.
 */
function boughtIn(lines: readonly LinesNote[]): readonly Bought[] {
  const purchases = lines.filter(({ bought }) => bought);
  const sizeOf = ({ id, attempt }: AttemptId): number =>
    purchases.filter(({ test }) => test?.id === id && test.attempt === attempt).length;
  const most = new Map<string, AttemptId>();
  for (const { test } of purchases) {
    const known = test && most.get(test.id);
    if (test && (!known || sizeOf(test) >= sizeOf(known))) most.set(test.id, test);
  }
  const renewals = new Map<string, number>();
  const counts = new Map<string, { -readonly [Name in keyof Bought]: Bought[Name] }>();
  for (const { world, bought: purchase, test } of purchases) {
    if (!purchase || (test && most.get(test.id)?.attempt !== test.attempt)) continue;
    const { policy, ...kind } = purchase;
    const isRenewal = roleOf(kind.operation) === 'renew';
    const place = `${world} ${policy}`;
    const renewal = (renewals.get(place) ?? 0) + 1;
    if (isRenewal) renewals.set(place, renewal);
    const bought = { ...kind, ...(isRenewal && { renewal }), count: 0 };
    const id = JSON.stringify(bought);
    const known = counts.get(id) ?? bought;
    known.count++;
    counts.set(id, known);
  }
  return [...counts.values()];
}

/**
 * How a World differs from the same World in the undisturbed run, in what was bought.
 *
 * Programs may make up customers anew in every run: what only one of the two runs has is the same purchase if it
 * differs in nothing else.
 */
export function compareBought(
  undisturbed: readonly Bought[],
  bought: readonly Bought[],
): readonly BoughtDifference[] {
  const counts = new Map<string, { kind: Omit<Bought, 'count'>; before: number; now: number }>();
  const add = (all: readonly Bought[], name: 'before' | 'now') => {
    for (const { count, ...kind } of all) {
      const id = JSON.stringify(kind);
      const known = counts.get(id) ?? { kind, before: 0, now: 0 };
      known[name] += count;
      counts.set(id, known);
    }
  };
  add(undisturbed, 'before');
  add(bought, 'now');
  const all = [...counts.values()];
  for (const fresh of all.filter(({ before }) => before === 0)) {
    const gone = all.find(
      ({ before, now, kind }) => now === 0 && before === fresh.now && isAlike(kind, fresh.kind),
    );
    if (gone) [gone.before, fresh.now] = [0, 0];
  }
  return all
    .filter(({ before, now }) => before !== now)
    .map(({ kind, before, now }) => ({ ...kind, undisturbed: before, bought: now }));
}

/** Whether two purchases differ in the customer alone. */
const isAlike = (one: Omit<Bought, 'count'>, other: Omit<Bought, 'count'>): boolean =>
  (['operation', 'product', 'plan', 'premium', 'renewal'] as const).every(
    (name) => one[name] === other[name],
  );

/** Whether something was bought more often: again what was bought before, or more than was left out. */
export function isMore(differences: readonly BoughtDifference[]): boolean {
  const more = differences.filter((kind) => kind.bought > kind.undisturbed);
  const surplus = differences.reduce((sum, kind) => sum + kind.bought - kind.undisturbed, 0);
  return surplus > 0 || more.some(({ undisturbed, renewal = 1 }) => undisturbed > 0 || renewal > 1);
}

/** The stories of a run with those of the undisturbed run that they are compared with. */
export interface Pairs {
  /** For each story of the undisturbed run: undefined if its World did not come. */
  readonly of: ReadonlyMap<WorldStory, WorldStory | undefined>;
  /** Those of Worlds that the undisturbed run does not have. */
  readonly others: readonly WorldStory[];
}

/** Finds the same Worlds in two runs: by their tests, else by the names of their merchants, then by what they bought. */
export function pairUp(undisturbed: readonly WorldStory[], stories: readonly WorldStory[]): Pairs {
  const left = new Set(stories);
  const pairs = new Map<WorldStory, WorldStory | undefined>(
    undisturbed.map((story) => [story, undefined]),
  );
  const pair = (isSame: (one: WorldStory, other: WorldStory) => boolean) => {
    for (const story of undisturbed) {
      if (pairs.get(story)) continue;
      const other = [...left].find((each) => isKin(each, story) && isSame(story, each));
      if (!other) continue;
      pairs.set(story, other);
      left.delete(other);
    }
  };
  const isAsBefore = (one: WorldStory, other: WorldStory) =>
    compareBought(one.bought, other.bought).length === 0;
  const isInPlace = (one: WorldStory, other: WorldStory) => one.place.number === other.place.number;
  pair((one, other) => isInPlace(one, other) && isAsBefore(one, other));
  pair(isAsBefore);
  pair(isInPlace);
  pair(() => true);
  joinRenewed(pairs, left);
  return { of: pairs, others: [...left] };
}

/**
 * A runner that goes on in another process after a failure, as Playwright does, makes the merchants of `beforeAll` anew.
 * They are one World of the undisturbed run. Only where a kit tells the tests is it known that they are no attempts.
 */
function joinRenewed(pairs: Map<WorldStory, WorldStory | undefined>, left: Set<WorldStory>): void {
  const kins = [...pairs.keys()].map(kinOf);
  for (const [story, own] of pairs) {
    const kin = kinOf(story);
    if (!own || !isShared(own) || kins.filter((each) => each === kin).length > 1) continue;
    const parts = [own, ...[...left].filter((each) => isShared(each) && kinOf(each) === kin)];
    if (parts.length === 1) continue;
    for (const part of parts) left.delete(part);
    const lines = parts.flatMap((part) => part.lines);
    pairs.set(story, {
      ...own,
      calls: parts.flatMap(({ calls }) => calls),
      lines,
      bought: boughtIn(lines),
      passed: resultOfAll(parts.map(({ passed }) => passed)),
    });
  }
}

/** Whether a merchant is that of no test, and tests used it. */
const isShared = ({ place, passed }: WorldStory): boolean =>
  place.test === undefined && place.name !== '' && passed !== undefined;

/** Whether two Worlds have the same name and the same test. */
export const isKin = (one: WorldStory, other: WorldStory): boolean => kinOf(one) === kinOf(other);

const kinOf = ({ place: { test, name } }: WorldStory): string =>
  JSON.stringify([test ?? null, name]);
