import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../node/command.ts';
import { amountOf } from '../support/depth.ts';
import { exampleOf } from '../support/requests.ts';
import { auditWorld, countPolicies, openAccount, retryDoubtful } from './accounts.ts';
import { putSnapshot } from './http.ts';
import { largeSnapshot } from './large-world.ts';
import { inMiB, start, tell } from './program.ts';
import { type Action, expectStatus, PURCHASES, Traffic } from './traffic.ts';

const SECONDS = amountOf({ sample: 1, ci: 5, all: 120 });
const SEED = 1;
const CLIENTS = 16;
const MERCHANTS = 6;
/** A World that is only downloaded and restored during the load. */
const STORED_KEY = 'sk-stored';
const STORED = 50;

/** The heap without policies: the program, and a thousand journal entries for each merchant. */
const MOST_HEAP = 160 * 2 ** 20;
const MOST_RSS = 420 * 2 ** 20;
/** The memory of a policy, including its token. */
const MOST_PER_POLICY = 4096;

/** Faults as headers, and whether the connection ends before the response is complete. */
const FAULTS = {
  'after; respond; status=503': false,
  'before; respond; status=500': false,
  'after; delay; ms=20': false,
  'after; malformed': false,
  'after; drop': true,
  'before; drop': true,
  'after; truncate': true,
} as const;

const isCut = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

/** Verifies with a fault, which may hide the outcome. */
async function verifyFaulty(traffic: Traffic, account: Parameters<Traffic['verify']>[0]) {
  const header = traffic.pick(Object.keys(FAULTS)) as keyof typeof FAULTS;
  try {
    await traffic.verify(account, { 'sandbox-fault': header });
  } catch (error) {
    if (!FAULTS[header] || !isCut(error)) throw error;
  }
}

let faultsSet = 0;

/** Everything besides purchases. */
const OTHERS: readonly Action[] = [
  {
    weight: 1,
    act: async ({ caller }, { key }) => {
      const path = '/api/merchant/micro_health/initiate';
      expectStatus(await caller.call(path, { key, raw: '{"first_name":' }), 400);
      expectStatus(await caller.call(path, { key, body: { amount: 'much' } }), 422);
      expectStatus(await caller.call(path, { key, raw: `"${'x'.repeat(2 ** 20)}"` }), 413);
      expectStatus(await caller.call(path, { body: {} }), 401);
    },
  },
  { weight: 2, act: verifyFaulty },
  {
    weight: 1,
    act: async (_, account) => retryDoubtful(account),
  },
  {
    weight: 1,
    act: async ({ caller }, { key }) => {
      const vehicle_value = 1_000_000 + ++faultsSet;
      const match = { operation: 'getMotorQuote', body: { vehicle_value } };
      const effect = { kind: 'respond', status: 503 };
      const body = { match, stage: 'before', effect };
      expectStatus(await caller.call('/_sandbox/faults', { key, body }), 201);
      const asked = { ...exampleOf('getMotorQuote'), vehicle_value };
      expectStatus(await caller.operate('getMotorQuote', key, asked), 503);
      expectStatus(await caller.operate('getMotorQuote', key, asked), 200);
    },
  },
  {
    weight: 1,
    act: async ({ caller }, { key }) =>
      expectStatus(
        await caller.call('/_sandbox/clock/advance', { key, body: { by: 'PT1S' } }),
        200,
      ),
  },
  {
    weight: 1,
    act: async ({ caller }, { key }) => {
      const { body } = expectStatus(await caller.call('/_sandbox/journal?limit=5', { key }), 200);
      for (const { id } of body.data.slice(-1)) {
        // Other requests may have pushed it out of the journal.
        expectStatus(await caller.call(`/_sandbox/journal/${id}`, { key }), 200, 404);
      }
    },
  },
  {
    weight: 1,
    act: async ({ caller }) => {
      const { text } = expectStatus(
        await caller.call('/_sandbox/snapshot', { key: STORED_KEY }),
        200,
      );
      const put = { method: 'PUT', key: STORED_KEY, raw: text };
      expectStatus(await caller.call('/_sandbox/snapshot', put), 200);
    },
  },
];

test(`policies and premiums add up after ${SECONDS} seconds of mixed load`, async () => {
  const file = join(newFolder(), 'state.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
  const program = await start(['--state', file, '--auto-merchants']);
  expectStatus(await putSnapshot(program.url, STORED_KEY, largeSnapshot(STORED)), 200);

  const accounts = Array.from({ length: MERCHANTS }, (_, n) => openAccount(`sk-merchant-${n}`));
  const traffic = new Traffic(program.url, accounts, SEED, CLIENTS);
  const ended = setTimeout(() => traffic.stop(), SECONDS * 1000);
  await traffic
    .run([...PURCHASES, ...PURCHASES, ...OTHERS], CLIENTS)
    .finally(() => clearTimeout(ended));
  const turns = await program.turns();

  // Tokens with an outcome hidden by a fault are sent again.
  const after = new Traffic(program.url, accounts, SEED, 1);
  for (const account of accounts) {
    await after.verifyAll(account);
    const snapshot = await after.caller.call('/_sandbox/snapshot', { key: account.key });
    expect(auditWorld(account, expectStatus(snapshot, 200).body)).toEqual([]);
  }
  after.caller.close();

  const policies = countPolicies(accounts);
  const [heap, rss] = [await program.heap(), await program.rss()];
  tell('calls', `${traffic.answers} in ${SECONDS} s, ${policies} policies`);
  tell(
    'turns',
    `longest ${turns.longest.toFixed(0)} ms, 99.9 % within ${turns.mostOwn.toFixed(0)} ms`,
  );
  tell('memory', `${inMiB(heap)} of heap, RSS ${inMiB(rss)}`);
  expect(heap).toBeLessThan(MOST_HEAP + policies * MOST_PER_POLICY);
  expect(rss).toBeLessThan(MOST_RSS + policies * MOST_PER_POLICY);
  expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });

  const again = await start(['--state', file, '--auto-merchants']);
  const restored = new Traffic(again.url, accounts, SEED, 1);
  for (const account of accounts) {
    const snapshot = await restored.caller.call('/_sandbox/snapshot', { key: account.key });
    expect(auditWorld(account, snapshot.body)).toEqual([]);
  }
  restored.caller.close();
  expect((await again.command.stop()).code).toBe(0);
});
