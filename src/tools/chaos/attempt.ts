/* Runs a program once, with a sandbox of its own. */

import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchWithKey } from '../../control/merchant-call.ts';
import type { SandboxOptions } from '../../types/public.ts';
import { sleepUnmocked, stopwatch } from '../../world/clock.ts';
import { addMerchant } from '../../world/merchants.ts';
import { MAX_SEED } from '../../world/random.ts';
import { startServer } from '../serve.ts';
import type { EmbeddedRun } from './embedded.ts';
import type { Attempt, Ended } from './index.ts';
import { createLedger, createSharedLedger, type Ledger, type LedgerNote } from './ledger.ts';
import { createRunObserver } from './observer.ts';
import { ChaosError, type ChaosPlace } from './public.ts';

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
    const shared = program.hasProcesses ? await createFolder() : undefined;
    try {
      return await attemptIn(shared, program, options, attempt, stop);
    } finally {
      if (shared?.folder !== undefined) await rm(shared.folder, { recursive: true, force: true });
    }
  };

/** Where the sandboxes of other processes note their calls. */
interface SharedFolder {
  /** Undefined if there can be none. */
  readonly folder: string | undefined;
  readonly ledger: Ledger | undefined;
  /** Why there is none. */
  readonly missing: string | undefined;
}

async function createFolder(): Promise<SharedFolder> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'micro-insurance-sandbox-chaos-'));
    return { folder, ledger: createSharedLedger(folder), missing: undefined };
  } catch (error) {
    return { folder: undefined, ledger: undefined, missing: lostBecause(error) };
  }
}

const lostBecause = (error: unknown): string =>
  `The calls of sandboxes that the program brings cannot be noted in ${tmpdir()}: ${error instanceof Error ? error.message : error}.`;

/** What the processes noted; and why something may be missing, if the folder has gone or is full. */
function readNotes({ folder, ledger, missing }: SharedFolder): {
  readonly notes: readonly LedgerNote[];
  readonly missing?: string | undefined;
} {
  if (folder === undefined || !ledger) return { notes: [], missing };
  try {
    // A full disk has no room for this either.
    appendFileSync(join(folder, 'room'), ' '.repeat(4096));
    appendFileSync(join(folder, 'notes'), '');
    return { notes: ledger.read() };
  } catch (error) {
    return { notes: [], missing: lostBecause(error) };
  }
}

async function attemptIn(
  shared: SharedFolder | undefined,
  program: Program,
  options: SandboxOptions,
  { name, key, run, planned, kills, seed, limitMs }: Attempt,
  stop: AbortSignal | undefined,
): Promise<Ended> {
  const ledger = createLedger();
  const observer = createRunObserver({ planned, start: 0 }, ledger);
  const server = await startServer(
    { ...options, seed: ((options.seed ?? 1) + seed) % MAX_SEED, port: 0 },
    { quietMs: QUIET_MS, warn: () => undefined, observer },
  );
  const { store, fetch } = server.core;
  const place = { url: server.url, key, fetch: fetchWithKey(fetch, () => key) };
  const read = () => {
    const { notes, missing } = shared ? readNotes(shared) : { notes: [] };
    return { notes: [...ledger.read(), ...notes], missing };
  };
  let starts = 0;
  /** What a program that brings its own sandbox needs to know. It is not killed more often than planned. */
  const embeddedRun = (): EmbeddedRun | undefined =>
    shared?.folder === undefined
      ? undefined
      : {
          folder: shared.folder,
          planned: kills > 0 && starts > kills ? undefined : planned,
          start: starts,
          seed: seed === 0 ? undefined : seed,
        };
  const startProgram = (over: AbortSignal, killed: AbortSignal) =>
    program.run({ ...place, run, embedded: embeddedRun(), over, killed }).catch((error) => {
      if (starts === 1 || !(error instanceof ChaosError)) throw error;
      throw new ChaosError(`${name}: the program was killed, and then ${error.message}`);
    });
  // A program that ends without the call is not killed, so it is not started again.
  const isKilled = () => starts <= kills && failedCalls(read().notes) >= starts;
  try {
    addMerchant(store, { name: MERCHANT }, key);
    const since = stopwatch();
    const outputs: string[] = [];
    let ended: Awaited<ReturnType<Program['run']>>;
    do {
      starts++;
      ended = await endingIn(limitMs, stop, (over) =>
        kills === 0
          ? startProgram(over, new AbortController().signal)
          : killedWhen(isKilled, (killed) => startProgram(over, killed)),
      );
      stop?.throwIfAborted();
      if (ended.output) outputs.push(ended.output);
    } while (isKilled());
    const duration_ms = Math.round(stopwatch() - since);
    // Calls that are still delayed are carried out as the sandbox closes.
    await server.close();
    return {
      ...ended,
      ...(outputs.length > 0 && { output: outputs.join('') }),
      duration_ms,
      ...read(),
      withoutKey: store.anonymousRequests,
    };
  } finally {
    await server.close();
  }
}

/** How many calls had the failure of the run, and are done. */
const failedCalls = (notes: readonly LedgerNote[]): number =>
  notes.filter((note) => note.kind === 'lines' && note.isDisturbed).length;

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
