/* Runs a program once, with a sandbox of its own. */

import { fetchWithKey } from '../../control/merchant-call.ts';
import type { SandboxOptions } from '../../public.ts';
import type { Attempt, Ended } from '../../tools/chaos/index.ts';
import { createRunObserver } from '../../tools/chaos/observer.ts';
import type { ChaosPlace } from '../../tools/chaos/public.ts';
import { sleepUnmocked, stopwatch } from '../../world/clock.ts';
import { addMerchant } from '../../world/merchants.ts';
import { startServer } from '../serve.ts';

/**
 * Runs a program once. Resolves when it has ended, which it must do soon after `over` aborts. Rejects if it cannot be
 * started.
 */
export type Program = (
  place: ChaosPlace & { readonly over: AbortSignal },
) => Promise<Pick<Ended, 'exit' | 'error' | 'output'>>;

/** The clients of a sandbox have ended when it closes. */
const QUIET_MS = 5;

/**
 * Runs a program in a sandbox that this run has for itself, so that programs may reset it or create merchants.
 *
 * @param stop ends all runs early
 */
export const attemptWith =
  (program: Program, options: SandboxOptions, stop?: AbortSignal) =>
  async ({ key, failure, limitMs, onProgramEnd }: Attempt): Promise<Ended> => {
    const observer = createRunObserver(failure);
    const server = await startServer(
      { ...options, port: 0 },
      {
        quietMs: QUIET_MS,
        warn: () => undefined,
        onArrival: (merchant, operation) =>
          observer.onArrival(server.core.store, merchant, operation),
      },
    );
    const { store, fetch } = server.core;
    const run = async (over: AbortSignal) => {
      addMerchant(store, {}, key);
      const place = { url: server.url, key, fetch: fetchWithKey(fetch, () => key) };
      const since = stopwatch();
      const ended = await program({ ...place, over });
      const duration_ms = Math.round(stopwatch() - since);
      onProgramEnd();
      return { ...ended, duration_ms };
    };
    const ended = await endingIn(limitMs, stop, run).finally(server.close);
    stop?.throwIfAborted();
    return {
      ...ended,
      operations: [...observer.operations],
      bought: observer.bought(),
      withoutKey: store.anonymousRequests,
    };
  };

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
