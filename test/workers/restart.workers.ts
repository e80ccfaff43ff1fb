import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { BASE, lists, START } from '../support/client.ts';
import { buy, familyKeys, initiate, verifyOf } from '../support/requests.ts';
import { adminCall, mint, type RemoteClient, remoteClient, rest } from './support/clients.ts';
import { ownEngine } from './support/engine.ts';

/** What a World shows of itself, to the byte. */
async function shown(client: RemoteClient): Promise<string[]> {
  const texts: string[] = [];
  for (const { operationId } of lists) texts.push((await client.call(operationId)).text);
  for (const family of familyKeys) {
    const query = { family, per_page: 100 };
    texts.push((await client.control('listRecords', { query })).text);
  }
  for (const call of ['listPurchases', 'listFaults']) texts.push((await client.control(call)).text);
  return texts;
}

const shownOfCalls = async ({ control }: RemoteClient) => [
  (await control('listJournal')).text,
  (await control('listAssumptions')).text,
];

const clockOf = async ({ control }: RemoteClient) => (await control('getClock')).body;

/** The same merchant of a sandbox that is never stopped, which its engine's program is held against. */
function twinOf({ merchant: { id }, apiKey }: RemoteClient): RemoteClient {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7, publicUrl: BASE });
  while (sandbox.createMerchant().id < id);
  expect(sandbox.merchant(apiKey).id).toBe(id);
  return remoteClient(sandbox, id, apiKey);
}

const startPublic = () => ownEngine({ SANDBOX_PUBLIC_URL: BASE });

describe('a World whose engine is killed and started again', () => {
  test('goes on with its policies, pending purchases, clock, numbering, chance and faults, to the byte', async () => {
    const engine = await startPublic();
    const client = await mint(engine);
    const twin = twinOf(client);
    const both = [client, twin];
    const tokens = [];
    for (const each of both) {
      for (const family of familyKeys) await buy(each, family);
      await each.merchant.clock.advance('P1M');
      const pending = [];
      for (const family of familyKeys)
        pending.push([family, await initiate(each, family)] as const);
      await each.merchant.clock.advance('PT10M');
      const match = { operation: 'getMotorQuote' };
      const effect = { kind: 'respond', status: 503 };
      await each.control('addFault', { body: { match, stage: 'before', effect, times: 2 } });
      await each.call('getMotorQuote');
      await each.control('addFault', { body: { match, stage: 'after', effect, probability: 0.5 } });
      tokens.push(pending);
    }
    expect(tokens[0]).toEqual(tokens[1]);
    const before = [await clockOf(client), await shown(client)];
    await engine.restart();
    expect([await clockOf(client), await shown(client)]).toEqual(before);
    expect(await shown(client)).toEqual(await shown(twin));

    const statuses: number[][] = [];
    for (const each of both) {
      // The rule that was used once is left once.
      expect((await each.call('getMotorQuote')).status).toBe(503);
      expect((await each.control('listFaults')).body.data).toHaveLength(1);
      statuses.push([]);
      for (let turn = 0; turn < 4; turn++)
        statuses.at(-1)?.push((await each.call('getMotorQuote')).status);
    }
    expect(statuses[0]).toEqual(statuses[1]);
    for (const [family, token] of tokens[0] ?? []) {
      const answers = [];
      for (const each of both) answers.push((await each.call(verifyOf[family], { token })).text);
      expect(answers[0]).toContain('true');
      expect(answers[0]).toBe(answers[1]);
    }
    for (const family of familyKeys) {
      expect(await buy(client, family)).toEqual(await buy(twin, family));
    }
    await engine.restart();
    expect(await shown(client)).toEqual(await shown(twin));
  });

  test('has a frozen clock that stands and a running one that went on', async () => {
    const engine = await ownEngine();
    const [frozen, running] = [await mint(engine), await mint(engine, { mode: 'running' })];
    await running.merchant.clock.advance('P1D');
    const token = await initiate(running, 'motor');
    const since = Date.now();
    const [stood, went] = [await clockOf(frozen), await clockOf(running)];
    await engine.restart();
    expect(await clockOf(frozen)).toEqual(stood);
    const now = await clockOf(running);
    const passed = Date.parse(now.now) - Date.parse(went.now);
    expect(now.mode).toBe('running');
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(Date.now() - since + 1);
    expect((await running.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('has its journal of up to a second before, knows what answers rested on, and gives no request id twice', async () => {
    const engine = await ownEngine();
    const client = await mint(engine);
    await initiate(client, 'motor');
    await client.call('getMotorQuote');
    await rest(client);
    const before = await shownOfCalls(client);
    await engine.restart();
    expect(await shownOfCalls(client)).toEqual(before);
    await client.call('listMotorPolicies');
    const { data } = (await client.control('listJournal')).body;
    expect(
      data.map(({ id, operation }: { id: string; operation: string }) => [id, operation]),
    ).toEqual([
      ['req-3-2-3', 'listMotorPolicies'],
      ['req-3-2', 'getMotorQuote'],
      ['req-3-1', 'initiateMotorPolicy'],
    ]);
    // Killed at once: what was not written down is not shown, and its id does not come again.
    await engine.restart();
    const { headers } = await client.call('listMotorPolicies');
    expect(headers.get('sandbox-request-id')).toBe('req-3-3-3');
    await client.control('clearJournal');
    await rest(client);
    await engine.restart();
    expect((await client.control('listJournal')).body.data).toEqual([]);
  });

  test('is what a reset or a snapshot that was put back made it', async () => {
    const engine = await startPublic();
    const [client, heir] = [await mint(engine, { records: 'demo' }), await mint(engine)];
    await buy(client, 'motor');
    await heir.control('putSnapshot', { body: await client.merchant.snapshot() });
    await client.control('resetWorld');
    const whole = async ({ control }: RemoteClient) => (await control('getSnapshot')).text;
    const [reset, inherited] = [await shown(client), await shown(heir)];
    await Promise.all([rest(client), rest(heir)]);
    const snapshots = [await whole(client), await whole(heir)];
    await engine.restart();
    // With its journal, and what its answers rested on.
    expect(await whole(client)).toBe(snapshots[0]);
    expect(await whole(heir)).toBe(snapshots[1]);
    expect([await shown(client), await shown(heir)]).toEqual([reset, inherited]);
    expect((await client.call('listMotorPolicies')).body.data).toHaveLength(5);
    expect((await heir.call('listMotorPolicies')).body.data).toHaveLength(6);
    await buy(heir, 'motor');
    expect((await heir.call('listMotorPolicies')).body.data).toHaveLength(7);
  });

  test('has every policy that was answered, also where it was killed in the middle of buying', async () => {
    const engine = await ownEngine();
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
      const { data } = (await client.call('listMotorPolicies')).body;
      const kept = data.map((each: { policy_number: string }) => each.policy_number);
      expect(kept.slice(0, sold[place]?.length)).toEqual(sold[place]);
      expect(kept).not.toContain((await buy(client, 'motor')).policy_number);
    }
  });
});

describe('a snapshot', () => {
  test('that is too large for an object is refused, and changes nothing', async () => {
    const engine = await ownEngine();
    const client = await mint(engine);
    const raw = `{"version":1,"world":{"a":"${'x'.repeat(41 * 1024 * 1024)}"}}`;
    const { status, body } = await client.control('putSnapshot', { raw });
    expect(status).toBe(413);
    expect(body.detail).toContain(String(40 * 1024 * 1024));
    await buy(client, 'motor');
  });
});

test('the list of merchants goes on: names, keys, ids, and what their Worlds begin as', async () => {
  const engine = await ownEngine();
  await mint(engine, { name: 'Worker 3', records: 'demo', now: '2026-02-01T00:00:00Z' });
  const gone = await mint(engine);
  await adminCall(engine, 'removeMerchant', { id: gone.merchant.id });
  const { text, body } = await adminCall(engine, 'listMerchants');
  await engine.restart();
  expect((await adminCall(engine, 'listMerchants')).text).toBe(text);
  const [{ id, api_key }] = body.data;
  expect((await remoteClient(engine, id, api_key).control('resetWorld')).body).toEqual(
    body.data[0],
  );
  const next = await mint(engine);
  expect(next.merchant.id).toBe(gone.merchant.id + 1);
  expect(next.apiKey).not.toBe(gone.apiKey);
});
