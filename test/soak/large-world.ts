import { createSandbox } from '../../src/index.ts';
import { keepStateIn } from '../../src/node/kept-state.ts';
import type { MicroHealthWorld } from '../../src/products/micro-health/records.ts';
import type { MicroHealthSubscriber } from '../../src/products/micro-health/schemas.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { clientOf, START } from '../support/client.ts';
import { buy } from '../support/requests.ts';

/* Documents of Worlds with very many subscriptions, all copies of one that was bought. */

/** The fields that differ in a copy. */
interface Subscriber {
  readonly id: number;
  readonly beneficiary: readonly object[];
  readonly subscriptions: object;
  readonly transactions: readonly object[];
}

type World = Readonly<Record<string, object>>;

/** A merchant with one subscription. */
async function smallMerchant() {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7 });
  const merchant = sandbox.merchant('sk_sandbox_other');
  await buy(clientOf(sandbox, merchant), 'micro_health');
  merchant.journal.clear();
  return merchant;
}

/** The key of the merchant with the large World. */
export const LARGE_KEY = 'sk_sandbox_other';

const SEQUENCES = ['user', 'subscription', 'beneficiary', 'transaction'];
const tokenOf = (n: number): string => n.toString(16).padStart(40, '0');

/** The JSON of a World with a number of subscriptions, in pieces: it may be larger than the longest text. */
function* enlarged(world: World, subscriptions: number): Generator<string, void> {
  const [subscriber] = world['micro_health.policies'] as Subscriber[];
  const others = JSON.stringify({
    ...world,
    // It is of one subscription.
    history: [],
    sequences: {
      ...world.sequences,
      ...Object.fromEntries(SEQUENCES.map((name) => [name, subscriptions])),
    },
    'micro_health.policies': undefined,
    'micro_health.used': undefined,
  });
  yield `${others.slice(0, -1)},"micro_health.policies":[`;
  for (const n of numbered(subscriptions, same)) {
    yield `${n > 1 ? ',' : ''}${JSON.stringify(copyOf(subscriber as Subscriber, n))}`;
  }
  yield '],"micro_health.used":{';
  for (const n of numbered(subscriptions, same)) yield `${n > 1 ? ',' : ''}"${tokenOf(n)}":"0"`;
  yield '}}';
}

const same = (n: number): number => n;

function copyOf(subscriber: Subscriber, n: number): object {
  const policy_no = String(n).padStart(10, '0');
  return {
    ...subscriber,
    id: n,
    policy_no,
    beneficiary: subscriber.beneficiary.map((each) => ({ ...each, id: n, user_id: n })),
    subscriptions: { ...subscriber.subscriptions, id: n, user_id: n, policy_no },
    transactions: subscriber.transactions.map((each) => ({
      ...each,
      id: n,
      user_id: n,
      subscriptions_id: n,
    })),
  };
}

/** Makes one item for each number from 1. */
function* numbered<T>(count: number, make: (n: number) => T): Generator<T, void> {
  for (let n = 1; n <= count; n++) yield make(n);
}

/** The text of a snapshot with a number of subscriptions, in pieces. */
export async function* largeSnapshot(subscriptions: number): AsyncGenerator<string, void> {
  const merchant = await smallMerchant();
  const { version, world } = merchant.snapshot();
  yield `{"version":${version},"world":`;
  yield* enlarged(world as unknown as World, subscriptions);
  yield '}';
}

/** Writes a file for `--state` with a large World. Returns the seconds that the save took. */
export async function writeLargeState(file: string, subscriptions: number): Promise<number> {
  const opened = openSandbox({ now: START, clock: 'frozen', seed: 7 });
  const kept = await keepStateIn(file, opened, (line) => console.warn(line));
  const { sandbox, store } = opened;
  await buy(clientOf(sandbox, sandbox.merchant(LARGE_KEY)), 'micro_health');
  const world = store.byKey.get(LARGE_KEY)?.world as MicroHealthWorld;
  const { policies, tokens } = world.micro_health;
  const [subscriber] = policies.list;
  policies.loadAll(
    // The bought subscription has the first id.
    numbered(
      subscriptions - 1,
      (n) => copyOf(subscriber as Subscriber, n + 1) as MicroHealthSubscriber,
    ),
  );
  for (const token of numbered(subscriptions, tokenOf)) tokens.used.load(token, '0');
  for (const name of SEQUENCES) world.sequences.load(name, subscriptions);
  const since = performance.now();
  await kept.save();
  return (performance.now() - since) / 1000;
}
