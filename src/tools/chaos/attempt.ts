/* Runs a program once, with a sandbox of its own. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchWithKey } from '../../control/merchant-call.ts';
import { PROGRAM } from '../../sandbox/start-options.ts';
import type { SandboxOptions } from '../../types/public.ts';
import { sleepUnmocked, stopwatch } from '../../world/clock.ts';
import { addMerchant } from '../../world/merchants.ts';
import { secretHex } from '../../world/random.ts';
import { startServer } from '../serve.ts';
import { PLAN_FILE } from './embedded.ts';
import { addingTo, beginNotes, type LedgerNote, readNotes } from './ledger.ts';
import { createRunObserver, type PlannedFailure, type RunPlan } from './observer.ts';
import { ChaosError, type ChaosPlace } from './public.ts';

/** One run of the program. */
export interface Attempt {
  /** `lost-2` is about the second call of each World; or `undisturbed`. */
  readonly name: string;
  readonly planned: PlannedFailure | undefined;
  /** How long each start of the program may take. */
  readonly limitMs: number;
}

/** How a program ended. */
interface ProgramEnd {
  /** Null if it took too long. */
  readonly exit: number | null;
  /** What a function threw. */
  readonly error?: string | undefined;
  /** What a command printed. */
  readonly output?: string | undefined;
}

/** How a run of the program ended. */
export interface Ended extends ProgramEnd {
  readonly duration_ms: number;
  readonly notes: readonly LedgerNote[];
  /** The number of requests without a valid key. */
  readonly withoutKey: number;
}

/** Where a start of a program finds its sandbox, and what ends it. */
export interface ProgramStart extends ChaosPlace {
  /** A word for files and folders that no other run of any invocation has. */
  readonly run: string;
  /** The folder with what a sandbox that the program brings needs to know. */
  readonly folder: string;
  /** Aborts when the time is over, or with the reason `KILLED` to kill the program at once. */
  readonly ending: AbortSignal;
}

/**
 * A function or a command: runs it once. Resolves when it has ended, which it must do soon after a signal aborts. Rejects
 * if it cannot be started.
 */
export type Program = (start: ProgramStart) => Promise<ProgramEnd>;

/** Why a program has to end at once. */
export const KILLED = 'killed';
/** How often the ledger is read to see whether the call of a run has failed. */
const LOOK_MS = 20;
/** The name of the merchant of a run. */
const MERCHANT = 'the program';

/**
 * Runs a program in a sandbox that this run has for itself, so that programs may reset it or create merchants.
 *
 * @param stop ends all runs early
 */
export const attemptWith =
  (program: Program, options: SandboxOptions, stop?: AbortSignal) =>
  async (attempt: Attempt): Promise<Ended> => {
    const folder = noting(() => mkdtempSync(join(tmpdir(), `${PROGRAM}-chaos-`)));
    try {
      noting(() => beginNotes(folder));
      return await attemptIn(folder, program, options, attempt, stop);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

/** Uses the folder of a run. Without its notes nothing can be judged, so a failure ends everything. */
function noting<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new ChaosError(`Calls cannot be noted in ${tmpdir()}: ${(error as Error).message}.`);
  }
}

async function attemptIn(
  folder: string,
  program: Program,
  options: SandboxOptions,
  { name, planned, limitMs }: Attempt,
  stop: AbortSignal | undefined,
): Promise<Ended> {
  const observer = createRunObserver({ planned, start: 0 }, addingTo(folder));
  const server = await startServer({ ...options, port: 0 }, { warn: () => undefined, observer });
  const { store, fetch } = server.core;
  // It shows which run a request belongs to, in the logs of the program too.
  const key = `sk_sandbox_chaos_${name.replaceAll('-', '_')}`;
  const place = { url: server.url, key, fetch: fetchWithKey(fetch, () => key) };
  const run = `${name}-${secretHex(12)}`;
  const read = () => noting(() => readNotes(folder));
  /** How often the program is killed when its call has failed, and started again. */
  const kills = planned?.failure === 'killed' ? planned.times : 0;
  let starts = 0;
  // A program that ends without the call is not killed, so it is not started again.
  const isKilled = () => starts <= kills && failedCalls(read()) >= starts;
  const start = async (): Promise<ProgramEnd> => {
    starts++;
    // A program that brings its own sandbox is not killed more often than planned either.
    const plan: RunPlan = {
      planned: kills > 0 && starts > kills ? undefined : planned,
      start: starts,
    };
    noting(() => writeFileSync(join(folder, PLAN_FILE), JSON.stringify(plan)));
    const ending = new AbortController();
    const ended = new AbortController();
    void sleepUnmocked(limitMs, stop, ended.signal).then(() => ending.abort());
    // Notes that cannot be read are told when the program has ended.
    if (kills > 0) void killWhen(isKilled, ending, ended.signal).catch(() => ending.abort());
    try {
      return await program({ ...place, run, folder, ending: ending.signal });
    } catch (error) {
      if (starts === 1 || !(error instanceof ChaosError)) throw error;
      throw new ChaosError(`${name}: the program was killed, and then ${error.message}`);
    } finally {
      ended.abort();
    }
  };
  try {
    addMerchant(store, { name: MERCHANT }, key);
    const since = stopwatch();
    let output = '';
    let ended: ProgramEnd;
    do {
      ended = await start();
      stop?.throwIfAborted();
      output += ended.output ?? '';
    } while (isKilled());
    const duration_ms = Math.round(stopwatch() - since);
    // Calls that are still delayed are carried out as the sandbox closes.
    await server.close();
    return { ...ended, output, duration_ms, notes: read(), withoutKey: store.anonymousRequests };
  } finally {
    await server.close();
  }
}

/** How many calls had the failure of the run, and are done. */
const failedCalls = (notes: readonly LedgerNote[]): number =>
  notes.filter((note) => note.kind === 'lines' && note.isDisturbed).length;

/** Kills a program when a condition holds, unless it has to end before. */
async function killWhen(
  holds: () => boolean,
  ending: AbortController,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted && !ending.signal.aborted) {
    if (holds()) ending.abort(KILLED);
    else await sleepUnmocked(LOOK_MS, ended);
  }
}
