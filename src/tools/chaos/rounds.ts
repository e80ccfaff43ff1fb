/* Which runs there are: one for each failure and place, then those about the Worlds that a run left open. */

import { FAILURE_NAMES } from './failures.ts';
import { disturbedIn, type Judgement, type Round, type Verdict } from './judge.ts';
import type { CallSelection } from './selection.ts';
import { placeId, type WorldStory } from './stories.ts';

/**
 * There are at least as many further runs as all failures of a purchase: a few runs can always be split until it is known
 * which Worlds failed.
 */
const MIN_FURTHER = 15;

/** `lost-2` is about the second call of each World. */
export const nameOfRound = ({ failure, place }: Round): string => `${failure}-${place + 1}`;

export interface Rounds {
  /** The next round, and the Worlds of it that its run disturbs. Undefined if there is none for now. */
  take(): TakenRound | undefined;
  /** Notes what a run said. */
  settle(taken: TakenRound, judgement: Judgement): void;
  /** How many rounds are still to be taken. */
  left(): number;
  /** Rounds of which nobody knows which Worlds failed or would have come. */
  undecided(): readonly Round[];
}

export interface TakenRound {
  readonly round: Round;
  readonly targets: readonly WorldStory[];
}

/** As many further rounds as first ones, so that a program whose tests fail does not take a run for each. */
export function planRounds(worlds: readonly WorldStory[], selection: CallSelection): Rounds {
  const first = firstRounds(worlds, selection);
  let further = Math.max(first.length, MIN_FURTHER);
  const open: Round[] = [];
  /** Worlds whose tests fail when they are disturbed. */
  const failing = new Set<WorldStory>();
  const passing = ({ worlds: own }: Round) => own.filter((world) => !failing.has(world));
  const reopen = (round: Round, own: readonly WorldStory[]) => {
    if (own.length > 0) open.push({ ...round, worlds: own });
  };
  return {
    take() {
      const next = first.shift();
      if (next) return { round: next, targets: next.worlds };
      const [oldest] = open;
      if (!oldest || further === 0) return undefined;
      further--;
      // Without those that fail, all Worlds that this failure left open may pass in one run.
      const alike = open.filter((round) => nameOfRound(round) === nameOfRound(oldest));
      const hasCause = alike.some((round) => passing(round).length < round.worlds.length);
      const joined = hasCause && passing(oldest).length > 0 ? alike : [oldest];
      for (const one of joined) open.splice(open.indexOf(one), 1);
      const round = { ...oldest, worlds: joined.flatMap((one) => one.worlds) };
      const targets = passing(round);
      return { round, targets: targets.length > 0 ? targets : round.worlds };
    },
    settle({ round }, { verdicts }) {
      for (const { world, hasFailed } of verdicts) if (hasFailed) failing.add(world);
      reopen(round, inState(verdicts, 'not reached'));
      for (const part of partsOf(verdicts)) reopen(round, part);
    },
    left: () => first.length + Math.min(open.length, further),
    undecided: () => open.filter((round) => passing(round).length > 0),
  };
}

/**
 * For each failure as many rounds as the World with the most calls needs. One that kills the program is about a single
 * World.
 */
function firstRounds(worlds: readonly WorldStory[], selection: CallSelection): Round[] {
  return FAILURE_NAMES.flatMap((failure) => {
    const rounds: Round[] = [];
    for (let place = 0; ; place++) {
      const met = worlds.filter((world) => disturbedIn(world, { failure, place }, selection));
      if (met.length === 0) return rounds;
      const parts = failure === 'killed' ? met.map((world) => [world]) : [met];
      rounds.push(...parts.map((own) => ({ failure, place, worlds: own })));
    }
  });
}

/**
 * The undecided Worlds of a run, in parts that are tried one by one: those that bought what they should, which probably
 * passed, and two halves of the others. If nothing shows why the program failed, halves of all.
 */
function partsOf(verdicts: readonly Verdict[]): (readonly WorldStory[])[] {
  const isSuspect = ({ run }: Verdict) => run.exit === null || run.differences.length > 0;
  const suspects = inState(verdicts.filter(isSuspect), 'undecided');
  const others = inState(
    verdicts.filter((verdict) => !isSuspect(verdict)),
    'undecided',
  );
  const isExplained =
    suspects.length > 0 || verdicts.some(({ run }) => run.outcome === 'bought twice');
  return [...(isExplained ? [others] : halvesOf(others)), ...halvesOf(suspects)];
}

const inState = (verdicts: readonly Verdict[], wanted: Verdict['state']): readonly WorldStory[] =>
  verdicts.filter(({ state }) => state === wanted).map(({ world }) => world);

/** Worlds that are not told apart stay together. */
function halvesOf(worlds: readonly WorldStory[]): (readonly WorldStory[])[] {
  const places = [...new Set(worlds.map(placeId))];
  const middle = Math.ceil(places.length / 2);
  const isFirst = (world: WorldStory) => places.indexOf(placeId(world)) < middle;
  return [worlds.filter(isFirst), worlds.filter((world) => !isFirst(world))];
}
