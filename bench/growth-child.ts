import type { MerchantAccount } from '../src/control/merchant-store.ts';
import { takeSnapshot } from '../src/control/snapshot.ts';
import { resetWorld } from '../src/world/merchants.ts';
import { callOf, PATHS, PURCHASE, requestOf } from './calls.ts';
import { fillMerchant, openSandbox, subscribersOf } from './filled-world.ts';
import { runCooperatively } from './measure.ts';

/** Microseconds of each round, by request and number of subscriptions in the World. */
export type Growth = Readonly<Record<string, Readonly<Record<string, number[]>>>>;

/*
 * Runs in a separate process. Its arguments are the number of rounds, the calls of a round, and the sizes of the Worlds.
 * All Worlds exist at the same time and are measured in turn.
 */
const [rounds = '11', times = '500', ...sizes] = process.argv.slice(2);
const sandbox = openSandbox();
const merchants = sizes.map((size) => ({ size, merchant: fillMerchant(sandbox, Number(size)) }));
globalThis.gc?.();

const text = async (path: string, key: string, input?: unknown) => {
  const response = await sandbox.fetch(requestOf(callOf(path, input, key)));
  const answered = await response.text();
  if (response.status !== 200) throw new Error(answered);
  return answered;
};

const calls: Readonly<Record<string, (merchant: MerchantAccount, turn: number) => unknown>> = {
  'list page 1': ({ api_key }) => text(PATHS.list, api_key),
  'last page': (merchant) => {
    const last = Math.ceil(subscribersOf(merchant).length / 15);
    return text(`${PATHS.list}?page=${last}`, merchant.api_key);
  },
  'look-up': (merchant, turn) => {
    const list = subscribersOf(merchant);
    const { policy_no } = list[(turn * 7919) % list.length] as (typeof list)[number];
    return text(`${PATHS.lookUp}/${policy_no}`, merchant.api_key);
  },
  'selection by dates': ({ api_key }) =>
    text(`${PATHS.list}?start_date=2024-05-01&end_date=2024-05-31`, api_key),
  'initiate + verify': async ({ api_key }) => {
    const { data } = JSON.parse(await text(PATHS.initiate, api_key, PURCHASE));
    await text(PATHS.verify, api_key, { token: data.token });
  },
  reset: (merchant) => {
    const { world } = merchant;
    resetWorld(sandbox.merchants, merchant);
    merchant.world = world;
  },
};

const growth: Record<string, Record<string, number[]>> = {};
for (const [name, call] of Object.entries(calls)) {
  const contenders = Object.fromEntries(
    merchants.map(({ size, merchant }) => [
      size,
      () => microseconds(call, merchant, Number(times)),
    ]),
  );
  await runCooperatively(2, contenders);
  growth[name] = await runCooperatively(Number(rounds), contenders);
}
/** The text of a snapshot of more subscriptions would take more than 512 MB, so there is none. */
const MAX_SAVED = 100_000;
growth.snapshot = {};
for (const { size, merchant } of merchants.filter(({ size }) => Number(size) <= MAX_SAVED)) {
  growth.snapshot[size] = [await microseconds(() => takeSnapshot(merchant.world), merchant, 1)];
}
process.send?.(growth satisfies Growth, () => process.exit());

async function microseconds(
  call: (merchant: MerchantAccount, turn: number) => unknown,
  merchant: MerchantAccount,
  times: number,
): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < times; turn++) await call(merchant, turn);
  return ((performance.now() - start) * 1000) / times;
}
