/* Runs a program once, with a sandbox of its own. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchWithKey } from '../../control/merchant-call.ts';
import type { SandboxOptions } from '../../public.ts';
import type { EmbeddedRun } from '../../tools/chaos/embedded.ts';
import type { Attempt, Ended } from '../../tools/chaos/index.ts';
import { createLedger, createSharedLedger, type Ledger } from '../../tools/chaos/ledger.ts';
import { createRunObserver } from '../../tools/chaos/observer.ts';
import { ChaosError, type ChaosPlace } from '../../tools/chaos/public.ts';
import { sleepUnmocked, stopwatch } from '../../world/clock.ts';
import { addMerchant } from '../../world/merchants.ts';
import { MAX_SEED } from '../../world/random.ts';
import { startServer } from '../serve.ts';

/** Where a start of a program finds its sandbox, and what ends it. */
export interface ProgramStart extends ChaosPlace {
  /** The name of the run, as a word that files and folders can have. */
  readonly run: string;
  /** What a program that brings its own sandbox needs to know. Undefined for a program in this process. */
  readonly embedded: EmbeddedRun | undefined;
  /** Aborts when the time is over. */
  readonly over: AbortSignal;
  /** Aborts to kill the program at once. */
  readonly killed: AbortSignal;
}

/**
 * Runs a program once. Resolves when it has ended, which it must do soon after a signal aborts. Rejects if it cannot be
 * started.
 */
export interface Program {
  /** Whether it runs in processes of its own. */
  readonly hasProcesses: boolean;
  run(start: ProgramStart): Promise<Pick<Ended, 'exit' | 'error' | 'output'>>;
}

/** The clients of a sandbox have ended when it closes. */
const QUIET_MS = 5;
/** How often a sandbox in another process is asked whether the call of a run has failed. */
const LOOK_MS = 20;

/**
 * Runs a program in a sandbox that this run has for itself, so that programs may reset it or create merchants.
 *
 * @param stop ends all runs early
 */
export const attemptWith =
  (program: Program, options: SandboxOptions, stop?: AbortSignal) =>
  async (attempt: Attempt): Promise<Ended> => {
    if (!program.hasProcesses) {
      return attemptIn(createLedger(), undefined, program, options, attempt, stop);
    }
    const folder = await mkdtemp(join(tmpdir(), 'micro-insurance-sandbox-chaos-'));
    const { planned, seed } = attempt;
    const embedded = { folder, planned, seed: seed === 0 ? undefined : seed };
    try {
      return await attemptIn(createSharedLedger(folder), embedded, program, options, attempt, stop);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

async function attemptIn(
  ledger: Ledger,
  embedded: EmbeddedRun | undefined,
  program: Program,
  options: SandboxOptions,
  { name, key, run, planned, kills, seed, limitMs, onDelay, onProgramEnd }: Attempt,
  stop: AbortSignal | undefined,
): Promise<Ended> {
  const observer = createRunObserver({ planned }, ledger, onDelay);
  const server = await startServer(
    { ...options, seed: ((options.seed ?? 1) + seed) % MAX_SEED, port: 0 },
    { quietMs: QUIET_MS, warn: () => undefined, observer },
  );
  const { store, fetch } = server.core;
  const place = { url: server.url, key, fetch: fetchWithKey(fetch, () => key) };
  const startProgram = (over: AbortSignal, killed: AbortSignal) =>
    program.run({ ...place, run, embedded, over, killed }).catch((error) => {
      if (starts === 1 || !(error instanceof ChaosError)) throw error;
      throw new ChaosError(`${name}: the program was killed, and then ${error.message}`);
    });
  let starts = 0;
  try {
    addMerchant(store, {}, key);
    const since = stopwatch();
    const outputs: string[] = [];
    let ended: Awaited<ReturnType<Program['run']>>;
    // A program that ends without the call is not killed, so it is not started again.
    const isKilled = () => starts <= kills && disturbedCalls(ledger) >= starts;
    do {
      starts++;
      ended = await endingIn(limitMs, stop, (over) =>
        killedWhen(isKilled, (killed) => startProgram(over, killed)),
      );
      stop?.throwIfAborted();
      if (ended.output) outputs.push(ended.output);
    } while (isKilled());
    const duration_ms = Math.round(stopwatch() - since);
    onProgramEnd();
    // Calls that are still delayed are carried out as the sandbox closes.
    await server.close();
    return {
      ...ended,
      ...(outputs.length > 0 && { output: outputs.join('') }),
      duration_ms,
      record: ledger.read(),
      withoutKey: store.anonymousRequests,
    };
  } finally {
    await server.close();
  }
}

const disturbedCalls = (ledger: Ledger): number =>
  ledger.read().calls.filter(({ isDisturbed }) => isDisturbed).length;

/** Runs something with a signal that aborts when a condition holds. */
async function killedWhen<Result>(
  holds: () => boolean,
  run: (killed: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [killed, ended] = [new AbortController(), new AbortController()];
  const look = async () => {
    while (!ended.signal.aborted && !killed.signal.aborted) {
      if (holds()) killed.abort();
      else await sleepUnmocked(LOOK_MS, ended.signal);
    }
  };
  void look();
  try {
    return await run(killed.signal);
  } finally {
    ended.abort();
  }
}

/** Runs something with a signal that aborts after the time limit, or when everything stops. */
async function endingIn<Result>(
  limitMs: number,
  stop: AbortSignal | undefined,
  run: (over: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [over, ended] = [new AbortController(), new AbortController()];
  void sleepUnmocked(limitMs, stop, ended.signal).then(() => over.abort());
  try {
    return await run(over.signal);
  } finally {
    ended.abort();
  }
}
