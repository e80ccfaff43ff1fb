import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createClient, everythingOf } from '../support/client.ts';
import { control, controlRoutes } from '../support/control.ts';

const overSandbox = controlRoutes.filter(({ over }) => over === 'sandbox');
const here = { remoteAddress: '127.0.0.1', host: 'localhost:4015' };

/** The headers and the origin of a call. A call in this process has no origin. */
interface Sender {
  readonly remoteAddress?: string;
  readonly host?: string;
  readonly origin?: string;
}

const sentBy = ({ remoteAddress, ...headers }: Sender) => ({
  headers,
  ...(remoteAddress !== undefined && { remoteAddress }),
});

describe('without an admin token, an admin call', () => {
  const { sandbox } = createClient();
  const statusOf = async (sender: Sender) =>
    (await control(sandbox, 'listMerchants', sentBy(sender))).status;

  test.each<Sender>([
    {},
    ...['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'].map(
      (remoteAddress) => ({ ...here, remoteAddress }),
    ),
    ...['localhost', 'LOCALHOST:80', '127.0.0.1:4015', '127.1.2.3', '[::1]', '[::1]:4015'].map(
      (host) => ({ ...here, host }),
    ),
    { ...here, host: 'sandbox.localhost:4015' },
    { ...here, origin: 'http://localhost:4015' },
  ])('works from this machine: %j', async (sender) => {
    expect(await statusOf(sender)).toBe(200);
  });

  test('is refused from every other address', async () => {
    const others = [
      '192.168.1.5',
      '10.0.0.1',
      '::',
      'fe80::1',
      '::ffff:10.0.0.1',
      '1127.0.0.1',
      '',
    ];
    for (const remoteAddress of others) {
      expect(await statusOf({ ...here, remoteAddress }), remoteAddress).toBe(403);
    }
  });

  test.each([
    ['another name', ['rebound.example', 'rebound.example:4015', 'notlocalhost', 'localhost.']],
    ['a name with this one in it', ['localhost.example', '127.0.0.1.example']],
    ['a name below this one that is none', ['.localhost', 'x..localhost']],
    ['several names', ['rebound.example,x.localhost', 'rebound.example/x.localhost']],
    ['another address', ['10.0.0.1', '[::2]:4015', '[fe80::1]', '0.0.0.0:4015']],
    ['half an address', ['127.0.0.1.', '127.0.0.256', '127.1']],
  ])('is refused with the Host %s', async (_, hosts) => {
    for (const host of hosts) {
      expect(await statusOf({ host }), host).toBe(403);
      expect(await statusOf({ ...here, host }), host).toBe(403);
      expect(await statusOf({ ...here, host, origin: `http://${host}` }), host).toBe(403);
    }
  });

  test.each([
    ['no address', ['null', 'file://', '']],
    ['another site', ['https://elsewhere.example']],
    ['another port here', ['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:4015']],
  ])('is refused from a page of %s', async (_, origins) => {
    for (const origin of origins) {
      expect(await statusOf({ ...here, origin }), origin).toBe(403);
      expect(await statusOf({ origin }), origin).toBe(403);
    }
  });

  test.each(overSandbox)(
    'is refused before any other check: $operationId',
    async ({ operationId }) => {
      const client = createClient();
      const before = everythingOf(client.sandbox);
      for (const sender of [
        { ...here, origin: 'null' },
        { ...here, remoteAddress: '10.0.0.1' },
      ]) {
        const init = { ...sentBy(sender), id: 1 };
        expect((await control(client.sandbox, operationId, init)).status).toBe(403);
      }
      expect(everythingOf(client.sandbox)).toEqual(before);
    },
  );
});

describe('with an admin token, an admin call', () => {
  const adminToken = 'Tok3n-of-the-admin';
  const elsewhere = sentBy({
    remoteAddress: '203.0.113.9',
    host: 'sandbox.example',
    origin: 'https://ci.example',
  });

  test.each(overSandbox)(
    'works with that token only: $operationId',
    async ({ operationId, status }) => {
      const { sandbox, merchant } = createClient({ adminToken });
      const { id, apiKey } = merchant;
      const before = everythingOf(sandbox);
      const near = [`${adminToken}x`, adminToken.slice(1), adminToken.toLowerCase(), ''];
      for (const key of [apiKey, ...near]) {
        const answer = await control(sandbox, operationId, { ...sentBy(here), id, key });
        expect(answer.status).toBe(401);
      }
      expect((await control(sandbox, operationId, { ...sentBy(here), id })).status).toBe(401);
      expect(everythingOf(sandbox)).toEqual(before);
      const answer = await control(sandbox, operationId, { ...elsewhere, id, key: adminToken });
      expect(answer.status).toBe(status);
    },
  );

  test.each([false, true])('opens no World, auto-merchants: %s', async (autoMerchants) => {
    const { sandbox } = createClient({ adminToken, autoMerchants });
    expect((await control(sandbox, 'getClock', { key: adminToken })).status).toBe(401);
    expect(sandbox.merchants()).toHaveLength(3);
  });

  test.each(['', ' ', 'two words'])('that could not be sent is refused: "%s"', (token) => {
    expect(() => createClient({ adminToken: token })).toThrow('adminToken');
  });
});

test('a call for one World needs only its key, from any address', async () => {
  const { sandbox, merchant } = createClient();
  const sender = sentBy({ remoteAddress: '203.0.113.9', host: 'sandbox.example' });
  const answer = await control(sandbox, 'getClock', { ...sender, key: merchant.apiKey });
  expect(answer.status).toBe(200);
});

describe('a key that opens no World', () => {
  const detailFor = async (sandbox: Sandbox, key?: string) => {
    const { status, body } = await control(sandbox, 'getClock', key === undefined ? {} : { key });
    return [status, (body as { detail: string }).detail];
  };

  test('is said to be missing only if none was sent', async () => {
    const { sandbox } = createClient();
    expect(await detailFor(sandbox)).toEqual([
      401,
      "A merchant's API key is required: Authorization: Bearer <key>.",
    ]);
    expect(await detailFor(sandbox, 'sk_nobody')).toEqual([
      401,
      'No merchant has this key. Start the sandbox with --auto-merchants to give every unknown key a World of its own.',
    ]);
  });

  test('is explained with --auto-merchants, too', async () => {
    const { sandbox, merchant } = createClient({ autoMerchants: true, maxMerchants: 3 });
    const replaced = merchant.apiKey;
    merchant.rotateKey();
    expect(await detailFor(sandbox, replaced)).toEqual([
      401,
      'No merchant can have this key: it was replaced, or it is the admin token.',
    ]);
    const [status, detail] = await detailFor(sandbox, 'sk_one_more');
    expect([status, detail]).toEqual([401, expect.stringContaining('(--max-merchants)')]);
  });
});
