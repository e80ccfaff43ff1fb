/* Runs a program again and again, each time with one failure, and judges each run by what was bought. */

import type { OperationId } from '../../public.ts';
import { MAX_SEED } from '../../world/random.ts';
import { callLines } from './call-lines.ts';
import { DEFAULT_SLOW_MS, faultOf, placeOf } from './failures.ts';
import type { EndedCall, RunRecord } from './ledger.ts';
import type { PlannedFault } from './observer.ts';
import {
  type Bought,
  ChaosError,
  type ChaosReport,
  type ChaosRun,
  type Failure,
  type Outcome,
  type UndisturbedRun,
} from './public.ts';
import { comparePurchases, countPurchases } from './purchases.ts';
import {
  type CallChoice,
  type CallCounts,
  type Disturbance,
  disturbancesOf,
  nameOf,
  type Selected,
} from './selection.ts';
import { runSideBySide, type Slot } from './side-by-side.ts';
import { toText } from './text.ts';

/** One run of the program, in a sandbox of its own. */
export interface Attempt {
  /** `verifyMotorPolicy#2:lost`, or `undisturbed`. */
  readonly name: string;
  /** The same as a word that files and folders can have. */
  readonly run: string;
  /** The key of its merchant. */
  readonly key: string;
  readonly planned: PlannedFault | undefined;
  /** How often the program is killed when its call has failed, and started again. */
  readonly kills: number;
  /** The seed of a sandbox whose options have none. Those that have one add this to it. */
  readonly seed: number;
  /** How long each start of the program may take. */
  readonly limitMs: number;
  /** Called when the program begins to wait for a delayed response. */
  onDelay(ms: number): void;
  /** Called when the program has ended, and its sandbox has yet to close. */
  onProgramEnd(): void;
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
  readonly record: RunRecord;
  /** The number of requests without a valid key. */
  readonly withoutKey: number;
}

/** What the runs will take. */
export interface Forecast {
  readonly runs: number;
  readonly ms: number;
}

/** How far the runs are. */
export interface Progress {
  readonly done: number;
  readonly running: number;
  readonly left: number;
  /** How many runs ended in each way. */
  readonly found: Readonly<Partial<Record<Outcome, number>>>;
}

export interface ChaosPlan {
  /** The runs to do; all if empty. */
  readonly only?: readonly Selected[];
  /** Default: every call that changes something, and the first of each other operation. */
  readonly calls?: CallChoice | undefined;
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
  /** The command or the option that repeats a run. */
  repeat(run: Disturbance): string;
  /** Runs the program once. */
  attempt(attempt: Attempt): Promise<Ended>;
  /** Called before the first disturbed run. */
  onForecast?(forecast: Forecast): void;
  onProgress?(progress: Progress): void;
  /** Called when a run has ended. `outcome` is undefined for the undisturbed run. */
  onEnded?(attempt: Attempt, ended: Ended, outcome: Outcome | undefined): void;
}

/** Long enough for any test suite. It ends a program that never ends. */
const UNDISTURBED_LIMIT_MS = 600_000;
const MIN_LIMIT_MS = 30_000;

/**
 * Runs a program once undisturbed, then once for each failure of each call. Throws `ChaosError` if the undisturbed run
 * fails or calls nothing.
 */
export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const { timeoutMs, slowMs = DEFAULT_SLOW_MS, jobs, times = 1 } = plan;
  const { undisturbed, counts } = await runUndisturbed(plan);
  const limitMs = timeoutMs ?? Math.max(MIN_LIMIT_MS, 10 * undisturbed.duration_ms);
  const wanted = disturbancesOf(counts, plan.only ?? [], plan.calls);
  plan.onForecast?.({ runs: wanted.length, ms: forecastMs(wanted, undisturbed, plan) });
  const runs = new Map<Disturbance, ChaosRun>();
  const found: Partial<Record<Outcome, number>> = {};
  let started = 0;
  let running = 0;
  const report = () =>
    plan.onProgress?.({ done: runs.size, running, left: wanted.length - started, found });
  // Slow runs only wait, so they start first and others go on beside them.
  const tasks = wanted.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  await runSideBySide(tasks, jobs, async (task, slot) => {
    started++;
    running++;
    report();
    const { operation, call, failure } = task;
    const run = `${operation}-${call}-${failure}`;
    const attempt: Attempt = {
      name: nameOf(task),
      run,
      key: keyOf(run),
      planned: { operation, call, times, fault: faultOf(operation, failure, slowMs) },
      kills: failure === 'killed' ? times : 0,
      seed: placeOf(operation, call, failure) % MAX_SEED,
      limitMs: limitMs + (isSlow(task) ? times * slowMs : 0),
      onDelay: delayOf(slot, jobs),
      onProgramEnd() {
        running--;
        slot.leave();
      },
    };
    const ended = await plan.attempt(attempt);
    const judged = judge(task, attempt, ended, undisturbed);
    runs.set(task, judged);
    found[judged.outcome] = (found[judged.outcome] ?? 0) + 1;
    plan.onEnded?.(attempt, ended, judged.outcome);
    report();
  });
  const operations = [...counts].map(([operation, calls]) => {
    const disturbed = wanted.filter((each) => each.operation === operation && runs.get(each)?.met);
    return { operation, calls, disturbed: new Set(disturbed.map(({ call }) => call)).size };
  });
  const done = { undisturbed, operations, runs: wanted.map((each) => runs.get(each) as ChaosRun) };
  // JSON and comparisons show data alone.
  return Object.defineProperty(done, 'toString', { value: () => toText(done, plan.repeat) });
}

/** With one job, nothing ever runs beside a run: the program may have a database that runs share. */
const delayOf = (slot: Slot, jobs: number) => (ms: number) => {
  if (jobs > 1) slot.lend(ms);
};

/** How long the runs will take, about. */
function forecastMs(
  wanted: readonly Disturbance[],
  { duration_ms }: UndisturbedRun,
  { jobs, times = 1, slowMs = DEFAULT_SLOW_MS }: ChaosPlan,
): number {
  const starts = wanted.reduce(
    (sum, { failure }) => sum + (failure === 'killed' ? times + 1 : 1),
    0,
  );
  const waits = wanted.filter(isSlow).length * times * slowMs;
  // Others run while a slow call waits, unless there is only one job.
  const waited = jobs > 1 ? Math.min(waits, times * slowMs) : waits;
  return (starts * duration_ms) / jobs + waited;
}

/** Says which run a request belongs to, in the logs of the program too. */
const keyOf = (run: string): string => `sk_sandbox_chaos_${run.replaceAll('-', '_')}`;

async function runUndisturbed(
  plan: ChaosPlan,
): Promise<{ readonly undisturbed: UndisturbedRun; readonly counts: CallCounts }> {
  const limitMs = plan.timeoutMs ?? UNDISTURBED_LIMIT_MS;
  const name = 'undisturbed';
  const attempt: Attempt = {
    name,
    run: name,
    key: keyOf(name),
    planned: undefined,
    kills: 0,
    seed: 0,
    limitMs,
    onDelay: () => undefined,
    onProgramEnd: () => undefined,
  };
  const ended = await plan.attempt(attempt);
  plan.onEnded?.(attempt, ended, undefined);
  const { exit, error, duration_ms, record, withoutKey } = ended;
  if (exit === null) {
    throw new ChaosError(
      `The undisturbed run did not end within ${limitMs / 1000} s. Another timeout changes that.`,
    );
  }
  if (exit !== 0) {
    const why = error === undefined ? `ended with exit code ${exit}` : `threw: ${error}`;
    throw new ChaosError(`The undisturbed run ${why}. Make it pass before you disturb it.`);
  }
  if (record.counts.size === 0) {
    const requests = withoutKey === 1 ? '1 request' : `${withoutKey} requests`;
    throw new ChaosError(
      `The undisturbed run called no operation of a sandbox. ${withoutKey === 0 ? plan.advice.noCall : `${requests} had no valid key. ${plan.advice.noKey}`}`,
    );
  }
  const bought = countPurchases(record.calls);
  return { undisturbed: { key: attempt.key, exit, bought, duration_ms }, counts: record.counts };
}

const isSlow = ({ failure }: { readonly failure: Failure }): boolean => failure === 'slow';

function judge(
  { operation, call, failure }: Disturbance,
  { key }: Attempt,
  { exit, error, duration_ms, record }: Ended,
  undisturbed: UndisturbedRun,
): ChaosRun {
  const { calls } = record;
  const bought = countPurchases(calls);
  const differences = comparePurchases(undisturbed.bought, bought);
  const isMore = differences.some((each) => each.bought > each.undisturbed);
  const outcome = outcomeOf(exit, isMore, differences.length > 0);
  return {
    operation,
    call,
    failure,
    outcome,
    exit,
    ...(error !== undefined && { error }),
    bought,
    differences,
    met: (record.counts.get(operation) ?? 0) >= call,
    calls: outcome === 'survived' ? [] : callLines(calls, failure, customersOf(differences)),
    key,
    duration_ms,
  };
}

/** The customers for whom a run bought something else, by operation. */
const customersOf =
  (differences: readonly Pick<Bought, 'operation' | 'customer'>[]) =>
  ({ entry, customer }: EndedCall): boolean =>
    differences.some(
      (each) => each.operation === (entry.operation as OperationId) && each.customer === customer,
    );

function outcomeOf(exit: number | null, isMore: boolean, differs: boolean): Outcome {
  if (exit === null) return 'hung';
  if (isMore) return 'bought twice';
  if (exit !== 0) return 'noticed';
  return differs ? 'false success' : 'survived';
}
