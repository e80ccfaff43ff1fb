import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { createClient, everythingOf, START } from '../support/client.ts';
import { control } from '../support/control.ts';

describe('minting', () => {
  test('gives an id above all others, in whatever order the fixtures name their merchants', () => {
    const merchants = [9, 2].map((id) => ({ id, name: `Merchant ${id}`, api_key: `key-${id}` }));
    const sandbox = createSandbox({ fixtures: { 'merchants.json': { merchants } } });
    expect(sandbox.createMerchant().id).toBe(10);
  });

  test('without a body opens an empty World with the defaults of the sandbox', async () => {
    const { sandbox } = createClient();
    const { status, body } = await control(sandbox, 'createMerchant');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 4,
      name: 'Merchant 4',
      api_key: expect.stringMatching(/^sk_sandbox_[0-9a-f]{32}$/),
      clock: { now: '2026-01-31T10:00:00.000Z', mode: 'frozen' },
      counts: {
        ...Object.fromEntries(anyFamilies.map(({ key }) => [key, 0])),
        pending: 0,
        faults: 0,
        exchanges: 0,
      },
    });
    expect(sandbox.merchant(body.api_key).show()).toEqual(body);
  });

  test('gives the records of the demo merchant only if asked, as its own', async () => {
    const client = createClient();
    const demo = client.sandbox.createMerchant({ records: 'demo' });
    const counts = { ...client.sandbox.merchant('sk_sandbox_demo').show().counts };
    expect(counts.motor).toBeGreaterThan(0);
    expect(demo.show().counts).toEqual(counts);
    const { body } = await client.as(demo).call('listMicroHealthSubscriptions');
    type Named = { readonly merchant_user_id: number | null };
    const listed: readonly (Named & { subscriptions: Named })[] = body.data.data;
    expect(new Set(listed.map(({ subscriptions }) => subscriptions.merchant_user_id))).toEqual(
      new Set([demo.id]),
    );
    // A subscriber need not name a merchant.
    expect(new Set(listed.map(({ merchant_user_id }) => merchant_user_id))).toEqual(
      new Set([demo.id, null]),
    );
  });

  test('takes a name, a moment, a mode and a seed', () => {
    const { sandbox } = createClient();
    const merchant = sandbox.createMerchant({
      name: 'Worker',
      now: new Date('2030-05-05T00:00:00Z'),
      mode: 'running',
      seed: 4_294_967_295,
    });
    expect(merchant.name).toBe('Worker');
    expect(merchant.clock.show().mode).toBe('running');
    expect(merchant.clock.show().now).toMatch(/^2030-05-05T00:00:0/);
  });

  test.each([
    [{ name: ' ' }, 'name: expected a text of the form /\\S/, got " "'],
    [{ records: 'all' }, 'records: expected "none" or "demo", got "all"'],
    [{ mode: 'stopped' }, 'mode: expected "running" or "frozen", got "stopped"'],
    [{ seed: -1 }, 'seed: expected at least 0, got -1'],
    [{ seed: 4_294_967_296 }, 'seed: expected at most 4294967295, got 4294967296'],
    [{ now: 'today' }, 'now must be a moment like 2026-01-31T10:00:00Z'],
    [{ records: 'demo', now: '2000-01-01T00:00:00Z' }, 'now: the demo records are newer.'],
    [{ key: 'mine' }, 'the document: unknown "key"; known: name, records, now, mode, seed'],
  ])('refuses %j, and mints nobody', async (body, detail) => {
    const { sandbox } = createClient();
    const answer = await control(sandbox, 'createMerchant', { body });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain(detail);
    expect(() => sandbox.createMerchant(body as object)).toThrow(detail);
    expect(sandbox.merchants()).toHaveLength(3);
    expect(sandbox.createMerchant().id).toBe(4);
  });
});

describe('a key', () => {
  test('that was rotated opens the same World; the old one is blocked at once', async () => {
    const client = createClient({ autoMerchants: true });
    const { merchant, sandbox } = client;
    await client.call('listMotorPolicies');
    const old = merchant.apiKey;
    const { body } = await control(sandbox, 'rotateKey', { id: merchant.id });
    expect(body.api_key).not.toBe(old);
    expect([merchant.apiKey, body.counts.exchanges]).toEqual([body.api_key, 1]);
    const headers = { authorization: `Bearer ${old}` };
    expect((await client.call('listMotorPolicies', {}, { headers })).status).toBe(401);
    expect((await control(sandbox, 'getClock', { key: old })).status).toBe(401);
    expect((await client.call('listMotorPolicies')).status).toBe(200);
  });

  test('of a removed merchant opens nothing, and its id is not given again', async () => {
    const client = createClient();
    const { merchant, sandbox } = client;
    expect((await control(sandbox, 'removeMerchant', { id: merchant.id })).status).toBe(204);
    expect((await client.call('listMotorPolicies')).status).toBe(401);
    expect((await control(sandbox, 'removeMerchant', { id: merchant.id })).status).toBe(404);
    expect((await control(sandbox, 'rotateKey', { id: merchant.id })).status).toBe(404);
    for (const call of [
      () => merchant.show(),
      () => merchant.reset(),
      () => merchant.remove(),
      () => merchant.clock.show(),
    ]) {
      expect(call).toThrow(expect.objectContaining({ status: 404 }));
    }
    expect(sandbox.createMerchant().id).toBe(4);
  });

  test.each(['0', '-1', '1e0', '01', ' 1', 'abc', '99999999999999999999'])(
    'of the merchant "%s" can not be rotated',
    async (id) => {
      const { sandbox } = createClient();
      expect((await control(sandbox, 'rotateKey', { id: encodeURIComponent(id) })).status).toBe(
        404,
      );
    },
  );
});

describe('with auto-merchants', () => {
  test('an unknown key opens a fresh World of its own, the same one from then on', async () => {
    const client = createClient({ autoMerchants: true });
    const headers = { authorization: 'Bearer worker-1' };
    await client.call('listMotorPolicies', {}, { headers });
    const worker = client.sandbox.merchant('worker-1');
    expect(worker.show()).toMatchObject({
      id: 4,
      api_key: 'worker-1',
      counts: { motor: 0, exchanges: 1 },
    });
    const { body } = await control(client.sandbox, 'listJournal', { key: 'worker-2' });
    expect(body.data).toEqual([]);
    expect(client.sandbox.merchants().map(({ apiKey }) => apiKey)).toContain('worker-2');
  });

  test('a call without a key is 401 all the same', async () => {
    const client = createClient({ autoMerchants: true });
    for (const authorization of [undefined, 'Bearer', 'Bearer ', 'Basic abc']) {
      const { status } = await client.call('listMotorPolicies', {}, { headers: { authorization } });
      expect(status).toBe(401);
    }
    expect(client.sandbox.merchants()).toHaveLength(3);
  });

  test('and only then', async () => {
    const client = createClient();
    const headers = { authorization: 'Bearer worker-1' };
    expect((await client.call('listMotorPolicies', {}, { headers })).status).toBe(401);
    expect(() => client.sandbox.merchant('worker-1')).toThrow('No merchant has the key');
  });
});

describe('with as many merchants as there may be', () => {
  const FULL =
    'There are as many merchants as this sandbox may have: 3 (--max-merchants). Remove one, or start it with a higher limit.';

  test('creating one more is 409, and leaves everything as it was', async () => {
    const { sandbox } = createClient({ maxMerchants: 3 });
    const before = everythingOf(sandbox);
    const { status, body } = await control(sandbox, 'createMerchant');
    expect([status, body.detail]).toEqual([409, FULL]);
    expect(() => sandbox.createMerchant()).toThrow(expect.objectContaining({ status: 409 }));
    expect(everythingOf(sandbox)).toEqual(before);
  });

  test('an unknown key is 401 again, and known ones open their Worlds', async () => {
    const client = createClient({ autoMerchants: true, maxMerchants: 4 });
    const statuses = [];
    for (const key of ['worker-1', 'worker-2', 'worker-1', client.merchant.apiKey]) {
      const headers = { authorization: `Bearer ${key}` };
      statuses.push((await client.call('listMotorPolicies', {}, { headers })).status);
    }
    expect(statuses).toEqual([200, 401, 200, 200]);
    expect((await control(client.sandbox, 'getClock', { key: 'worker-2' })).status).toBe(401);
    expect(() => client.sandbox.merchant('worker-2')).toThrow('may have: 4 (--max-merchants)');
    expect(client.sandbox.merchants()).toHaveLength(4);
  });

  test('removing one makes room again', async () => {
    const client = createClient({ autoMerchants: true, maxMerchants: 3 });
    expect(() => client.sandbox.merchant('worker-1')).toThrow('No merchant has the key "worker-1"');
    client.merchant.remove();
    expect(client.sandbox.merchant('worker-1').id).toBe(4);
    expect(() => client.sandbox.createMerchant()).toThrow(FULL);
  });

  test('fixtures with more of them are served all the same, and nobody is added', () => {
    const sandbox = createSandbox({ maxMerchants: 1 });
    expect(sandbox.merchants()).toHaveLength(2);
    expect(() => sandbox.createMerchant()).toThrow('may have: 1 (--max-merchants)');
    sandbox.merchant('sk_sandbox_other').remove();
    expect(() => sandbox.createMerchant()).toThrow('may have: 1 (--max-merchants)');
    sandbox.merchant('sk_sandbox_demo').remove();
    expect(sandbox.createMerchant().id).toBe(3);
  });

  test('there are 10,000 unless it is said otherwise', () => {
    const merchants = Array.from({ length: 10_000 }, (_, place) => ({
      id: place + 1,
      name: `Merchant ${place + 1}`,
      api_key: `key-${place + 1}`,
    }));
    const fixtures = { 'merchants.json': { merchants } };
    expect(() => createSandbox({ fixtures }).createMerchant()).toThrow('may have: 10,000');
    expect(createSandbox({ fixtures, maxMerchants: 10_001 }).createMerchant().id).toBe(10_001);
  });
});

test('the ledger shows each decision with its count, its setting and what it could be', async () => {
  const profile = {
    version: 1,
    decisions: { 'token-boundary': 'inclusive', 'list-selection': { per_page: 5 } },
  };
  const client = createClient({ profile, now: START });
  await client.call('listMotorPolicies');
  await client.call('listMotorPolicies');
  const { body } = await control(client.sandbox, 'listAssumptions', {
    key: client.merchant.apiKey,
  });
  const byId = new Map<string, Record<string, unknown>>(
    body.data.map((each: { id: string }) => [each.id, each]),
  );
  expect(byId.get('motor-list')).toEqual({
    id: 'motor-list',
    question: 'Not paginated.',
    decision: expect.stringContaining('plain array'),
    basis: expect.any(String),
    count: 2,
  });
  expect(byId.get('token-boundary')).toMatchObject({
    count: 0,
    setting: 'inclusive',
    alternatives: ['exclusive', 'inclusive'],
  });
  expect(byId.get('list-selection')).toMatchObject({
    setting: { per_page: 5 },
    alternatives: { per_page: '1 to 100' },
  });
});
