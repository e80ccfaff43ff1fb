import { describe, expect, test } from 'vitest';
import { lists } from '../support/client.ts';
import { buy, familyKeys, initiate, verifyOf } from '../support/requests.ts';
import { withoutHistory } from '../support/snapshots.ts';
import { adminCall, mint, type RemoteClient, rest, twinOf } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const engine = await startEngine();

/** The text of every list, record, pending purchase and fault of a World. */
async function shown(client: RemoteClient): Promise<string[]> {
  const answers = [];
  for (const { operationId } of lists) answers.push(await client.call(operationId));
  for (const family of familyKeys) {
    answers.push(await client.control('listRecords', { query: { family, per_page: 100 } }));
  }
  for (const call of ['listPurchases', 'listFaults']) answers.push(await client.control(call));
  return answers.map(({ text }) => text);
}

const clockOf = async ({ control }: RemoteClient) => (await control('getClock')).body;
const journalOf = async ({ control }: RemoteClient) => (await control('listJournal')).body.data;
const policiesOf = async ({ call }: RemoteClient): Promise<string[]> =>
  (await call('listMotorPolicies')).body.data.map(
    ({ policy_number }: { policy_number: string }) => policy_number,
  );

describe('a World after the engine is killed and restarted', () => {
  test('keeps its policies, purchases, clock, sequences, random state and faults', async () => {
    const client = await mint(engine);
    const twin = twinOf(client);
    /** Does the same in both Worlds, and expects the same result. */
    const inBoth = async <Answer>(work: (each: RemoteClient) => Promise<Answer>) => {
      const answer = await work(client);
      expect(await work(twin)).toEqual(answer);
      return answer;
    };
    const statusOfQuote = async ({ call }: RemoteClient) => (await call('getMotorQuote')).status;
    const pending = await inBoth(async (each) => {
      for (const family of familyKeys) await buy(each, family);
      await each.merchant.clock.advance('P1M');
      const tokens = [];
      for (const family of familyKeys) tokens.push([family, await initiate(each, family)] as const);
      await each.merchant.clock.advance('PT10M');
      const match = { operation: 'getMotorQuote' };
      const effect = { kind: 'respond', status: 503 };
      await each.control('addFault', { body: { match, stage: 'before', effect, times: 2 } });
      await statusOfQuote(each);
      await each.control('addFault', { body: { match, stage: 'after', effect, probability: 0.5 } });
      return tokens;
    });
    const before = [await clockOf(client), await inBoth(shown)];
    await engine.restart();
    expect([await clockOf(client), await inBoth(shown)]).toEqual(before);

    expect(await inBoth(statusOfQuote), 'the rule applies once more').toBe(503);
    expect((await client.control('listFaults')).body.data).toHaveLength(1);
    for (let turn = 0; turn < 3; turn++) await inBoth(statusOfQuote);
    for (const [family, token] of pending) {
      const verify = async ({ call }: RemoteClient) =>
        (await call(verifyOf[family], { token })).text;
      expect(await inBoth(verify)).toContain('true');
      await inBoth((each) => buy(each, family));
    }
    await engine.restart();
    await inBoth(shown);
  });

  test('keeps the time of a frozen clock, and a running clock has run on', async () => {
    const [frozen, running] = [await mint(engine), await mint(engine, { mode: 'running' })];
    await running.merchant.clock.advance('P1D');
    const token = await initiate(running, 'motor');
    const since = Date.now();
    const [stood, went] = [await clockOf(frozen), await clockOf(running)];
    await engine.restart();
    expect(await clockOf(frozen)).toEqual(stood);
    const { mode, now } = await clockOf(running);
    const passed = Date.parse(now) - Date.parse(went.now);
    expect(mode).toBe('running');
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(Date.now() - since + 1);
    expect((await running.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('keeps assumptions and the journal up to the last second, and reuses no id', async () => {
    const [client, cleared] = [await mint(engine), await mint(engine)];
    for (const each of [client, cleared]) await initiate(each, 'motor');
    await cleared.control('clearJournal');
    await client.call('getMotorQuote');
    await Promise.all([rest(client), rest(cleared)]);
    const assumed = (await client.control('listAssumptions')).text;
    const journal = await journalOf(client);
    await engine.restart();
    expect((await client.control('listAssumptions')).text).toBe(assumed);
    expect(await journalOf(cleared)).toEqual([]);
    await client.call('listMotorPolicies');
    const [latest, ...others] = await journalOf(client);
    // Real milliseconds are those of a run.
    expect(others).toEqual(
      journal.map((each: object) => ({ ...each, received_at: null, elapsed_ms: null })),
    );
    const { id } = client.merchant;
    expect([latest, ...others].map((each) => [each.id, each.operation])).toEqual([
      [`req-${id}-2-3`, 'listMotorPolicies'],
      [`req-${id}-2`, 'getMotorQuote'],
      [`req-${id}-1`, 'initiateMotorPolicy'],
    ]);
    // Killed at once: the unsaved entry is missing, and its id is not reused.
    await engine.restart();
    const { headers } = await client.call('listMotorPolicies');
    expect(headers.get('sandbox-request-id')).toBe(`req-${id}-3-3`);
  });

  test('keeps the state of a reset and of a restored snapshot', async () => {
    const [client, heir] = [await mint(engine, { records: 'demo' }), await mint(engine)];
    await buy(client, 'motor');
    await heir.control('putSnapshot', { body: await client.merchant.snapshot() });
    await client.control('resetWorld');
    const seeded = await mint(engine, { records: 'demo' });
    await seeded.control('resetWorld', { body: { records: { motor: 2 } } });
    expect(await policiesOf(seeded)).toHaveLength(2);
    const [fixture, restored] = [await policiesOf(client), await policiesOf(heir)];
    expect(restored).toHaveLength(fixture.length + 1);
    const policies = [fixture, restored];
    await Promise.all([rest(client), rest(heir)]);
    // Includes the journal and the assumptions.
    const whole = async ({ control }: RemoteClient) =>
      JSON.stringify(withoutHistory((await control('getSnapshot')).body.world));
    const snapshots = [await whole(client), await whole(heir)];
    await engine.restart();
    expect([await whole(client), await whole(heir)]).toEqual(snapshots);
    expect([await policiesOf(client), await policiesOf(heir)]).toEqual(policies);
    expect(await policiesOf(seeded)).toHaveLength(2);
    await seeded.control('resetWorld');
    expect(await policiesOf(seeded)).toEqual(fixture);
    await buy(heir, 'motor');
    expect(await policiesOf(heir)).toHaveLength(fixture.length + 2);
  });

  test('keeps every confirmed policy, even if killed during purchases', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => mint(engine)));
    const sold = clients.map(() => [] as string[]);
    const buyOn = async (client: RemoteClient, numbers: string[]) => {
      for (;;) numbers.push((await buy(client, 'motor')).policy_number);
    };
    const buying = clients.map((client, place) => buyOn(client, sold[place] ?? []).catch(() => {}));
    while (sold.some(({ length }) => length < 10)) await adminCall(engine, 'listMerchants');
    await engine.restart();
    await Promise.all(buying);
    for (const [place, client] of clients.entries()) {
      const kept = await policiesOf(client);
      expect(kept.slice(0, sold[place]?.length)).toEqual(sold[place]);
      expect(kept).not.toContain((await buy(client, 'motor')).policy_number);
    }
  });
});

test('a snapshot over 43 MiB is refused, and the World keeps working', async () => {
  const client = await mint(engine);
  const raw = `{"version":2,"world":{"a":"${'x'.repeat(44 * 1024 * 1024)}"}}`;
  const { status, body } = await client.control('putSnapshot', { raw });
  expect([status, body.detail]).toEqual([413, expect.stringContaining('43 MiB')]);
  await buy(client, 'motor');
});

test('the list of merchants survives a restart: names, keys, ids and initial Worlds', async () => {
  const wanted = { name: 'Worker 3', records: 'demo', now: '2026-02-01T00:00:00Z' } as const;
  const { merchant, apiKey, control } = await mint(engine, wanted);
  const begun = await merchant.show();
  const gone = await mint(engine);
  await adminCall(engine, 'removeMerchant', { id: gone.merchant.id });
  const listed = async () =>
    (await adminCall(engine, 'listMerchants')).body.data.map(
      ({ id, name, api_key }: { id: number; name: string; api_key: string }) => [id, name, api_key],
    );
  const before = await listed();
  expect(before.at(-1)).toEqual([merchant.id, 'Worker 3', apiKey]);
  await engine.restart();
  expect(await listed()).toEqual(before);
  const { body } = await control('resetWorld');
  expect(body).toEqual(begun);
  const next = await mint(engine);
  expect(next.merchant.id).toBe(gone.merchant.id + 1);
  expect(next.apiKey).not.toBe(gone.apiKey);
});

test('a World goes back to before a call as far as its object remembers, and a restart forgets', async () => {
  const client = await mint(engine);
  const twin = twinOf(client);
  const tokens = [];
  for (const each of [client, twin]) {
    await initiate(each, 'motor');
    const token = await initiate(each, 'motor');
    await initiate(each, 'motor');
    await each.call(verifyOf.motor, { token });
    tokens.push(token);
  }
  const rewound = async ({ control }: RemoteClient) => {
    const [verified] = (await control('listJournal')).body.data;
    return (await control('rewindWorld', { body: { to: verified.id } })).status;
  };
  expect([await rewound(client), await rewound(twin)]).toEqual([200, 200]);
  expect(await shown(client)).toEqual(await shown(twin));
  await rest(client);
  await engine.restart();
  expect(await shown(client), 'in the same order').toEqual(await shown(twin));
  const entry = (await journalOf(client)).at(-1);
  const refused = await client.control('rewindWorld', { body: { to: entry.id } });
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining('or the end of its object forgets them'),
  ]);
});
