/* Runs a program again and again, each time with one failure, and judges each run by what was bought. */

import type { OperationId } from '../../public.ts';
import { DEFAULT_SLOW_MS, failuresOf, type Selected } from './failures.ts';
import type { PlannedFailure } from './observer.ts';
import {
  type Bought,
  ChaosError,
  type ChaosReport,
  type ChaosRun,
  type Failure,
  type Outcome,
  type UndisturbedRun,
} from './public.ts';
import { comparePurchases } from './purchases.ts';
import { runSideBySide, type Slot } from './side-by-side.ts';

/** One run of the program, in a sandbox of its own. */
export interface Attempt {
  /** `verifyMotorPolicy:lost`, or `undisturbed`. */
  readonly name: string;
  /** The key of its merchant. */
  readonly key: string;
  readonly failure: PlannedFailure | undefined;
  /** How long it may take. */
  readonly limitMs: number;
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
  readonly operations: readonly OperationId[];
  readonly bought: readonly Bought[];
  /** The number of requests without a valid key. */
  readonly withoutKey: number;
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
  /** How many runs go side by side. */
  readonly jobs: number;
  /** How long a run may take. */
  readonly timeoutMs?: number | undefined;
  /** The delay of `slow`. */
  readonly slowMs?: number | undefined;
  /** Where the program finds the URL and the key, for messages. */
  readonly names: { readonly url: string; readonly key: string };
  /** Runs the program once. */
  attempt(attempt: Attempt): Promise<Ended>;
  onProgress?(progress: Progress): void;
  /** Called when a run has ended. `outcome` is undefined for the undisturbed run. */
  onEnded?(attempt: Attempt, ended: Ended, outcome: Outcome | undefined): void;
}

/** Long enough for any test suite. It ends a program that never ends. */
const UNDISTURBED_LIMIT_MS = 600_000;
const MIN_LIMIT_MS = 30_000;

/**
 * Runs a program once undisturbed, then once for each failure of each operation that it called. Throws `ChaosError` if
 * the undisturbed run fails or calls nothing.
 */
export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const { timeoutMs, slowMs = DEFAULT_SLOW_MS, jobs } = plan;
  const undisturbed = await runUndisturbed(plan);
  const limitMs = timeoutMs ?? Math.max(MIN_LIMIT_MS, 10 * undisturbed.duration_ms);
  const wanted = wantedRuns(undisturbed.operations, plan.only ?? []);
  const runs = new Map<Wanted, ChaosRun>();
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
    const delay = isSlow(task) ? slowMs : 0;
    const attempt = {
      name: `${task.operation}:${task.failure}`,
      key: keyOf(`${task.operation}_${task.failure}`),
      failure: { ...task, slowMs, onDelay: delayOf(slot, jobs) },
      limitMs: limitMs + delay,
      onProgramEnd() {
        running--;
        slot.leave();
      },
    };
    const ended = await plan.attempt(attempt);
    const run = judge(task, attempt, ended, undisturbed);
    runs.set(task, run);
    found[run.outcome] = (found[run.outcome] ?? 0) + 1;
    plan.onEnded?.(attempt, ended, run.outcome);
    report();
  });
  return { undisturbed, runs: wanted.map((each) => runs.get(each) as ChaosRun) };
}

/** With one job, nothing ever runs beside a run: the program may have a database that runs share. */
const delayOf = (slot: Slot, jobs: number) => (ms: number) => {
  if (jobs > 1) slot.lend(ms);
};

/** Says which run a request belongs to, in the logs of the program too. */
const keyOf = (name: string): string => `sk_sandbox_chaos_${name}`;

async function runUndisturbed(plan: ChaosPlan): Promise<UndisturbedRun> {
  const limitMs = plan.timeoutMs ?? UNDISTURBED_LIMIT_MS;
  const attempt = {
    name: 'undisturbed',
    key: keyOf('undisturbed'),
    failure: undefined,
    limitMs,
    onProgramEnd: () => undefined,
  };
  const ended = await plan.attempt(attempt);
  plan.onEnded?.(attempt, ended, undefined);
  const { exit, error, duration_ms, operations, bought, withoutKey } = ended;
  if (exit === null) {
    throw new ChaosError(
      `The undisturbed run did not end within ${limitMs / 1000} s. Another timeout changes that.`,
    );
  }
  if (exit !== 0) {
    const why = error === undefined ? `ended with exit code ${exit}` : `threw: ${error}`;
    throw new ChaosError(`The undisturbed run ${why}. Make it pass before you disturb it.`);
  }
  if (operations.length === 0) {
    const { url, key } = plan.names;
    const hint =
      withoutKey === 0
        ? `Let the program take the URL from ${url} and the key from ${key}.`
        : `${withoutKey} ${withoutKey === 1 ? 'request' : 'requests'} had no valid key. Let the program take it from ${key}, or let the sandbox open a World for each key (auto-merchants).`;
    throw new ChaosError(`The undisturbed run called no operation of the sandbox. ${hint}`);
  }
  return { key: attempt.key, exit, bought, duration_ms, operations };
}

interface Wanted {
  readonly operation: OperationId;
  readonly failure: Failure;
}

const isSlow = ({ failure }: Wanted): boolean => failure === 'slow';

/** The runs of these operations that were selected. Throws `ChaosError` for a selected operation that was not called. */
function wantedRuns(operations: readonly OperationId[], only: readonly Selected[]): Wanted[] {
  for (const { operation } of only) {
    if (operation === undefined || operations.includes(operation)) continue;
    throw new ChaosError(
      `The program does not call ${operation}. It calls ${operations.join(', ')}.`,
    );
  }
  const isSelected = ({ operation, failure }: Wanted) =>
    only.length === 0 ||
    only.some(
      (each) =>
        (each.operation ?? operation) === operation && (each.failure ?? failure) === failure,
    );
  const all = operations.flatMap((operation) =>
    failuresOf(operation).map((failure) => ({ operation, failure })),
  );
  const wanted = all.filter(isSelected);
  if (wanted.length > 0) return wanted;
  throw new ChaosError('The program calls no operation that has this failure.');
}

function judge(
  { operation, failure }: Wanted,
  { key }: Attempt,
  { exit, error, bought, duration_ms, operations }: Ended,
  undisturbed: UndisturbedRun,
): ChaosRun {
  const differences = comparePurchases(undisturbed.bought, bought);
  const isMore = differences.some((each) => each.bought > each.undisturbed);
  return {
    operation,
    failure,
    outcome: outcomeOf(exit, isMore, differences.length > 0),
    exit,
    ...(error !== undefined && { error }),
    bought,
    differences,
    met: operations.includes(operation),
    key,
    duration_ms,
  };
}

function outcomeOf(exit: number | null, isMore: boolean, differs: boolean): Outcome {
  if (exit === null) return 'hung';
  if (isMore) return 'bought twice';
  if (exit !== 0) return 'noticed';
  return differs ? 'false success' : 'survived';
}
