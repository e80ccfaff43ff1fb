import { describe, expect, test } from 'vitest';
import { createClient, everythingOf } from '../support/client.ts';
import { control, controlRoutes } from '../support/control.ts';

const overSandbox = controlRoutes.filter(({ over }) => over === 'sandbox');
const here = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:4015' } };

const list = async (
  init: { remoteAddress?: string; headers?: Record<string, string> },
  options = {},
) => (await control(createClient(options).sandbox, 'listMerchants', init)).status;

describe('without an admin token, a call over the sandbox', () => {
  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
    'from %s is answered',
    async (remoteAddress) => {
      expect(await list({ ...here, remoteAddress })).toBe(200);
    },
  );

  test.each(['192.168.1.5', '10.0.0.1', '::', 'fe80::1', '::ffff:10.0.0.1', '1127.0.0.1', ''])(
    'from "%s" is refused',
    async (remoteAddress) => {
      expect(await list({ ...here, remoteAddress })).toBe(403);
    },
  );

  test.each([
    'localhost',
    'localhost:4015',
    'LOCALHOST:80',
    '127.0.0.1:4015',
    '127.1.2.3',
    '[::1]',
    '[::1]:4015',
    'sandbox.localhost:4015',
  ])('to the Host %s is answered', async (host) => {
    expect(await list({ ...here, headers: { host } })).toBe(200);
  });

  test.each([
    'rebound.example',
    'rebound.example:4015',
    'localhost.example',
    '127.0.0.1.example',
    'notlocalhost',
    '10.0.0.1',
    '[::2]:4015',
    '[fe80::1]',
    '0.0.0.0:4015',
    'localhost.',
    '.localhost',
    'x..localhost',
    'rebound.example,x.localhost',
    'rebound.example/x.localhost',
    '127.0.0.1.',
    '127.0.0.256',
    '127.1',
  ])('to the Host %s is refused: a name that was made to point here', async (host) => {
    expect(await list({ ...here, headers: { host } })).toBe(403);
    expect(await list({ headers: { host } })).toBe(403);
    expect(await list({ ...here, headers: { host, origin: `http://${host}` } })).toBe(403);
  });

  test.each([
    'null',
    'https://elsewhere.example',
    'http://localhost:3000',
    'http://localhost',
    'http://127.0.0.1:4015',
    'file://',
    '',
  ])('of a page of "%s" is refused', async (origin) => {
    expect(await list({ ...here, headers: { ...here.headers, origin } })).toBe(403);
    expect(await list({ headers: { origin } })).toBe(403);
  });

  test('of a page of the sandbox itself is answered', async () => {
    const headers = { host: 'localhost:4015', origin: 'http://localhost:4015' };
    expect(await list({ ...here, headers })).toBe(200);
  });

  test('in this process is answered', async () => {
    expect(await list({})).toBe(200);
  });

  test.each(overSandbox)(
    'is checked before anything else: $operationId',
    async ({ operationId }) => {
      const { sandbox } = createClient();
      const before = everythingOf(sandbox);
      const init = { ...here, id: 1, headers: { ...here.headers, origin: 'null' } };
      expect((await control(sandbox, operationId, init)).status).toBe(403);
      expect(
        (await control(sandbox, operationId, { ...here, id: 1, remoteAddress: '10.0.0.1' })).status,
      ).toBe(403);
      expect(everythingOf(sandbox)).toEqual(before);
    },
  );
});

describe('with an admin token, a call over the sandbox', () => {
  const adminToken = 'Tok3n-of-the-admin';

  test.each(overSandbox)(
    'is answered to whoever has it, from anywhere: $operationId',
    async ({ operationId, status }) => {
      const { sandbox, merchant } = createClient({ adminToken });
      const init = {
        key: adminToken,
        id: merchant.id,
        remoteAddress: '203.0.113.9',
        headers: { host: 'sandbox.example', origin: 'https://ci.example' },
      };
      expect((await control(sandbox, operationId, init)).status).toBe(status);
    },
  );

  test.each(overSandbox)(
    'is refused to everybody else, this machine too: $operationId',
    async ({ operationId }) => {
      const { sandbox, merchant } = createClient({ adminToken });
      const before = everythingOf(sandbox);
      for (const key of [
        undefined,
        merchant.apiKey,
        `${adminToken}x`,
        adminToken.slice(1),
        adminToken.toLowerCase(),
        '',
      ]) {
        const init = { ...here, id: merchant.id, ...(key !== undefined && { key }) };
        expect((await control(sandbox, operationId, init)).status).toBe(401);
      }
      expect(everythingOf(sandbox)).toEqual(before);
    },
  );

  test('opens no World, not even where every unknown key does', async () => {
    for (const autoMerchants of [false, true]) {
      const { sandbox } = createClient({ adminToken, autoMerchants });
      const before = sandbox.merchants().length;
      expect((await control(sandbox, 'getClock', { key: adminToken })).status).toBe(401);
      expect(sandbox.merchants()).toHaveLength(before);
    }
  });

  test.each(['', ' ', 'two words'])('that could not be sent is refused: "%s"', (token) => {
    expect(() => createClient({ adminToken: token })).toThrow('adminToken');
  });
});

test('a call over one World asks for its key alone, from wherever it comes', async () => {
  const { sandbox, merchant } = createClient();
  const init = {
    key: merchant.apiKey,
    remoteAddress: '203.0.113.9',
    headers: { host: 'sandbox.example' },
  };
  expect((await control(sandbox, 'getClock', init)).status).toBe(200);
});
