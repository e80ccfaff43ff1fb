import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { createClient, everythingOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { familyKeys } from '../support/requests.ts';

describe('a new merchant', () => {
  test('has the highest id, whatever the order in the fixtures', () => {
    const merchants = [9, 2].map((id) => ({ id, name: `Merchant ${id}`, api_key: `key-${id}` }));
    const sandbox = createSandbox({ fixtures: { 'merchants.json': { merchants } } });
    expect(sandbox.createMerchant().id).toBe(10);
  });

  test('has a key that nobody can guess where an admin token is set, unless a seed is set too', () => {
    const keysOf = (options: SandboxOptions) => {
      const merchant = createSandbox(options).createMerchant();
      return [merchant.apiKey, merchant.rotateKey()];
    };
    const secret = [1, 2].flatMap(() => keysOf({ adminToken: 'choose-one' }));
    expect(new Set([...secret, ...keysOf({})]).size).toBe(6);
    for (const key of secret) expect(key).toMatch(/^sk_sandbox_[0-9a-f]{32}$/);
    expect(keysOf({ adminToken: 'choose-one', seed: 1 })).toEqual(keysOf({}));
  });

  test('has an empty World with the defaults of the sandbox', async () => {
    const { sandbox } = createClient();
    const { status, body } = await control(sandbox, 'createMerchant');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 4,
      name: 'Merchant 4',
      api_key: expect.stringMatching(/^sk_sandbox_[0-9a-f]{32}$/),
      clock: { now: '2026-01-31T10:00:00.000Z', mode: 'frozen' },
      counts: {
        ...Object.fromEntries(familyKeys.map((key) => [key, 0])),
        pending: 0,
        faults: 0,
        exchanges: 0,
      },
    });
    expect(sandbox.merchant(body.api_key).show()).toEqual(body);
  });

  test('gets its own copy of the demo records if asked', async () => {
    const client = createClient();
    const demo = client.sandbox.createMerchant({ records: 'demo' });
    const { counts } = client.sandbox.merchant('sk_sandbox_demo').show();
    expect(demo.show().counts).toEqual(counts);
    const { body } = await client.as(demo).call('listMicroHealthSubscriptions');
    for (const { merchant_user_id, subscriptions } of body.data.data) {
      expect(subscriptions.merchant_user_id).toBe(demo.id);
      // A subscriber need not name a merchant.
      expect([demo.id, null]).toContain(merchant_user_id);
    }
  });

  test('has the requested name, time and mode', () => {
    const now = new Date('2030-05-05T00:00:00Z');
    const wanted = { name: 'Worker', now, mode: 'running', seed: 4_294_967_295 } as const;
    const { name, clock } = createClient().sandbox.createMerchant(wanted);
    expect(name).toBe('Worker');
    expect(clock.show()).toEqual({
      mode: 'running',
      now: expect.stringMatching(/^2030-05-05T00:00:0/),
    });
  });
});

describe('a key of your own', () => {
  test('opens the World of the merchant that was created with it', async () => {
    const { sandbox } = createClient();
    const created = await control(sandbox, 'createMerchant', { body: { api_key: 'worker-7' } });
    expect([created.status, created.body.api_key]).toEqual([201, 'worker-7']);
    const { body } = await control(sandbox, 'getMerchant', { key: 'worker-7' });
    expect(body.id).toBe(created.body.id);
    expect(sandbox.createMerchant({ apiKey: 'worker-8' }).apiKey).toBe('worker-8');
  });

  test('is refused if it is taken, replaced or the admin token', async () => {
    const adminToken = 'choose-one';
    const { sandbox, merchant } = createClient({ adminToken });
    const replaced = merchant.apiKey;
    merchant.rotateKey();
    const before = everythingOf(sandbox);
    for (const apiKey of [merchant.apiKey, replaced, adminToken]) {
      expect(() => sandbox.createMerchant({ apiKey })).toThrow('The key is taken');
      const answer = await control(sandbox, 'createMerchant', {
        key: adminToken,
        body: { api_key: apiKey },
      });
      expect(answer.status).toBe(409);
    }
    expect(everythingOf(sandbox)).toEqual(before);
  });

  test.each(['', 'two words', 'schlüssel', 'x'.repeat(257)])(
    'is refused if no request can send it: "%s"',
    async (key) => {
      const { sandbox } = createClient();
      const answer = await control(sandbox, 'createMerchant', { body: { api_key: key } });
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        expect.stringMatching(/^api_key: expected/),
      ]);
      expect(() => sandbox.createMerchant({ apiKey: key })).toThrow('apiKey: expected');
    },
  );
});

describe('a key', () => {
  test('that was rotated opens the same World, and the old one is blocked at once', async () => {
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

  test('of a removed merchant stops working, and its id is never reused', async () => {
    const { call, merchant, sandbox } = createClient();
    const { id } = merchant;
    expect((await control(sandbox, 'removeMerchant', { id })).status).toBe(204);
    expect((await call('listMotorPolicies')).status).toBe(401);
    for (const operationId of ['removeMerchant', 'rotateKey']) {
      expect((await control(sandbox, operationId, { id })).status).toBe(404);
    }
    for (const method of [merchant.show, merchant.reset, merchant.remove, merchant.clock.show]) {
      expect(() => method()).toThrow(expect.objectContaining({ status: 404 }));
    }
    expect(sandbox.createMerchant().id).toBe(4);
  });

  test('of an unknown merchant cannot be rotated', async () => {
    const { sandbox } = createClient();
    for (const id of ['0', '-1', '1e0', '01', '%201', 'abc', '99999999999999999999']) {
      expect((await control(sandbox, 'rotateKey', { id })).status, id).toBe(404);
    }
  });
});

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describe('with auto-merchants', () => {
  test('an unknown key opens a new World, and always the same one', async () => {
    const { call, sandbox } = createClient({ autoMerchants: true });
    await call('listMotorPolicies', {}, withKey('worker-1'));
    const counts = { motor: 0, exchanges: 1 };
    expect(sandbox.merchant('worker-1').show()).toMatchObject({ id: 4, counts });
    const { body } = await control(sandbox, 'listJournal', { key: 'worker-2' });
    expect(body.data).toEqual([]);
    expect(sandbox.merchant('worker-2').id).toBe(5);
  });

  test('a new merchant is named after its key, and a long key is not shown whole', () => {
    const { sandbox } = createClient({ autoMerchants: true });
    const nameFor = (key: string) => sandbox.merchant(key).name;
    expect(nameFor('worker-1')).toBe('worker-1');
    expect(nameFor('checkout-w12')).toBe('checkout-w12');
    expect(nameFor('sk_live_c0ffee0123456789abcdef')).toBe('…89abcdef');
  });

  test('a call without a key still returns 401', async () => {
    const { call, sandbox } = createClient({ autoMerchants: true });
    for (const authorization of [undefined, 'Bearer', 'Bearer ', 'Basic abc']) {
      const { status } = await call('listMotorPolicies', {}, { headers: { authorization } });
      expect(status).toBe(401);
    }
    expect(sandbox.merchants()).toHaveLength(3);
  });
});

test('without auto-merchants, an unknown key opens nothing', async () => {
  const { call, sandbox } = createClient();
  expect((await call('listMotorPolicies', {}, withKey('worker-1'))).status).toBe(401);
  expect(() => sandbox.merchant('worker-1')).toThrow('No merchant has the key');
});

describe('at the limit of merchants', () => {
  const FULL =
    'The limit of merchants is reached: 3 (--max-merchants). Remove one, or start the sandbox with a higher limit.';

  test('creating another returns 409 and changes nothing', async () => {
    const { sandbox } = createClient({ maxMerchants: 3 });
    const before = everythingOf(sandbox);
    const { status, body } = await control(sandbox, 'createMerchant');
    expect([status, body.detail]).toEqual([409, FULL]);
    expect(everythingOf(sandbox)).toEqual(before);
  });

  test('an unknown key returns 401, and known keys still work', async () => {
    const { call, merchant, sandbox } = createClient({ autoMerchants: true, maxMerchants: 4 });
    const statuses = [];
    for (const key of ['worker-1', 'worker-2', 'worker-1', merchant.apiKey]) {
      statuses.push((await call('listMotorPolicies', {}, withKey(key))).status);
    }
    expect(statuses).toEqual([200, 401, 200, 200]);
    expect((await control(sandbox, 'getClock', { key: 'worker-2' })).status).toBe(401);
    expect(() => sandbox.merchant('worker-2')).toThrow('is reached: 4 (--max-merchants)');
    expect(sandbox.merchants()).toHaveLength(4);
  });

  test('removing one makes room for another', async () => {
    const { sandbox, merchant } = createClient({ autoMerchants: true, maxMerchants: 3 });
    merchant.remove();
    expect(sandbox.merchant('worker-1').id).toBe(4);
    expect(() => sandbox.createMerchant()).toThrow(FULL);
  });

  test('fixtures may exceed it, but no merchant is added', () => {
    const sandbox = createSandbox({ maxMerchants: 1 });
    expect(sandbox.merchants()).toHaveLength(2);
    for (const key of ['sk_sandbox_other', 'sk_sandbox_demo']) {
      expect(() => sandbox.createMerchant()).toThrow('is reached: 1 (--max-merchants)');
      sandbox.merchant(key).remove();
    }
    expect(sandbox.createMerchant().id).toBe(3);
  });

  test('the default limit is 10,000', () => {
    const merchants = Array.from({ length: 10_000 }, (_, place) => ({
      id: place + 1,
      name: `Merchant ${place + 1}`,
      api_key: `key-${place + 1}`,
    }));
    const fixtures = { 'merchants.json': { merchants } };
    expect(() => createSandbox({ fixtures }).createMerchant()).toThrow('is reached: 10,000');
    expect(createSandbox({ fixtures, maxMerchants: 10_001 }).createMerchant().id).toBe(10_001);
  });
});
