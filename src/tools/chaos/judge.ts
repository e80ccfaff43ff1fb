/* Judges what a failure did to each World of a run. */

import { counted } from '../../world/grouped.ts';
import type { Ended } from './attempt.ts';
import type { LinesNote } from './ledger.ts';
import type { PlannedFailure } from './observer.ts';
import type { Bought, BoughtDifference, ChaosRun, Failure, Outcome } from './public.ts';
import { type CallSelection, type Disturbance, isWanted } from './selection.ts';
import { compareBought, isMore, pairUp, placeId, storiesOf, type WorldStory } from './stories.ts';

/** A run of the program with one failure in every World. */
export interface Round {
  readonly failure: Failure;
  /** Which of the wanted calls of every World is disturbed, from 0. */
  readonly place: number;
  /** The Worlds that it judges. */
  readonly worlds: readonly WorldStory[];
}

/** What a run says about a World. */
export interface Verdict {
  /** As it is in the undisturbed run. */
  readonly world: WorldStory;
  readonly run: ChaosRun;
  /**
   * Whether a run about fewer Worlds is needed: the exit of the program does not say which of them failed, or the run did
   * not reach this one.
   */
  readonly state: 'decided' | 'undecided' | 'not reached';
  /** Whether its own test failed. */
  readonly hasFailed: boolean;
}

/** A World that bought something in a disturbed run, and that the undisturbed run does not have. It is not judged. */
export interface OtherWorld {
  readonly merchant: string;
  readonly failure: Failure;
  readonly bought: readonly Bought[];
}

export interface Judgement {
  readonly verdicts: readonly Verdict[];
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

/** @param targets the Worlds of the round that the run disturbed */
export function judge(
  round: Round,
  targets: readonly WorldStory[],
  ended: Ended,
  undisturbed: readonly WorldStory[],
  selection: CallSelection,
): Judgement {
  const { exit, notes } = ended;
  const stories = storiesOf(notes);
  const { pairs, others } = pairUp(undisturbed, stories);
  const hits = stories.filter(hit).length;
  /** Whether no run says more about a World: it is the only one that is disturbed, or nothing tells it from the others. */
  const isAlone = hits <= 1 || new Set(targets.map(placeId)).size === 1;
  const verdicts = round.worlds.flatMap((world): Verdict[] => {
    const planned = disturbedIn(world, round, selection);
    if (!planned) return [];
    const story = pairs.get(world);
    const differences = story ? compareBought(world.bought, story.bought) : [];
    const outcome = outcomeOf(story, exit, differences);
    const run = runOf(world, planned, story, differences, outcome, ended);
    const isHit = story !== undefined && hit(story) !== undefined;
    const isKnown = isAlone || exit === 0 || typeof story?.passed === 'boolean';
    // A World that was not reached may come if no other one is disturbed.
    const mayCome = !targets.includes(world) || (exit !== 0 && hits > 0 && story?.passed !== true);
    const open = isHit ? !isKnown && 'undecided' : mayCome && 'not reached';
    const state = (outcome !== 'bought twice' && open) || 'decided';
    return [{ world, run, state, hasFailed: isHit && isKnown && !run.passed }];
  });
  return {
    verdicts,
    others: others
      .filter(({ bought }) => bought.length > 0)
      .map(({ merchant, bought }) => ({ merchant, failure: round.failure, bought })),
  };
}

/** What the report says of a World. */
function runOf(
  { merchant }: WorldStory,
  planned: Disturbance,
  story: WorldStory | undefined,
  differences: readonly BoughtDifference[],
  outcome: Outcome,
  { exit, error, duration_ms }: Ended,
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
    calls: !story || outcome === 'survived' ? [] : linesOf(story, isWrong),
    key: story?.key ?? '',
    duration_ms,
  };
}

/** The first call of a World that was disturbed. */
const hit = ({ calls }: WorldStory) => calls.find(({ isDisturbed }) => isDisturbed);

/** What a World says about a failure, if the exit of the program is about it. */
function outcomeOf(
  story: WorldStory | undefined,
  exit: number | null,
  differences: readonly BoughtDifference[],
): Outcome {
  if (isMore(differences)) return 'bought twice';
  if (!story || !hit(story)) return 'did not come';
  if (exit === null && typeof story.passed !== 'boolean') return 'hung';
  if (!hasPassed(story, exit)) return 'noticed';
  return differences.length === 0 ? 'survived' : 'false success';
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
function linesOf({ lines }: WorldStory, wrong: ReadonlySet<string>): string[] {
  const hits = lines.flatMap(({ isDisturbed }, at) => (isDisturbed ? [at] : []));
  const isShown = ({ bought }: LinesNote, at: number): boolean =>
    (bought !== undefined && wrong.has(kindText(bought))) ||
    hits.some((place) => at >= place - BEFORE && at <= place + AFTER) ||
    (hits.length === 0 && at >= lines.length - LATEST);
  const text: string[] = [];
  let skipped = 0;
  const tellSkipped = () => {
    if (skipped > 0) text.push(`… ${counted(skipped, 'call')}`);
    skipped = 0;
  };
  let latest = '';
  for (const [at, note] of lines.entries()) {
    const { isDisturbed, isCall, day, lines: own } = note;
    if (!isShown(note, at)) {
      if (isCall) skipped++;
      continue;
    }
    tellSkipped();
    if (day !== latest) text.push(`  ${day}`);
    latest = day;
    text.push(...own.map((line, n) => `${isDisturbed && n === 0 ? '▸' : ' '} ${line}`));
  }
  tellSkipped();
  return text;
}
