import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import {
  ConnectError,
  ControlError,
  connect,
  type Merchant,
  type MotorPolicy,
  RefusalError,
  type RemoteMerchant,
  sampleRequests,
} from '../src/index.ts';
import { type ServerOptions, startSandbox } from '../src/node.ts';

const FROZEN = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;

async function serve(options: ServerOptions = {}) {
  const server = await startSandbox({ port: 0, ...FROZEN, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A merchant behind a URL, and the same merchant in the process of the server. */
async function createBoth() {
  const { url, sandbox } = await serve();
  const remote = connect({ url });
  const far = await remote.createMerchant({ name: 'Test 7' });
  return { url, sandbox, remote, far, near: sandbox.merchant(far.apiKey) };
}

describe('a merchant behind a URL', () => {
  test('has every method of a merchant in this process', async () => {
    const { far, near } = await createBoth();
    const namesOf = (methods: object): string[] =>
      Object.entries(methods).flatMap(([name, value]) =>
        typeof value === 'object' ? namesOf(value).map((inner) => `${name}.${inner}`) : [name],
      );
    expect(namesOf(far).toSorted()).toEqual(namesOf(near).toSorted());
  });

  test('buys, and sees what it bought', async () => {
    const { far, near } = await createBoth();
    const policy = await far.buy('motor', { vehicle_make: 'Honda' });
    expectTypeOf(policy).toEqualTypeOf<MotorPolicy>();
    const page = await far.records({ family: 'motor' });
    expectTypeOf(page.data).toEqualTypeOf<MotorPolicy[]>();
    expect(page).toEqual(near.records({ family: 'motor' }));
    expect(page.data).toEqual([policy]);
    expect(await far.data('listMotorPolicies')).toHaveLength(1);
    const { status, body } = await far.call('verifyMotorPolicy', { token: 'CMP1' });
    expect([status, body.success]).toEqual([400, false]);
    expect((await far.fetch('/api/merchant/get_comprehensive_motor_policies')).status).toBe(200);
  });

  test('moves the clock, and sees the purchases that expired', async () => {
    const { far, near } = await createBoth();
    const request = sampleRequests.initiateMotorPolicy;
    const { token } = await far.data('initiateMotorPolicy', request);
    expect(await far.purchases()).toEqual(near.purchases());
    const { effects } = await far.clock.advance({ to: new Date('2026-01-31T10:15:00Z') });
    expect(effects).toMatchObject([{ kind: 'purchase_expired', token }]);
    expect(await far.clock.set({ mode: 'running' })).toMatchObject({ mode: 'running' });
    expect(await far.clock.show()).toMatchObject({ mode: 'running' });
    await far.reset();
    expect(await far.clock.show()).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
  });

  test('sets faults, and reads and awaits the journal', async () => {
    const { far, near } = await createBoth();
    const rule = await far.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    expect(await far.faults.list()).toEqual([rule]);
    await far.faults.remove(rule.id);
    await far.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    await far.faults.clear();
    expect(near.faults.list()).toEqual([]);
    const awaited = far.journal.await({ operation: 'verifyMotorPolicy' });
    await far.buy('motor');
    expect(await awaited).toHaveLength(1);
    const [entry] = await far.journal.list({ operation: 'verifyMotorPolicy' });
    expectTypeOf(entry?.operation).toEqualTypeOf<'verifyMotorPolicy' | undefined>();
    expect(entry).toEqual(near.journal.list()[0]);
    expect(await far.journal.get(entry?.id ?? '')).toEqual(entry);
    expect(await far.journal.text({ limit: 1 })).toBe(near.journal.text({ limit: 1 }));
    await far.journal.clear();
    expect(near.journal.list()).toEqual([]);
  });

  test('saves and restores its World', async () => {
    const { far, near } = await createBoth();
    await far.buy('group_life');
    const snapshot = await far.snapshot();
    expect(snapshot).toEqual(near.snapshot());
    await far.reset();
    await far.restore(snapshot);
    expect(near.records({ family: 'group_life' }).total).toBe(1);
    expect(await far.products()).toEqual(near.products());
    expect(await far.assumptions()).toEqual(near.assumptions());
  });

  test('starts over with other records', async () => {
    const { far, near } = await createBoth();
    await far.reset({ records: { motor: 3 } });
    expect(near.show().counts.motor).toBe(3);
    await expect(far.reset({ records: 'many' as never })).rejects.toThrow('records: expected');
  });

  test('goes back to before a call', async () => {
    const { far, near } = await createBoth();
    await far.buy('motor');
    const [verify] = await far.journal.list();
    await far.rewind(verify?.id ?? '');
    expect(near.purchases()).toHaveLength(1);
    expect((await far.show()).counts.motor).toBe(0);
  });

  test('goes on with its new key after a rotation, until it is removed', async () => {
    const { far, near } = await createBoth();
    const before = far.apiKey;
    expect(await far.rotateKey()).toBe(far.apiKey);
    expect(far.apiKey).not.toBe(before);
    expect(await far.show()).toEqual(near.show());
    await far.remove();
    await expect(far.show()).rejects.toMatchObject({
      name: 'ControlError',
      status: 404,
      message: `No merchant has the key "${far.apiKey}".`,
    });
  });

  test('refuses as in this process: with the same errors, at the line of the caller', async () => {
    const { far, near } = await createBoth();
    const mistakes: readonly ((merchant: Merchant | RemoteMerchant) => unknown)[] = [
      (merchant) => merchant.clock.advance({ to: '2020-01-01T00:00:00Z' }),
      (merchant) => merchant.clock.advance('15 minutes'),
      (merchant) => merchant.clock.advance(15 as never),
      (merchant) => merchant.faults.add({ stage: 'later' } as never),
      (merchant) => merchant.faults.remove('fault-9'),
      (merchant) => merchant.journal.get('req-9-9'),
      (merchant) => merchant.journal.await({ status: 418, timeout: 'PT0S' }),
      (merchant) => merchant.records({ family: 'travel' as 'motor' }),
      (merchant) => merchant.rewind('req-9-9'),
      (merchant) => merchant.rewind(undefined as never),
      (merchant) => merchant.restore({ version: 1, world: {} }),
      (merchant) => merchant.buy('travel' as 'motor'),
      (merchant) => merchant.buy('micro_health', { amount: 1, phone_no: '5' }),
      (merchant) => merchant.call('verifyMotor' as 'verifyMotorPolicy'),
    ];
    for (const mistake of mistakes) {
      const told = await errorOf(() => mistake(far));
      expect(told.stack).toContain('connect.test.ts');
      const { name, message, status } = await errorOf(() => mistake(near));
      expect(told, String(mistake)).toMatchObject({ name, message, status });
    }
  });
});

async function errorOf(work: () => unknown): Promise<Error & { status?: number }> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was accepted');
}

describe('a sandbox behind a URL', () => {
  test('creates, finds and lists merchants, and resets all of them', async () => {
    const { remote, sandbox, far } = await createBoth();
    expect([far.id, far.name]).toEqual([3, 'Test 7']);
    const demo = await remote.merchant('sk_sandbox_demo');
    expect([demo.id, demo.name]).toEqual([1, 'Demo Merchant']);
    await far.buy('motor');
    expect((await remote.merchants()).map(({ apiKey }) => apiKey)).toEqual(
      sandbox.merchants().map(({ apiKey }) => apiKey),
    );
    expect(await remote.journal({ merchant: 3 })).toEqual(sandbox.journal({ merchant: 3 }));
    expect((await remote.fetch('/livez')).status).toBe(200);
    await remote.resetAll();
    expect((await far.show()).counts.motor).toBe(0);
  });

  test('takes the key of a merchant that opens its own World, without an admin token', async () => {
    const { url } = await serve({ autoMerchants: true, adminToken: 'secret' });
    const merchant = await connect({ url, key: 'sk_worker_1' }).merchant();
    await merchant.buy('micro_health');
    expect((await merchant.show()).counts.micro_health).toBe(1);
  });

  test('uses the admin token', async () => {
    const { url } = await serve({ adminToken: 'secret' });
    const merchant = await connect({ url, adminToken: 'secret' }).createMerchant();
    expect(merchant.apiKey).toMatch(/^sk_/);
    for (const adminToken of ['wrong', undefined]) {
      await expect(connect({ url, adminToken }).createMerchant()).rejects.toMatchObject({
        name: 'ControlError',
        status: 401,
        message: 'The adminToken of connect() is missing or wrong.',
      });
    }
  });

  test('rejects a key that no merchant has', async () => {
    const { url } = await serve();
    await expect(connect({ url }).merchant('sk_nobody')).rejects.toMatchObject({
      status: 404,
      message: 'No merchant has the key "sk_nobody".',
    });
    await expect(connect({ url }).merchant()).rejects.toThrow(
      'merchant() takes an API key, unless connect() was given one',
    );
  });

  test('says that a server is no sandbox', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"hello":"world"}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const remote = connect({ url });
    for (const call of [() => remote.createMerchant(), () => remote.merchant('sk_sandbox_demo')]) {
      const error = await errorOf(call);
      expect(error).toBeInstanceOf(ConnectError);
      expect(error).toMatchObject({
        url,
        message: `${url} responded with status 200. This does not look like a sandbox; check the URL.`,
      });
    }
  });

  test('says so of what no sandbox would return to a later call', async () => {
    const { near } = await createBoth();
    const shown = JSON.stringify(near.show());
    const other = createServer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(url === '/_sandbox/merchant' ? shown : '{"data":"x"}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { clock, faults, journal, ...far } = await connect({ url }).merchant(near.apiKey);
    for (const call of [clock.show, faults.list, journal.list, far.products, far.snapshot]) {
      const error = await errorOf(() => call());
      expect(error).toBeInstanceOf(ConnectError);
      expect(error.message).toContain('This does not look like a sandbox');
    }
  });

  test('says that the sandbox has ended meanwhile', async () => {
    const server = await serve();
    const merchant = await connect({ url: server.url }).createMerchant();
    await server.close();
    // A connection that was open is cut first.
    const why = new RegExp(`^${server.url} (cut the connection|refused the connection: .*)\\.$`);
    for (const method of [merchant.clock.show, () => merchant.buy('motor')]) {
      const error = await errorOf(method);
      expect(error).toBeInstanceOf(ConnectError);
      expect(error.message).toMatch(why);
    }
    const unanswered = await errorOf(() => merchant.call('listMotorPolicies'));
    expect(unanswered).toBeInstanceOf(TypeError);
    expect(unanswered.message).toMatch(why);
  });

  test.each([
    [undefined, 'connect() takes an object with a url; got '],
    [{}, 'url must be one like http://127.0.0.1:4015; got nothing.'],
    [
      { url: '127.0.0.1:4015' },
      'url must be one like http://127.0.0.1:4015; got "127.0.0.1:4015".',
    ],
    [{ url: 'http://user:secret@host' }, 'url must not contain a query, a fragment, a user or'],
    [{ url: 'http://127.0.0.1', key: 'a b' }, 'key must be printable ASCII text without spaces.'],
    [{ url: 'http://127.0.0.1', adminToken: 5 }, 'adminToken must be printable ASCII text'],
  ])('does not connect with %j', (options, message) => {
    expect(() => connect(options as never)).toThrow(ControlError);
    expect(() => connect(options as never)).toThrow(message);
  });

  test('replaces the global fetch', async () => {
    const { url } = await serve();
    const platform = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = platform;
    });
    globalThis.fetch = connect({ url }).fetch;
    expect((await fetch('https://provider.example/livez')).status).toBe(200);
    const body = JSON.stringify(sampleRequests.getMotorQuote);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk_sandbox_demo' };
    const path = '/api/merchant/get_comprehensive_motor_policy_quote';
    const request = new Request(`https://provider.example${path}`, {
      method: 'POST',
      body,
      headers,
    });
    expect((await fetch(request)).status).toBe(200);
  });

  test('tells a refusal of a call by its class', async () => {
    const { far } = await createBoth();
    const error = await errorOf(() => far.buy('motor', { year_make: '1' }));
    expect(error).toBeInstanceOf(RefusalError);
  });
});
