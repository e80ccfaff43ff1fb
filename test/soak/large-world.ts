import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inChunks, jsonPieces, listed, streamed } from '../../src/core/json-pieces.ts';
import { createSandbox } from '../../src/index.ts';
import { clientOf, START } from '../support/client.ts';
import { buy } from '../support/requests.ts';

/* Documents of Worlds with very many subscriptions, all of them copies of one that was bought. */

/** What is changed of a copy; the rest of it stays as it is. */
interface Subscriber {
  readonly id: number;
  readonly beneficiary: readonly object[];
  readonly subscriptions: object;
  readonly transactions: readonly object[];
}

interface World {
  readonly sequences: Readonly<Record<string, number>>;
  readonly families: Readonly<
    Record<string, { readonly records: Readonly<Record<string, object[]>> }>
  >;
}

/** A sandbox of one merchant that has bought one subscription. */
async function smallSandbox() {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7 });
  const merchant = sandbox.merchant('sk_sandbox_other');
  await buy(clientOf(sandbox, merchant), 'micro_health');
  merchant.journal.clear();
  return { sandbox, merchant };
}

/** The key of the merchant that has the large World. */
export const LARGE_KEY = 'sk_sandbox_other';

/** The document of a World, that many subscriptions in it. */
function enlarge(world: World, subscriptions: number) {
  const family = world.families.micro_health as (typeof world.families)[string];
  const [subscriber] = family.records.subscribers as Subscriber[];
  const large = streamed({
    ...family,
    records: streamed({
      ...family.records,
      subscribers: listed(() =>
        numbered(subscriptions, (n) => copyOf(subscriber as Subscriber, n)),
      ),
    }),
    used: listed(() => numbered(subscriptions, (n) => n.toString(16).padStart(40, '0'))),
  });
  const names = ['user', 'subscription', 'beneficiary', 'transaction'];
  return streamed({
    ...world,
    sequences: {
      ...world.sequences,
      ...Object.fromEntries(names.map((name) => [name, subscriptions])),
    },
    families: streamed({ ...world.families, micro_health: large }),
  });
}

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

/** Those of the numbers from 1 on. */
function* numbered<T>(count: number, make: (n: number) => T): Generator<T, void> {
  for (let n = 1; n <= count; n++) yield make(n);
}

/** The text of a snapshot with that many subscriptions, in pieces. */
export async function* largeSnapshot(subscriptions: number): AsyncGenerator<string, void> {
  const { merchant } = await smallSandbox();
  const { version, world } = merchant.snapshot();
  yield* inChunks(
    jsonPieces(streamed({ version, world: enlarge(world as unknown as World, subscriptions) })),
  );
}

/** The text of the state of a sandbox in which one merchant has that many subscriptions, in pieces. */
async function* largeState(subscriptions: number): AsyncGenerator<string, void> {
  const { sandbox, merchant } = await smallSandbox();
  const state = sandbox.dump();
  const merchants = (state.sandbox.merchants as { id: number; snapshot: { world: World } }[]).map(
    (each) =>
      each.id === merchant.id
        ? streamed({
            ...each,
            snapshot: streamed({
              ...each.snapshot,
              world: enlarge(each.snapshot.world, subscriptions),
            }),
          })
        : each,
  );
  yield* inChunks(
    jsonPieces(
      streamed({
        ...state,
        sandbox: streamed({ ...state.sandbox, merchants: listed(() => merchants) }),
      }),
    ),
  );
}

/** Writes a state for `--state`. */
export const writeLargeState = (file: string, subscriptions: number): Promise<void> =>
  pipeline(Readable.from(largeState(subscriptions)), createWriteStream(file, { mode: 0o600 }));
