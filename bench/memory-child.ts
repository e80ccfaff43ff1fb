import { createSandbox } from '../src/index.ts';
import { addMerchant } from '../src/world/merchants.ts';
import { callOf, PATHS, PURCHASE, QUOTE, requestOf } from './calls.ts';
import { openSandbox, subscribersOf } from './filled-world.ts';

/** The memory of Worlds in bytes, and their time in milliseconds. */
export interface Memory {
  readonly subscription: { readonly heap: number; readonly json: number };
  /** Means over all Worlds. */
  readonly world: {
    readonly created: number;
    readonly called: number;
    readonly reset: number;
    readonly heap: number;
  };
}

/* Runs in a separate process with --expose-gc. Its arguments are the numbers of subscriptions and Worlds. */
const [subscriptions, worlds] = process.argv.slice(2).map(Number) as [number, number];

const heapUsed = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

/** The memory of one purchase, with a full journal. */
async function measureSubscription(): Promise<Memory['subscription']> {
  const sandbox = openSandbox();
  const merchant = addMerchant(sandbox.merchants);
  const answer = async (path: string, input: unknown) =>
    (await sandbox.fetch(requestOf(callOf(path, input, merchant.api_key)))).json();
  const buy = async (times: number) => {
    for (let bought = 0; bought < times; bought++) {
      const { data } = await answer(PATHS.initiate, PURCHASE);
      await answer(PATHS.verify, { token: data.token });
    }
  };
  await buy(1000);
  const before = heapUsed();
  await buy(subscriptions);
  const heap = (heapUsed() - before) / subscriptions;
  const list = subscribersOf(merchant);
  const json = list.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
  return { heap, json: json / list.length };
}

async function measureWorlds(): Promise<Memory['world']> {
  const sandbox = createSandbox({ maxMerchants: worlds * 2 });
  sandbox.createMerchant();
  const before = heapUsed();
  const start = performance.now();
  const merchants = Array.from({ length: worlds }, () => sandbox.createMerchant());
  const created = performance.now();
  for (const { apiKey } of merchants) {
    await (await sandbox.fetch(requestOf(callOf(PATHS.quote, QUOTE, apiKey)))).text();
  }
  const called = performance.now();
  const heap = (heapUsed() - before) / worlds;
  const resetting = performance.now();
  for (const merchant of merchants) merchant.reset();
  return {
    created: (created - start) / worlds,
    called: (called - created) / worlds,
    reset: (performance.now() - resetting) / worlds,
    heap,
  };
}

const measured: Memory = {
  subscription: await measureSubscription(),
  world: await measureWorlds(),
};
process.send?.(measured, () => process.exit());
