/* What happened in each World of a run, and which World of another run it is compared with. */

import { roleOf } from '../../products/world.ts';
import type { LedgerNote, LinesNote, Purchase } from './ledger.ts';
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

type Tests = readonly Extract<LedgerNote, { kind: 'test' }>[];

/**
 * The stories of the Worlds that were called, in the order of their first calls. Of a test that was tried again, those
 * of its last attempt. A program that was killed and started again goes on with the Worlds of its first start.
 */
export function storiesOf(notes: readonly LedgerNote[]): WorldStory[] {
  const tests = notes.filter((note) => note.kind === 'test');
  const called = new Set(notes.flatMap((note) => (note.kind === 'call' ? [note.world] : [])));
  const numbers = new Map<string, number>();
  const groups = new Map<
    string,
    { place: WorldStory['place']; note: WorldNote; worlds: string[] }
  >();
  for (const note of notes) {
    if (note.kind !== 'world') continue;
    const own = tests.findLast(({ own }) => own === note.world);
    if (own && own.attempt < lastAttempt(tests, own.id)) continue;
    const test = own?.id;
    const kin = JSON.stringify([note.name, note.start, test]);
    const number = numbers.get(kin) ?? 0;
    numbers.set(kin, number + 1);
    if (!called.has(note.world)) continue;
    const id = JSON.stringify([test ?? note.name, test !== undefined, number]);
    const place = { name: note.name, number, test };
    const group = groups.get(id) ?? { place, note, worlds: [] };
    group.worlds.push(note.world);
    groups.set(id, group);
  }
  return [...groups.values()].map(({ place, note, worlds }) => {
    const isIn = ({ world }: { readonly world: string }) => worlds.includes(world);
    const lines = notes.filter((each) => each.kind === 'lines').filter(isIn);
    return {
      place,
      merchant: note.merchant,
      key: note.key,
      calls: notes.filter((each) => each.kind === 'call').filter(isIn),
      lines,
      bought: countPurchases(lines.flatMap(({ bought }) => bought ?? [])),
      passed: resultOf(tests, worlds),
      earlierAttempts: place.test === undefined ? 0 : lastAttempt(tests, place.test),
    };
  });
}

type WorldNote = Extract<LedgerNote, { kind: 'world' }>;

const lastAttempt = (tests: Tests, id: string): number =>
  tests.reduce((last, test) => (test.id === id ? Math.max(last, test.attempt) : last), 0);

/** Whether every test that used these Worlds passed, each in its last attempt. */
function resultOf(tests: Tests, worlds: readonly string[]): boolean | null | undefined {
  const results = new Map<string, boolean | null>();
  for (const { id, attempt, own, worlds: used, passed } of tests) {
    if (attempt < lastAttempt(tests, id)) continue;
    if (![own, ...used].some((world) => world !== undefined && worlds.includes(world))) continue;
    results.set(id, passed ?? null);
  }
  const all = [...results.values()];
  return all.includes(false) ? false : all.includes(null) ? null : all.length > 0 || undefined;
}

/** Counts what was bought that is alike. The second renewal of a policy is not like the first one of another. */
function countPurchases(purchases: readonly Purchase[]): readonly Bought[] {
  const renewals = new Map<string, number>();
  const counts = new Map<string, { -readonly [Name in keyof Bought]: Bought[Name] }>();
  for (const { policy, ...kind } of purchases) {
    const isRenewal = roleOf(kind.operation) === 'renew';
    const renewal = (renewals.get(policy) ?? 0) + 1;
    if (isRenewal) renewals.set(policy, renewal);
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
      const other = [...left].find((each) => kinOf(each) === kinOf(story) && isSame(story, each));
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
  return { of: pairs, others: [...left] };
}

const kinOf = ({ place: { test, name } }: WorldStory): string =>
  test === undefined ? `name ${name}` : `test ${test}`;
