import { expect, onTestFinished, test } from 'vitest';
import { Caller } from './http.ts';
import { inMiB, setting, start, tell } from './program.ts';

const DEMO_KEY = 'sk_sandbox_demo';
const READERS = 4;

/** Reads events as an open inspector does, until the test is over. */
async function keepReading(url: string): Promise<{ count: number }> {
  const giveUp = new AbortController();
  onTestFinished(() => giveUp.abort());
  const { body } = await fetch(`${url}/_sandbox/events`, { signal: giveUp.signal });
  const read = { count: 0 };
  const decoder = new TextDecoder();
  const readOn = async (): Promise<void> => {
    for await (const chunk of body ?? []) {
      read.count += decoder.decode(chunk).split('event: ').length - 1;
    }
  };
  readOn().catch(() => undefined);
  return read;
}

test('a sandbox with four readers of its events and a heap of 120 MiB takes any number of calls', async () => {
  const calls = setting('SOAK_EVENTS', 100_000);
  const { url, heap, turns } = await start([], 120);
  const readers = await Promise.all(Array.from({ length: READERS }, () => keepReading(url)));
  const callers = Array.from({ length: 4 }, () => new Caller(url));
  onTestFinished(() => {
    for (const caller of callers) caller.close();
  });
  const call = (count: number) =>
    Promise.all(
      callers.map(async (caller) => {
        for (let number = 0; number < count / callers.length; number++) {
          await caller.operate('listMotorPolicies', DEMO_KEY);
        }
      }),
    );
  /** What is in use once everybody has read what was told. */
  const heapAfter = async (told: number) => {
    await expect
      .poll(() => readers.map(({ count }) => count), { timeout: 60_000 })
      .toEqual(Array(READERS).fill(told));
    // What measures the turns of the program remembers them until it is asked.
    await turns();
    return heap();
  };
  await call(calls / 10);
  const before = await heapAfter(calls / 10);
  await call(calls);
  const grown = (await heapAfter(calls / 10 + calls)) - before;
  tell(`${calls} calls, each told to ${READERS} readers`, `the heap grew by ${inMiB(grown)}`);
  expect(grown).toBeLessThan(4 * 2 ** 20);
}, 1_800_000);
