/* Judges what a failure did to each World of a run. */

import type { PlannedFailure, WorldTarget } from './observer.ts';
import type { Bought, BoughtDifference, ChaosRun, Failure, Outcome } from './public.ts';
import { type CallSelection, type Disturbance, isWanted } from './selection.ts';
import { boughtBy, compareBought, isKin, isMore, pairUp, type WorldStory } from './stories.ts';

/** A run of the program with one failure in every World. */
export interface Round {
  readonly failure: Failure;
  /** Which of the wanted calls of every World is disturbed, from 0. */
  readonly place: number;
  /** The Worlds that it disturbs and judges. */
  readonly worlds: readonly WorldStory[];
  /** The Worlds that a later run is about, because their tests end the program when they fail. */
  readonly held: readonly WorldStory[];
  /** Whether it leaves the other Worlds alone. */
  readonly isApart: boolean;
}

/** How a run of the program ended. */
export interface RoundEnd {
  /** Null if it took too long. */
  readonly exit: number | null;
  readonly error?: string | undefined;
  readonly duration_ms: number;
  readonly stories: readonly WorldStory[];
  /** The tests that ran. */
  readonly tests: ReadonlySet<string>;
}

/** A World that bought something in a disturbed run, and that the undisturbed run does not have. It is not judged. */
export interface OtherWorld {
  readonly merchant: string;
  readonly failure: Failure;
  readonly bought: readonly Bought[];
}

export interface Judgement {
  /** By World. */
  readonly runs: ReadonlyMap<WorldStory, ChaosRun>;
  /** The runs about fewer Worlds that decide what the exit of the program leaves open. */
  readonly more: readonly Round[];
  /** The Worlds of which some failed without a difference: the exit of the program does not say which. */
  readonly doubtful: readonly WorldStory[];
  /** The World that failed, if it was the only one that was disturbed. */
  readonly failed: WorldStory | undefined;
  /** The Worlds that may come in a run that disturbs no others. They have a run in which they did not come. */
  readonly missing: readonly WorldStory[];
  /** The Worlds whose tests failed before all others had come. */
  readonly blocking: readonly WorldStory[];
  /** The Worlds that the undisturbed run does not have, and what they bought. */
  readonly others: readonly OtherWorld[];
}

/** The call of a World that a round disturbs; undefined if it makes fewer. */
export function disturbedIn(
  { calls }: WorldStory,
  { failure, place }: Pick<PlannedFailure, 'failure' | 'place'>,
  selection: CallSelection,
): Disturbance | undefined {
  const wanted = calls
    .map(({ operation, call }) => ({ operation, call, failure }))
    .filter((each) => isWanted(each, selection));
  return wanted[place];
}

export function judge(
  round: Round,
  end: RoundEnd,
  undisturbed: readonly WorldStory[],
  selection: CallSelection,
): Judgement {
  const { exit, stories } = end;
  const { of, others } = pairUp(undisturbed, stories);
  const runs = new Map<WorldStory, ChaosRun>();
  /** The Worlds that may be why the program failed, and those that bought what they should. */
  const [suspects, unchanged]: [WorldStory[], WorldStory[]] = [[], []];
  const hits = stories.filter(hit).length;
  const isAlone = round.worlds.length === 1 || hits === 1;
  const isSure = (world: WorldStory) => isAlone || typeof world.passed === 'boolean';
  const decide = (world: WorldStory, isDecided: boolean) => {
    const planned = disturbedIn(world, round, selection);
    if (!planned) return;
    const story = of.get(world);
    const differences = story ? compareBought(boughtBy(world, end.tests), story.bought) : [];
    const outcome = outcomeOf(story, exit, differences, isDecided);
    if (outcome !== undefined) {
      runs.set(world, runOf(world, planned, story, differences, outcome, end));
    } else if (exit !== null && differences.length === 0) {
      unchanged.push(world);
    } else suspects.push(world);
  };
  for (const world of round.worlds) decide(world, isSure(world));
  for (const world of round.held) decide(world, true);
  const isExplained =
    suspects.length > 0 || [...runs.values()].some(({ outcome }) => outcome === 'bought twice');
  // If no World differs, the exit of the program is that of all, until a further run says more.
  if (!isExplained) for (const world of unchanged) decide(world, true);
  const apart = [...(isExplained ? [unchanged] : []), ...halvesOf(suspects)];
  // A World that was not reached may come if no other one is disturbed.
  const isEndedEarly = exit !== 0 && hits > 0;
  const outcomeIn = (world: WorldStory) => runs.get(world)?.outcome;
  const late = round.worlds.filter(
    (world) =>
      isEndedEarly && outcomeIn(world) === 'did not come' && of.get(world)?.passed !== true,
  );
  const isNew = !round.isApart || late.length < round.worlds.length;
  const isBlocked = exit !== 0 && undisturbed.some((world) => !of.get(world));
  const isHit = (world: WorldStory) => outcomeIn(world) !== 'did not come';
  const hasFailed = (world: WorldStory) =>
    isSure(world) && runs.get(world)?.passed === false && isHit(world);
  return {
    runs,
    more: apart
      .filter((worlds) => worlds.length > 0)
      .map((worlds) => ({ ...round, worlds, held: [], isApart: true })),
    doubtful: !isExplained && unchanged.length > 1 ? unchanged : [],
    failed: isAlone
      ? [...runs].find(([world, { passed }]) => !passed && isHit(world))?.[0]
      : undefined,
    missing: [...(isNew ? late : []), ...round.held],
    blocking: isBlocked ? round.worlds.filter(hasFailed) : [],
    others: others
      .filter(({ bought }) => bought.length > 0)
      .map(({ merchant, bought }) => ({ merchant, failure: round.failure, bought })),
  };
}

function halvesOf(worlds: readonly WorldStory[]): (readonly WorldStory[])[] {
  const middle = Math.ceil(worlds.length / 2);
  return [worlds.slice(0, middle), worlds.slice(middle)];
}

/** What the report says of a World. */
function runOf(
  { merchant }: WorldStory,
  planned: Disturbance,
  story: WorldStory | undefined,
  differences: readonly BoughtDifference[],
  outcome: Outcome,
  { exit, error, duration_ms }: RoundEnd,
): ChaosRun {
  const { failure } = planned;
  const { operation, call } = (story && hit(story)) ?? planned;
  const isWrong = new Set(differences.map(kindText));
  return {
    ...{ merchant, operation, call, failure, outcome },
    passed: hasPassed(story, exit),
    exit,
    ...(error !== undefined && { error }),
    ...(story && story.earlierAttempts > 0 && { earlierAttempts: story.earlierAttempts }),
    bought: story?.bought ?? [],
    differences,
    calls: !story || outcome === 'survived' ? [] : linesOf(story, failure, isWrong),
    key: story?.key ?? '',
    duration_ms,
  };
}

/** The first call of a World that was disturbed. */
const hit = ({ calls }: WorldStory) => calls.find(({ isDisturbed }) => isDisturbed);

/**
 * What a World says about a failure; undefined if the exit of the program could be about another World.
 *
 * @param isSure whether a kit tells the result of its test, or the run disturbs no other World
 */
function outcomeOf(
  story: WorldStory | undefined,
  exit: number | null,
  differences: readonly BoughtDifference[],
  isSure: boolean,
): Outcome | undefined {
  if (isMore(differences)) return 'bought twice';
  if (!story || !hit(story)) return 'did not come';
  if (exit === null && typeof story.passed !== 'boolean') return isSure ? 'hung' : undefined;
  if (hasPassed(story, exit)) return differences.length === 0 ? 'survived' : 'false success';
  return isSure ? 'noticed' : undefined;
}

/** Whether the test of a World passed: as its kit says, else by the exit of the program. */
const hasPassed = (story: WorldStory | undefined, exit: number | null): boolean =>
  story?.passed ?? exit === 0;

/** Calls of the same World that are shown before and after one that failed. */
const BEFORE = 2;
const AFTER = 3;
/** How many are shown of a World in which none failed. */
const LATEST = 8;

/** What was bought, as a text that is the same for a purchase and for a difference. */
const kindText = ({ operation, product, plan, premium, holder, insured }: Kind): string =>
  JSON.stringify([operation, product, plan, premium, holder, insured]);

type Kind = Omit<BoughtDifference, 'undisturbed' | 'bought' | 'renewal'>;

/** The calls of a World as text: those around its failure, and those that bought what differs. */
function linesOf({ lines }: WorldStory, failure: Failure, wrong: ReadonlySet<string>): string[] {
  const shown = new Set<number>();
  for (const [at, { isDisturbed, bought }] of lines.entries()) {
    if (isDisturbed) for (let n = at - BEFORE; n <= at + AFTER; n++) shown.add(n);
    if (bought && wrong.has(kindText(bought))) shown.add(at);
  }
  if (shown.size === 0) for (let n = lines.length - LATEST; n < lines.length; n++) shown.add(n);
  const text: string[] = [];
  let skipped = 0;
  const tellSkipped = () => {
    if (skipped > 0) text.push(`… ${skipped} ${skipped === 1 ? 'call' : 'calls'}`);
    skipped = 0;
  };
  let day = '';
  for (const [at, { isDisturbed, isCall, day: ownDay, lines: own }] of lines.entries()) {
    if (!shown.has(at)) {
      if (isCall) skipped++;
      continue;
    }
    tellSkipped();
    if (ownDay !== day) text.push(`  ${ownDay}`);
    day = ownDay;
    text.push(...own.map((line, n) => `${isDisturbed && n === 0 ? '▸' : ' '} ${line}`));
    if (isDisturbed && failure === 'killed') {
      text.push('    killed   the program got no response, and was started again');
    }
  }
  tellSkipped();
  return text;
}

/** The Worlds of a run that disturbs no others. A name that only one has is that of each attempt of its test. */
export const targetsOf = (
  worlds: readonly WorldStory[],
  undisturbed: readonly WorldStory[],
): WorldTarget[] =>
  worlds.map((world) => {
    const { name, number, test } = world.place;
    const isOnly = undisturbed.filter((each) => isKin(each, world)).length === 1;
    return { name, test, ...(!(isOnly && name !== '') && { number }) };
  });
