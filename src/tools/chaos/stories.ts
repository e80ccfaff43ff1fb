/* What happened in each World of a run, and which World of another run it is compared with. */

import { roleOf } from '../../products/world.ts';
import type { LedgerNote, LinesNote } from './ledger.ts';
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

/** The notes of a World. It may be that of two starts of the program. */
interface StoryNotes {
  /** That of its first start. */
  readonly note: Note<'world'>;
  readonly starts: Set<number>;
  readonly calls: Note<'call'>[];
  readonly lines: LinesNote[];
}

/**
 * The stories of the Worlds that were called, in the order of their first calls. Of a test that was tried again, those
 * of its last attempt. A program that was killed and started again goes on with the Worlds of its first start.
 */
export function storiesOf(notes: readonly LedgerNote[]): WorldStory[] {
  /** The last attempt of each test, as it was told last. */
  const tests = new Map<string, Note<'test'>>();
  for (const note of notes) {
    if (note.kind === 'test' && note.attempt >= (tests.get(note.id)?.attempt ?? 0)) {
      tests.set(note.id, note);
    }
  }
  const stories: StoryNotes[] = [];
  const alike = new Map<string, StoryNotes[]>();
  const storyOf = new Map<string, StoryNotes>();
  for (const note of notes) {
    if (note.kind === 'call') storyOf.get(note.world)?.calls.push(note);
    if (note.kind === 'lines') storyOf.get(note.world)?.lines.push(note);
    if (note.kind !== 'world' || storyOf.has(note.world)) continue;
    const { name, number, start, test } = note;
    if (test && test.attempt < (tests.get(test.id)?.attempt ?? 0)) continue;
    const place = JSON.stringify([name, number, test?.id]);
    const others = alike.get(place) ?? [];
    let story = others.find(({ starts }) => !starts.has(start));
    if (!story) {
      story = { note, starts: new Set(), calls: [], lines: [] };
      stories.push(story);
      alike.set(place, [...others, story]);
    }
    story.starts.add(start);
    storyOf.set(note.world, story);
  }
  return stories.map(({ note, calls, lines }) => {
    const { merchant, key, name, number } = note;
    const test = tests.get(note.test?.id ?? '');
    const place = { name, number, test: note.test?.id };
    const passed = test && (test.passed ?? null);
    const earlierAttempts = test?.attempt ?? 0;
    return { place, merchant, key, calls, lines, bought: boughtIn(lines), passed, earlierAttempts };
  });
}

/** Counts what was bought that is alike. The second renewal of a policy is not like the first one of another. */
function boughtIn(lines: readonly LinesNote[]): readonly Bought[] {
  const renewals = new Map<string, number>();
  const counts = new Map<string, { -readonly [Name in keyof Bought]: Bought[Name] }>();
  for (const { world, bought: purchase } of lines) {
    if (!purchase) continue;
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

/**
 * Finds the same Worlds in two runs: by their tests, else by the names of their merchants, then by what they bought and in
 * their order. Returns those that came, and those that the undisturbed run does not have.
 */
export function pairUp(undisturbed: readonly WorldStory[], stories: readonly WorldStory[]) {
  const left = new Set(stories);
  const pairs = new Map<WorldStory, WorldStory>();
  const isAsBefore = (one: WorldStory, other: WorldStory) =>
    compareBought(one.bought, other.bought).length === 0;
  const isInPlace = (one: WorldStory, other: WorldStory) => one.place.number === other.place.number;
  const ways = [
    (one: WorldStory, other: WorldStory) => isInPlace(one, other) && isAsBefore(one, other),
    isAsBefore,
    isInPlace,
    () => true,
  ];
  for (const isSame of ways) {
    for (const story of undisturbed.filter((each) => !pairs.has(each))) {
      const other = [...left].find((each) => isKin(each, story) && isSame(story, each));
      if (!other) continue;
      pairs.set(story, other);
      left.delete(other);
    }
  }
  return { pairs, others: [...left] };
}

/** Whether two Worlds have the same name and the same test. */
const isKin = ({ place: one }: WorldStory, { place: other }: WorldStory): boolean =>
  one.test === other.test && one.name === other.name;

/** The same for Worlds that nothing tells apart: several processes have merchants of one name. */
export const placeId = ({ place }: WorldStory): string => JSON.stringify(place);

/**
 * The Worlds of the undisturbed run, with names that differ. The only one of its name needs no number, so that runs disturb
 * it in each attempt of its test.
 */
export const labelled = (worlds: readonly WorldStory[]): WorldStory[] =>
  worlds.map((world, at) => {
    const { place, merchant } = world;
    const isSame = (other: WorldStory) => other.merchant === merchant;
    const isOnly = worlds.filter(isSame).length === 1;
    const isAlone = place.name !== '' && worlds.filter((other) => isKin(other, world)).length === 1;
    return {
      ...world,
      place: isAlone ? { ...place, number: undefined } : place,
      merchant: isOnly
        ? merchant
        : `${merchant} (${worlds.slice(0, at + 1).filter(isSame).length})`,
    };
  });
