/* Runs a program again and again, each time with one failure in every World, and reports what each World did. */

import type { OperationId } from '../../types/public.ts';
import { counted } from '../../world/grouped.ts';
import type { Attempt, Ended } from './attempt.ts';
import { DEFAULT_SLOW_MS, FAILURE_NAMES } from './failures.ts';
import { judge, type OtherWorld } from './judge.ts';
import { ChaosError, type ChaosRun, type Coverage, type UndisturbedRun } from './public.ts';
import { nameOfRound, planRounds, type Rounds, type TakenRound } from './rounds.ts';
import { type CallSelection, type Disturbance, requireCalled } from './selection.ts';
import { labelled, placeId, storiesOf } from './stories.ts';
import { type FullReport, toText } from './text.ts';

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
  readonly advice: string;
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
/** The part of a job that a slow run takes, because it waits most of the time. */
const SLOW_SHARE = 0.25;

/**
 * Runs a program once undisturbed, then with failures. Throws `ChaosError` if the undisturbed run fails or calls
 * nothing.
 */
export async function runChaos(plan: ChaosPlan): Promise<FullReport> {
  const { slowMs = DEFAULT_SLOW_MS, jobs, times = 1, stop } = plan;
  const selection: CallSelection = { only: plan.only, calls: plan.calls };
  const { undisturbed, worlds, counts } = await runUndisturbed(plan);
  const limitMs = plan.timeoutMs ?? Math.max(MIN_LIMIT_MS, 10 * undisturbed.duration_ms);
  const rounds = planRounds(worlds, selection);
  if (rounds.left() === 0) {
    throw new ChaosError(
      'The failure expired applies to verify calls, and the program makes none.',
    );
  }
  /** The runs of each World, by the names of their rounds. */
  const found = new Map(worlds.map((world) => [world, new Map<string, ChaosRun>()]));
  const others: OtherWorld[] = [];
  let started = 0;
  let done = 0;
  const showProgress = () => plan.onProgress?.(done, started + rounds.left());
  const disturb = async (taken: TakenRound): Promise<void> => {
    const { round, targets } = taken;
    const { failure, place } = round;
    const attempt: Attempt = {
      name: nameOfRound(round),
      planned: { failure, place, selection, times, slowMs, targets: targets.map((it) => it.place) },
      limitMs: limitMs + (failure === 'slow' ? times * slowMs * targets.length : 0),
    };
    started++;
    const ended = await plan.attempt(attempt);
    const judgement = judge(round, targets, ended, worlds, selection);
    for (const { world, run } of judgement.verdicts) {
      const known = found.get(world);
      // A later run is about fewer Worlds, so it knows more, unless it did not reach this one.
      const isNews = run.outcome !== 'did not come' || !known?.has(attempt.name);
      if (isNews) known?.set(attempt.name, run);
    }
    others.push(...judgement.others);
    rounds.settle(taken, judgement);
    done++;
    const runs = judgement.verdicts.map(({ run }) => run);
    plan.onEnded?.(attempt, ended, runs);
    showProgress();
  };
  showProgress();
  await runAll(rounds, jobs, disturb, stop);
  const unsure = rounds
    .undecided()
    .flatMap((round) =>
      round.worlds.flatMap((world) => found.get(world)?.get(nameOfRound(round)) ?? []),
    );
  const runs = [...counts.keys()].flatMap((operation) =>
    [...found.values()].flatMap((known) =>
      [...known.values()].filter((run) => run.operation === operation).sort(inOrder),
    ),
  );
  const operations = [...counts].map(([operation, calls]): Coverage => {
    const met = runs.filter((run) => run.operation === operation && run.outcome !== 'did not come');
    const disturbed = new Set(met.map(({ merchant, call }) => `${merchant}#${call}`)).size;
    return { operation, calls, disturbed };
  });
  const report = { undisturbed, operations, runs, complete: !stop?.aborted };
  // JSON and comparisons show data alone. What is not judged is told as text.
  return Object.defineProperty(report, 'toString', {
    value: (colours = false) =>
      toText(report, plan.repeat, {
        ...{ others, unsure, colours },
        hasSameNames: new Set(worlds.map(placeId)).size < worlds.length,
      }),
  });
}

/** In the order of the calls, then of the failures. The Worlds keep theirs. */
const inOrder = (one: ChaosRun, other: ChaosRun): number =>
  one.call - other.call ||
  FAILURE_NAMES.indexOf(one.failure) - FAILURE_NAMES.indexOf(other.failure);

/**
 * Runs rounds as long as there are some, as many at a time as the jobs have room for. After an error or a stop it starts no
 * more, and ends when the running ones have ended.
 */
async function runAll(
  rounds: Rounds,
  jobs: number,
  run: (taken: TakenRound) => Promise<void>,
  stop: AbortSignal | undefined,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let busy = 0;
  const start = (taken: TakenRound) => {
    // With one job nothing runs beside a run: runs may share a database.
    const share = jobs > 1 && taken.round.failure === 'slow' ? SLOW_SHARE : 1;
    busy += share;
    const ended = run(taken).finally(() => {
      busy -= share;
      running.delete(ended);
    });
    running.add(ended);
  };
  try {
    for (;;) {
      while (busy < jobs && !stop?.aborted) {
        const taken = rounds.take();
        if (!taken) break;
        start(taken);
      }
      if (running.size === 0) return;
      // A round that still runs may leave more.
      await Promise.race(running);
    }
  } catch (error) {
    if (!stop?.aborted) throw error;
  } finally {
    await Promise.allSettled(running);
  }
}

async function runUndisturbed(plan: ChaosPlan) {
  const limitMs = plan.timeoutMs ?? UNDISTURBED_LIMIT_MS;
  const attempt: Attempt = { name: 'undisturbed', planned: undefined, limitMs };
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

function whyNotPassed({ exit, error }: Ended, limitMs: number): string {
  if (exit === null) {
    return `The undisturbed run did not end within ${limitMs / 1000} s. Set a longer timeout.`;
  }
  const why = error === undefined ? `ended with exit code ${exit}` : `threw: ${error}`;
  return `The undisturbed run ${why}. Make it pass first. If it fails only sometimes, run chaos again.`;
}

function whyNoCall({ withoutKey }: Ended, advice: string): string {
  const keyless =
    withoutKey === 0 ? '' : ` and sent ${counted(withoutKey, 'request')} without a valid key`;
  return `The undisturbed run called no operation of a sandbox${keyless}. ${advice}`;
}
