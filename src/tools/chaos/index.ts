/* Runs a program again and again, each time with one failure in every World, and judges each World of each run. */

import type { OperationId } from '../../types/public.ts';
import { secretHex } from '../../world/random.ts';
import { DEFAULT_SLOW_MS, FAILURE_NAMES } from './failures.ts';
import { disturbedIn, judge, type OtherWorld, type Round, targetsOf } from './judge.ts';
import type { LedgerNote } from './ledger.ts';
import type { PlannedFailure } from './observer.ts';
import { ChaosError, type ChaosRun, type UndisturbedRun } from './public.ts';
import { type CallSelection, type Disturbance, requireCalled } from './selection.ts';
import { storiesOf, testsOf, type WorldStory } from './stories.ts';
import { type FullReport, toText } from './text.ts';

/** One run of the program, in a sandbox of its own. */
export interface Attempt {
  /** `lost, call 2`, or `undisturbed`. */
  readonly name: string;
  /** A word for files and folders that no other run of any invocation has. */
  readonly run: string;
  /** The key of its merchant. */
  readonly key: string;
  readonly planned: PlannedFailure | undefined;
  /** How often the program is killed when its call has failed, and started again. */
  readonly kills: number;
  /** The seed of a sandbox whose options have none. Those that have one add this to it. */
  readonly seed: number;
  /** How long each start of the program may take. */
  readonly limitMs: number;
}

/** How a run of the program ended. */
export interface Ended {
  /** Null if it took too long. */
  readonly exit: number | null;
  /** What a function threw. */
  readonly error?: string | undefined;
  /** What a command printed. */
  readonly output?: string | undefined;
  readonly duration_ms: number;
  readonly notes: readonly LedgerNote[];
  /** Why calls of sandboxes that the program brings may be missing. */
  readonly missing?: string | undefined;
  /** The number of requests without a valid key. */
  readonly withoutKey: number;
}

export interface ChaosPlan extends CallSelection {
  /** How many calls in a row fail. */
  readonly times?: number | undefined;
  /** How many runs go side by side. */
  readonly jobs: number;
  /** How long a run may take. */
  readonly timeoutMs?: number | undefined;
  /** The delay of `slow`. */
  readonly slowMs?: number | undefined;
  /** What to do about a program that calls nothing. */
  readonly advice: { readonly noCall: string; readonly noKey: string };
  /** Ends everything early. What was done is still reported. */
  readonly stop?: AbortSignal | undefined;
  /** The command or the option that repeats runs. */
  repeat(runs: readonly Disturbance[]): string;
  /** Runs the program once. Rejects if it cannot be started, or when `stop` aborts. */
  attempt(attempt: Attempt): Promise<Ended>;
  onProgress?(done: number, all: number): void;
  /** Called when a run has ended, with what its Worlds said; undefined for the undisturbed run. */
  onEnded?(attempt: Attempt, ended: Ended, runs: readonly ChaosRun[] | undefined): void;
}

/** Long enough for any test suite. It ends a program that never ends. */
const UNDISTURBED_LIMIT_MS = 600_000;
const MIN_LIMIT_MS = 30_000;
/** Slow runs wait most of the time, so more of them go side by side. */
const SLOW_PER_JOB = 4;

/**
 * Runs a program once undisturbed, then with failures. Throws `ChaosError` if the undisturbed run fails or calls
 * nothing.
 */
export async function runChaos(plan: ChaosPlan): Promise<FullReport> {
  const { slowMs = DEFAULT_SLOW_MS, jobs, times = 1, stop } = plan;
  const selection: CallSelection = { only: plan.only, calls: plan.calls };
  const { undisturbed, worlds, counts } = await runUndisturbed(plan);
  const limitMs = plan.timeoutMs ?? Math.max(MIN_LIMIT_MS, 10 * undisturbed.duration_ms);
  const rounds = roundsOf(worlds, selection);
  if (rounds.length === 0) {
    throw new ChaosError(
      'The failure expired applies to verify calls, and the program makes none.',
    );
  }
  /** The runs of each World, by failure and place. A later one is about fewer Worlds, so it knows more. */
  const found = new Map<WorldStory, Map<string, ChaosRun>>(
    worlds.map((world) => [world, new Map()]),
  );
  /** Worlds whose tests end the program when they fail. */
  const blocking = new Set<WorldStory>();
  /** Runs about Worlds that did not come, by failure and place. */
  const open = new Map<string, Round>();
  /** Runs that failed, and Worlds that failed alone. */
  let doubts: readonly Round[] = [];
  const failing = new Set<WorldStory>();
  const strangers: OtherWorld[] = [];
  let started = 0;
  let done = 0;
  let all = rounds.length;
  const disturb = async (planned: Round): Promise<readonly Round[]> => {
    const round = withoutBlocking(planned, blocking);
    const { failure, place } = round;
    const waits = failure === 'slow' ? times * slowMs * round.worlds.length : 0;
    const targets = round.isApart ? targetsOf(round.worlds, worlds) : undefined;
    const name = placeOf(round);
    const attempt: Attempt = {
      name: `${failure}, call ${place + 1}`,
      run: uniqueName(name),
      key: keyOf(name),
      planned: { failure, place, selection, times, slowMs, targets },
      kills: failure === 'killed' ? times : 0,
      seed: ++started,
      limitMs: limitMs + waits,
    };
    const ended = await plan.attempt(attempt);
    const end = { ...ended, stories: storiesOf(ended.notes), tests: testsOf(ended.notes) };
    const { runs, more, missing, others, ...judged } = judge(round, end, worlds, selection);
    for (const [world, run] of runs) found.get(world)?.set(name, run);
    for (const world of judged.blocking) blocking.add(world);
    if (judged.failed) failing.add(judged.failed);
    if (judged.doubtful.length > 0) {
      doubts = [...doubts, { ...round, worlds: judged.doubtful, held: [], isApart: true }];
    }
    if (missing.length > 0) {
      const late = [...(open.get(name)?.worlds ?? []), ...missing];
      open.set(name, { ...round, worlds: late, held: [], isApart: true });
    }
    plan.onEnded?.(attempt, ended, [...runs.values()]);
    strangers.push(...others);
    all += more.length;
    done++;
    plan.onProgress?.(done, all);
    return more;
  };
  plan.onProgress?.(done, all);
  /** As many further runs as first ones, so that many failing tests do not take a run each. */
  let spare = rounds.length;
  for (let due: readonly Round[] = rounds; due.length > 0 && !stop?.aborted; ) {
    await runAll(due, jobs, disturb, stop);
    due = dueOf([...open.values()], blocking).slice(0, spare);
    for (const round of due) open.delete(placeOf(round));
    if (due.length === 0) ({ due, doubts } = partsOf(doubts, failing, spare));
    spare -= due.length;
    all += due.length;
  }
  const isComplete = done === all && !stop?.aborted;
  const runs = [...counts.keys()].flatMap((operation) =>
    [...found.values()].flatMap((own) =>
      [...own.values()].filter((run) => run.operation === operation).sort(inOrder),
    ),
  );
  const operations = [...counts].map(([operation, calls]) => {
    const disturbed = [...found.values()].map((own) => {
      const met = [...own.values()].filter(
        (run) => run.operation === operation && run.outcome !== 'did not come',
      );
      return new Set(met.map(({ call }) => call)).size;
    });
    return { operation, calls, disturbed: disturbed.reduce((sum, count) => sum + count, 0) };
  });
  const report = { undisturbed, operations, runs, others: strangers, complete: isComplete };
  const text = (): string => toText(report, plan.repeat);
  // JSON and comparisons show data alone. What is not judged is told as text.
  return Object.defineProperties(report, {
    toString: { value: text },
    others: { enumerable: false },
  });
}

/** In the order of the calls, then of the failures. The Worlds keep theirs. */
const inOrder = (one: ChaosRun, other: ChaosRun): number =>
  one.call - other.call ||
  FAILURE_NAMES.indexOf(one.failure) - FAILURE_NAMES.indexOf(other.failure);

/**
 * The runs to do: for each failure as many as the World with the most calls needs. One that kills the program is about
 * a single World.
 */
function roundsOf(worlds: readonly WorldStory[], selection: CallSelection): Round[] {
  return FAILURE_NAMES.flatMap((failure) => {
    const rounds: Round[] = [];
    for (let place = 0; ; place++) {
      const met = worlds.filter((world) => disturbedIn(world, { failure, place }, selection));
      if (met.length === 0) return rounds;
      const apart = failure === 'killed' ? met.map((world) => [world]) : [met];
      for (const own of apart) {
        rounds.push({ failure, place, worlds: own, held: [], isApart: failure === 'killed' });
      }
    }
  });
}

const placeOf = ({ failure, place }: Round): string => `${failure}-${place + 1}`;

/** A run without the Worlds that would keep the others from coming; all of it if there are no others. */
function withoutBlocking(round: Round, blocking: ReadonlySet<WorldStory>): Round {
  const worlds = round.worlds.filter((world) => !blocking.has(world));
  if (worlds.length === 0 || worlds.length === round.worlds.length) return round;
  const held = round.worlds.filter((world) => blocking.has(world));
  return { ...round, worlds, held: [...round.held, ...held], isApart: true };
}

/**
 * The runs that come next. First those that disturb Worlds whose tests have passed so far: one run can judge all of them.
 * Then those whose tests fail: a run may judge only its first World, so each begins with another one.
 */
function dueOf(open: readonly Round[], blocking: ReadonlySet<WorldStory>): readonly Round[] {
  const passing = open.filter(({ worlds }) => worlds.some((world) => !blocking.has(world)));
  if (passing.length > 0) return passing;
  return open.map((round, at) => {
    const first = at % round.worlds.length;
    return { ...round, worlds: round.worlds.slice(first), held: round.worlds.slice(0, first) };
  });
}

/**
 * The runs that find out which Worlds passed, after a run that failed and does not say why. If some of its Worlds are
 * known to fail, the next run disturbs all others. Otherwise it disturbs half of them, one run at a time, because each
 * result may help with the others.
 */
function partsOf(
  doubts: readonly Round[],
  failing: ReadonlySet<WorldStory>,
  spare: number,
): { due: readonly Round[]; doubts: readonly Round[] } {
  const isFailing = (world: WorldStory) => failing.has(world);
  const open = doubts.filter(({ worlds }) => !worlds.every(isFailing));
  const unknown = open.filter(({ worlds }) => !worlds.some(isFailing));
  const known = open
    .filter((round) => !unknown.includes(round))
    .map((round) => ({ ...round, worlds: round.worlds.filter((world) => !isFailing(world)) }));
  if (known.length > 0) return { due: known.slice(0, spare), doubts: unknown };
  const [first, ...later] = unknown;
  if (!first || spare === 0) return { due: [], doubts: [] };
  const middle = Math.ceil(first.worlds.length / 2);
  return {
    due: [{ ...first, worlds: first.worlds.slice(0, middle) }],
    doubts: [...later, { ...first, worlds: first.worlds.slice(middle) }],
  };
}

/** Runs rounds, the slow ones beside the others. */
async function runAll(
  rounds: readonly Round[],
  jobs: number,
  disturb: (round: Round) => Promise<readonly Round[]>,
  stop: AbortSignal | undefined,
): Promise<void> {
  // With one job nothing runs beside a run: runs may share a database.
  if (jobs === 1) return sideBySide(rounds, 1, disturb, stop);
  const isSlow = ({ failure }: Round) => failure === 'slow';
  const [slow, quick] = [rounds.filter(isSlow), rounds.filter((round) => !isSlow(round))];
  await Promise.all([
    sideBySide(slow, jobs * SLOW_PER_JOB, disturb, stop),
    sideBySide(quick, jobs, disturb, stop),
  ]);
}

/**
 * Runs tasks in their order, and the tasks that they leave, at most `slots` at a time. After an error or a stop it
 * starts no more, and ends when the running ones have ended.
 */
async function sideBySide<Task>(
  tasks: readonly Task[],
  slots: number,
  run: (task: Task) => Promise<readonly Task[]>,
  stop: AbortSignal | undefined,
): Promise<void> {
  const waiting = [...tasks];
  const errors: unknown[] = [];
  const running = new Set<Promise<void>>();
  const work = async (): Promise<void> => {
    while (errors.length === 0 && !stop?.aborted) {
      const task = waiting.shift();
      if (task === undefined) {
        if (running.size === 0) return;
        // A task that still runs may leave more.
        await Promise.race(running);
        continue;
      }
      const ended = run(task)
        .then(
          (more) => void waiting.push(...more),
          (error) => void (stop?.aborted || errors.push(error)),
        )
        .finally(() => void running.delete(ended));
      running.add(ended);
      await ended;
    }
  };
  await Promise.all(Array.from({ length: slots }, work));
  if (errors.length > 0) throw errors[0];
}

/** A word that no other run of any invocation has. */
const uniqueName = (name: string): string => `${name}-${secretHex(12)}`;

/** Says which run a request belongs to, in the logs of the program too. */
const keyOf = (name: string): string => `sk_sandbox_chaos_${name.replaceAll('-', '_')}`;

async function runUndisturbed(plan: ChaosPlan) {
  const limitMs = plan.timeoutMs ?? UNDISTURBED_LIMIT_MS;
  const name = 'undisturbed';
  const attempt: Attempt = {
    name,
    run: uniqueName(name),
    key: keyOf(name),
    planned: undefined,
    kills: 0,
    seed: 0,
    limitMs,
  };
  const ended = await plan.attempt(attempt);
  plan.onEnded?.(attempt, ended, undefined);
  const { exit, duration_ms } = ended;
  if (exit !== 0) throw new ChaosError(whyNotPassed(ended, limitMs));
  const worlds = labelled(storiesOf(ended.notes));
  if (worlds.length === 0) throw new ChaosError(whyNoCall(ended, plan.advice));
  const counts = new Map<OperationId, number>();
  const most = new Map<OperationId, number>();
  for (const { operation, call } of worlds.flatMap(({ calls }) => calls)) {
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    most.set(operation, Math.max(most.get(operation) ?? 0, call));
  }
  requireCalled(most, plan.only);
  const shown = worlds.map(({ merchant, key, calls, bought }) => {
    return { merchant, key, calls: calls.length, bought };
  });
  const undisturbed: UndisturbedRun = { exit, duration_ms, worlds: shown };
  return { undisturbed, worlds, counts };
}

/** Numbers the Worlds whose merchants have the same name. */
const labelled = (worlds: readonly WorldStory[]): WorldStory[] =>
  worlds.map((world, at) => {
    const isSame = ({ merchant }: WorldStory) => merchant === world.merchant;
    const number = worlds.slice(0, at + 1).filter(isSame).length;
    const isOnly = worlds.filter(isSame).length === 1;
    return isOnly ? world : { ...world, merchant: `${world.merchant} (${number})` };
  });

function whyNotPassed({ exit, error }: Ended, limitMs: number): string {
  if (exit === null) {
    return `The undisturbed run did not end within ${limitMs / 1000} s. Another timeout changes that.`;
  }
  const why = error === undefined ? `ended with exit code ${exit}` : `threw: ${error}`;
  return `The undisturbed run ${why}. Make it pass before you disturb it; if it fails only sometimes, no failure could be told from luck.`;
}

function whyNoCall({ withoutKey, missing }: Ended, advice: ChaosPlan['advice']): string {
  const why = 'The undisturbed run called no operation of a sandbox.';
  if (missing !== undefined) return `${why} ${missing}`;
  if (withoutKey === 0) return `${why} ${advice.noCall}`;
  const requests = withoutKey === 1 ? '1 request' : `${withoutKey} requests`;
  return `${why} ${requests} had no valid key. ${advice.noKey}`;
}
