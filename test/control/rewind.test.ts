import { describe, expect, test } from 'vitest';
import type { Merchant } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, initiate, purchaseOf } from '../support/requests.ts';
import { rewindablePart } from '../support/snapshots.ts';
import { keptOf, newStateFile, openKept, revive } from '../support/state.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is read freely
type Any = any;

const worldOf = (merchant: Merchant) => rewindablePart(merchant.snapshot().world);

const lastId = ({ merchant }: Client): string => merchant.journal.list()[0]?.id as string;

describe('rewind', () => {
  test('takes a World back to before a purchase, and the same calls give the same policy again', async () => {
    const client = createClient();
    const { merchant } = client;
    const before = worldOf(merchant);
    const token = await initiate(client, 'motor');
    const first = lastId(client);
    const bought = await client.call('verifyMotorPolicy', { token });
    expect(merchant.rewind(first)).toEqual(merchant.clock.show());
    expect(worldOf(merchant)).toEqual(before);
    expect(merchant.journal.list()).toEqual([]);
    expect(await initiate(client, 'motor')).toBe(token);
    const again = await client.call('verifyMotorPolicy', { token });
    expect(again.body).toEqual(bought.body);
    expect(lastId(client)).toBe('req-3-4');
  });

  test('to a refused call, which changed nothing, undoes what came after it and keeps what came before', async () => {
    const client = createClient();
    const { merchant } = client;
    await buy(client, 'group_life');
    const before = worldOf(merchant);
    await client.call('verifyMotorPolicy', { token: 'nothing' });
    const refused = lastId(client);
    await buy(client, 'micro_health');
    merchant.rewind(refused);
    expect(worldOf(merchant)).toEqual(before);
    expect(merchant.journal.list()).toHaveLength(2);
  });

  test('gives a fault its uses back, and puts rows back in their places', async () => {
    const client = createClient();
    const { merchant } = client;
    const effect = { kind: 'respond', status: 503 } as const;
    merchant.faults.add({ stage: 'before', effect, times: 2 });
    merchant.faults.add({ stage: 'before', effect: { kind: 'delay', ms: 0 } });
    const tokens: string[] = [];
    for (const each of ['motor', 'motor', 'motor'] as const) {
      const headers = { 'sandbox-fault': 'after; delay; ms=0' };
      const { body } = await client.call('initiateMotorPolicy', purchaseOf(each), { headers });
      tokens.push(body.data.token);
    }
    const before = worldOf(merchant);
    for (let count = 0; count < 2; count++) await client.call('listMotorPolicies');
    const [, first] = merchant.journal.list();
    await client.call('verifyMotorPolicy', { token: tokens[1] });
    expect(merchant.purchases().map(({ token }) => token)).toEqual([tokens[0], tokens[2]]);
    expect(merchant.faults.list()).toEqual([]);
    merchant.rewind(first?.id as string);
    expect(worldOf(merchant)).toEqual(before);
    expect(merchant.purchases().map(({ token }) => token)).toEqual(tokens);
    expect(merchant.faults.list().map(({ id, times }) => [id, times])).toEqual([
      ['fault-1', 2],
      ['fault-2', 1],
    ]);
  });

  test('sets the clock back, and keeps its mode', async () => {
    const client = createClient();
    const { merchant } = client;
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token: 'nothing' });
    const id = lastId(client);
    merchant.clock.advance('P1D');
    merchant.clock.set({ mode: 'running' });
    expect(merchant.purchases()).toEqual([]);
    expect(merchant.rewind(id)).toEqual({
      now: expect.stringMatching(/^2026-01-31T10:00:00\.\d{3}Z$/),
      mode: 'running',
    });
    merchant.clock.set({ mode: 'frozen' });
    expect(merchant.purchases().map((each) => each.token)).toEqual([token]);
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('undoes control calls too', async () => {
    const client = createClient();
    const { merchant } = client;
    await client.call('listMotorPolicies');
    merchant.faults.add({ stage: 'before', effect: { kind: 'drop' } });
    merchant.rewind(lastId(client));
    expect(merchant.faults.list()).toEqual([]);
  });

  test('refuses an id that the journal does not have: unknown, rewound, cleared, of another merchant', async () => {
    const client = createClient();
    const { merchant, sandbox } = client;
    await initiate(client, 'motor');
    await initiate(client, 'motor');
    merchant.rewind('req-3-1');
    const other = client.as(sandbox.createMerchant());
    await initiate(other, 'motor');
    await initiate(client, 'motor');
    const before = worldOf(merchant);
    for (const id of ['req-3-2', 'req-3-9', 'req-4-1', 'req-0-1', '']) {
      const answer = await control(sandbox, 'rewindWorld', {
        key: merchant.apiKey,
        body: { to: id },
      });
      expect([id, answer.status]).toEqual([id, 404]);
    }
    expect(worldOf(merchant)).toEqual(before);
    expect(() => merchant.rewind(undefined as never)).toThrow('rewind() takes the id of a call');
  });

  test('reaches back over a thousand changes, and says when it does not', async () => {
    const client = createClient();
    const { merchant } = client;
    const effect = { kind: 'hang' } as const;
    const changeOften = () => {
      for (let pair = 0; pair < 500; pair++) {
        merchant.faults.add({ stage: 'before', effect });
        merchant.faults.clear();
      }
    };
    await client.call('listMotorPolicies');
    const first = lastId(client);
    changeOften();
    await client.call('listMotorPolicies');
    const second = lastId(client);
    changeOften();
    const before = worldOf(merchant);
    const reason =
      'The World cannot go back to before "req-3-1". It remembers its last 1,000 changes, up to 4 MiB, and a reset or a restart forgets them.';
    expect(() => merchant.rewind(first)).toThrow(reason);
    const init = { key: merchant.apiKey, body: { to: first } };
    const answer = await control(client.sandbox, 'rewindWorld', init);
    expect([answer.status, answer.body.detail]).toEqual([409, reason]);
    expect(worldOf(merchant)).toEqual(before);
    merchant.rewind(second);
    expect(merchant.faults.add({ stage: 'before', effect }).id).toBe('fault-501');
  });

  test('remembers at most 4 MiB', async () => {
    const { merchant, call } = createClient();
    const body = 'x'.repeat(1024 * 1024 - 100);
    await call('listMotorPolicies');
    for (let rule = 0; rule < 5; rule++) {
      merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
      merchant.faults.clear();
    }
    expect(() => merchant.rewind('req-3-1')).toThrow('cannot go back');
    await call('listMotorPolicies');
    merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503, body } });
    merchant.faults.clear();
    merchant.rewind('req-3-2');
    expect(merchant.faults.list()).toEqual([]);
  });

  test('refuses calls from before a reset, because the journal has none', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    client.merchant.reset();
    expect(() => client.merchant.rewind('req-3-1')).toThrow('The journal has no entry "req-3-1"');
  });

  test('ends journal.await only by calls that are still there', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    const waiting = client.merchant.journal.await({ operation: 'initiateMotorPolicy', count: 2 });
    client.merchant.rewind(lastId(client));
    await initiate(client, 'motor');
    await initiate(client, 'motor');
    expect((await waiting).map(({ id }) => id)).toEqual(['req-3-3', 'req-3-2']);
  });

  test('lets a running call finish in the World as it then is', async () => {
    const client = createClient();
    const { merchant } = client;
    const token = await initiate(client, 'motor');
    const first = lastId(client);
    const headers = { 'sandbox-fault': 'before; delay; ms=30' };
    const verifying = client.call('verifyMotorPolicy', { token }, { headers });
    await client.call('listMotorPolicies');
    merchant.clock.advance('PT1M');
    merchant.rewind(first);
    const { status, body } = await verifying;
    expect([status, body.response_message ?? body.message]).toEqual([400, 'Invalid token']);
    const [entry] = merchant.journal.list();
    expect(entry).toMatchObject({ operation: 'verifyMotorPolicy', duration_ms: 0 });
    expect(() => merchant.rewind(entry?.id as string)).toThrow('cannot go back');
  });

  test('goes back to the arrival of a call that waited while others came and went', async () => {
    const client = createClient();
    const { merchant } = client;
    await buy(client, 'micro_health');
    const before = worldOf(merchant);
    const headers = { 'sandbox-fault': 'before; delay; ms=20' };
    const slow = client.call('initiateMotorPolicy', purchaseOf('motor'), { headers });
    await buy(client, 'group_life');
    await slow;
    merchant.rewind(lastId(client));
    expect(worldOf(merchant)).toEqual(before);
  });
});

describe('the history in a snapshot', () => {
  async function createScene() {
    const client = createClient();
    await initiate(client, 'motor');
    await buy(client, 'micro_health');
    await client.call('initiateMotorPolicy', {});
    const put = (change: (world: Any) => void) => {
      const saved = client.merchant.snapshot() as Any;
      change(saved.world);
      return control(client.sandbox, 'putSnapshot', { key: client.merchant.apiKey, body: saved });
    };
    return { client, put };
  }

  test('may be empty: the World is restored, and remembers nothing', async () => {
    const { client, put } = await createScene();
    const { merchant } = client;
    const { status } = await put((world) => {
      world.history = [];
    });
    expect(status).toBe(200);
    expect(merchant.journal.list()).toHaveLength(4);
    // Nothing has changed since the last one.
    for (const { id } of merchant.journal.list().slice(1)) {
      expect(() => merchant.rewind(id)).toThrow('cannot go back');
    }
    await initiate(client, 'motor');
    merchant.rewind(lastId(client));
    expect(merchant.journal.list()).toHaveLength(4);
  });

  test.each<[string, (world: Any) => void, string]>([
    [
      'a list of the wrong type',
      (world) => Object.assign(world, { history: {} }),
      'world.history: expected an array',
    ],
    [
      'a step without rows',
      (world) => delete world.history[0].rows,
      'world.history.0.rows: expected an array',
    ],
    [
      'a missing number of steps',
      (world) => delete world.values.steps,
      'world.values.steps: is missing',
    ],
    [
      'an unknown table',
      (world) => Object.assign(world.history[0].rows[0], ['journal']),
      'world.history.0.rows.0: unknown table "journal"',
    ],
    [
      'a value that no call changes',
      (world) => world.history[0].rows.push(['values', 'merchant_id', 9]),
      '"merchant_id" does not belong into the history',
    ],
    [
      'a broken value',
      (world) => world.history[0].rows.push(['sequences', 'user', 'many']),
      'expected a number, got "many"',
    ],
    [
      'a purchase of an unknown product',
      (world) => {
        const rows = world.history[2].rows as Any[];
        const row = rows.find(([table]) => table === 'micro_health.pending');
        row[2] = { ...row[2], details: { ...row[2].details, product_id: 99 } };
      },
      'details.product_id: product 99 is not in the catalogue',
    ],
  ])('is refused with %s, and nothing changes', async (_, change, problem) => {
    const { client, put } = await createScene();
    const before = worldOf(client.merchant);
    const { status, body } = await put(change);
    expect([status, body.detail]).toEqual([422, expect.stringContaining(problem)]);
    expect(worldOf(client.merchant)).toEqual(before);
  });
});

describe('an edited history', () => {
  test('that is taken makes a World that a state file keeps', async () => {
    const file = newStateFile();
    const { client, sandbox } = await openKept(file);
    const { merchant } = client;
    const token = await initiate(client, 'motor');
    await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    const saved = merchant.snapshot() as Any;
    const rows = saved.world.history.flatMap((step: Any) => step.rows) as Any[];
    const verified = rows.find(([table, , before]) => table === 'motor.pending' && before);
    const other = Object.keys(saved.world['motor.pending'])[0];
    // The same purchase under a token that is pending too, initiated in the future, and its policy elsewhere.
    verified[1] = other;
    verified[2].initiated_at += 86_400_000;
    const added = rows.find(([table]) => table === 'motor.policies');
    added[1] = merchant.records({ family: 'motor' }).data[0]?.policy_number;
    merchant.restore(saved);
    merchant.rewind(lastId(client));
    expect((await client.call('listMotorPolicies')).status).toBe(200);
    await buy(client, 'motor');

    const again = await revive(file);
    expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
    merchant.restore(merchant.snapshot());
  });
});
