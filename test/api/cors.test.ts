import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { attachStorage } from '../../src/world/kept-worlds.ts';
import { NotStoredError } from '../../src/world/tables.ts';
import type { WorldCore } from '../../src/world/world.ts';
import { createClient, operations } from '../support/client.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { exampleOf } from '../support/requests.ts';

const ORIGIN = 'http://localhost:5173';
const OTHER = 'https://shop.example';
const FOREIGN = 'http://elsewhere.example';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const KEY = 'sk_sandbox_demo';

const send = (sandbox: Pick<Sandbox, 'fetch'>, path: string, init: RequestInit = {}) =>
  sandbox.fetch(new Request(`http://sandbox${path}`, init));

/** Sends a request as a page of an origin does. */
const sendFrom = (
  sandbox: Pick<Sandbox, 'fetch'>,
  origin: string,
  path: string,
  { headers = {}, ...init }: RequestInit & { readonly headers?: Record<string, string> } = {},
) => send(sandbox, path, { ...init, headers: { host: 'sandbox', origin, ...headers } });

const preflight = (
  sandbox: Pick<Sandbox, 'fetch'>,
  path: string,
  { origin = ORIGIN, method = 'POST' }: { origin?: string; method?: string } = {},
) =>
  send(sandbox, path, {
    method: 'OPTIONS',
    headers: {
      host: 'sandbox',
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

/** The CORS headers of a response. */
const shared = ({ headers }: Response | { readonly headers: Headers }) => ({
  origin: headers.get('access-control-allow-origin'),
  exposed: headers.get('access-control-expose-headers'),
  vary: headers.get('vary'),
});

const READABLE = {
  origin: ORIGIN,
  exposed: 'Sandbox-Request-Id, Sandbox-Assumptions, Sandbox-Hint, Sandbox-Fault',
  vary: 'Origin',
};
const NOT_SHARED = { origin: null, exposed: null, vary: null };

describe('a preflight', () => {
  test.each(operations)('needs no key for $operationId', async ({ path, method }) => {
    const sandbox = createSandbox({ cors: ORIGIN });
    const response = await preflight(sandbox, path.replace(/:\w+/, '1'), { method });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    expect(response.headers.get('vary')).toContain('Origin');
  });

  test.each(['x-requested-with', 'traceparent,tracestate', 'content-type, sentry-trace, baggage'])(
    'allows the headers that are asked for: %s',
    async (asked) => {
      for (const cors of [ORIGIN, '*']) {
        const response = await createSandbox({ cors }).fetch(LIST, {
          method: 'OPTIONS',
          headers: {
            origin: ORIGIN,
            'access-control-request-method': 'POST',
            'access-control-request-headers': asked,
          },
        });
        expect(response.status).toBe(204);
        expect(response.headers.get('access-control-allow-headers')).toBe(asked);
      }
    },
  );

  test.each([
    [undefined, null, `--cors ${FOREIGN}`],
    [ORIGIN, 'Origin', `--cors ${ORIGIN},${FOREIGN}`],
    [[ORIGIN, OTHER], 'Origin', `--cors ${ORIGIN},${OTHER},${FOREIGN}`],
  ])(
    'with the origins %j, from another one is refused with the flag to add',
    async (cors, vary, flag) => {
      const sandbox = createSandbox({ ...(cors && { cors }) });
      const response = await preflight(sandbox, LIST, { origin: FOREIGN });
      expect(response.status).toBe(403);
      expect(shared(response)).toEqual({ ...NOT_SHARED, vary });
      expect(response.headers.get('access-control-allow-headers')).toBe(null);
      expect(await response.text()).toBe(
        `Pages of this origin are not allowed; start with ${flag}.`,
      );
      expect(sandbox.journal()).toEqual([]);
    },
  );

  test.each([ORIGIN, OTHER])('from %s, one of two allowed origins, returns it', async (origin) => {
    const sandbox = createSandbox({ cors: [ORIGIN, OTHER] });
    const response = await preflight(sandbox, LIST, { origin });
    expect(response.status).toBe(204);
    expect(shared(response)).toEqual({ ...READABLE, origin });
  });

  test('from any origin returns * if all are allowed', async () => {
    for (const cors of ['*', ['*']]) {
      const response = await preflight(createSandbox({ cors }), LIST, { origin: 'null' });
      expect([response.status, shared(response)]).toEqual([
        204,
        { ...READABLE, origin: '*', vary: null },
      ]);
    }
  });

  test('adds no journal entry, takes no request id and uses up no fault', async () => {
    const sandbox = createSandbox({ cors: ORIGIN });
    const merchant = sandbox.merchant(KEY);
    merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503 } });
    const response = await preflight(sandbox, LIST, { method: 'GET' });
    expect(response.headers.has('sandbox-request-id')).toBe(false);
    expect(sandbox.journal()).toEqual([]);
    expect(merchant.faults.list()).toHaveLength(1);
    const call = await send(sandbox, LIST, { headers: { authorization: `Bearer ${KEY}` } });
    expect(call.status).toBe(503);
    expect(call.headers.get('sandbox-request-id')).toBe('req-1-1');
  });
});

describe('a page of the allowed origin can read', () => {
  test('every success and every refusal of every operation', async () => {
    const client = createClient({ cors: ORIGIN });
    const call: typeof client.call = (operationId, input, init) =>
      client.call(operationId, input, { ...init, headers: { origin: ORIGIN, ...init?.headers } });
    const answered = await everyAnswer({ ...client, call });
    expect(new Set(answered.map(({ answer }) => answer.status)).size).toBeGreaterThan(4);
    for (const { operationId, refused, answer } of answered) {
      expect(shared(answer), `${operationId} ${refused}`).toEqual(READABLE);
    }
  });

  test('the refusal of a missing key, an unknown route, a wrong method, a large body or a wrong type', async () => {
    const sandbox = createSandbox({ cors: ORIGIN });
    const authorization = `Bearer ${KEY}`;
    const json = { authorization, 'content-type': 'application/json' };
    const quote = '/api/merchant/micro_health/get_quote';
    const calls: readonly (readonly [number, string, RequestInit])[] = [
      [401, LIST, {}],
      [404, '/api/merchant/nowhere', { headers: { authorization } }],
      [405, LIST, { method: 'DELETE', headers: { authorization } }],
      [413, quote, { method: 'POST', headers: json, body: ' '.repeat(2 ** 20 + 1) }],
      [415, quote, { method: 'POST', headers: { authorization }, body: '{}' }],
    ];
    for (const [status, path, init] of calls) {
      const headers = { origin: ORIGIN, ...init.headers };
      const response = await send(sandbox, path, { ...init, headers });
      expect(response.status).toBe(status);
      expect(shared(response), `${status}`).toEqual(READABLE);
    }
  });

  test.each(['respond; status=503', 'malformed', 'delay; ms=1'])(
    'a response with the fault "%s"',
    async (effect) => {
      for (const stage of ['before', 'after']) {
        const sandbox = createSandbox({ cors: ORIGIN });
        const response = await sendFrom(sandbox, ORIGIN, LIST, {
          headers: { authorization: `Bearer ${KEY}`, 'sandbox-fault': `${stage}; ${effect}` },
        });
        expect(response.headers.get('sandbox-fault')).toContain(effect.split(';')[0]);
        expect(shared(response), stage).toEqual(READABLE);
      }
    },
  );
});

test('a page of the allowed origin can read a storage failure and an internal error', async () => {
  const { sandbox, store } = openSandbox({ cors: ORIGIN });
  const world = store.byKey.get(KEY)?.world as WorldCore;
  const authorization = `Bearer ${KEY}`;
  const headers = { origin: ORIGIN, authorization, 'content-type': 'application/json' };
  const initiate = '/api/merchant/micro_health/initiate';
  const body = JSON.stringify(exampleOf('initiateMicroHealthSubscription'));
  attachStorage(store, {
    write: () => {
      throw new NotStoredError('The disk is full.');
    },
    requestSave: () => {},
    problem: () => 'The disk is full.',
  });
  const notStored = await send(sandbox, initiate, { method: 'POST', headers, body });
  expect(notStored.status).toBe(507);
  expect(shared(notStored)).toEqual(READABLE);

  // Breaks the World to cause an internal error.
  Object.assign(world, { faults: undefined });
  const broken = await send(sandbox, LIST, { headers });
  expect(broken.status).toBe(500);
  expect(shared(broken)).toEqual(READABLE);
});

describe('a call of a page', () => {
  const KEYED = { headers: { authorization: `Bearer ${KEY}` } };

  test.each([ORIGIN, OTHER])('of %s, one of two allowed origins, can be read', async (origin) => {
    const sandbox = createSandbox({ cors: [ORIGIN, OTHER] });
    const response = await sendFrom(sandbox, origin, LIST, KEYED);
    expect(shared(response)).toEqual({ ...READABLE, origin });
  });

  test('of another origin is answered without the headers that let the page read it', async () => {
    const sandbox = createSandbox({ cors: [ORIGIN, OTHER] });
    const response = await sendFrom(sandbox, FOREIGN, LIST, KEYED);
    expect([response.status, shared(response)]).toEqual([200, { ...NOT_SHARED, vary: 'Origin' }]);
    expect(sandbox.journal().map(({ status }) => status)).toEqual([200]);
  });

  test('without an Origin has only a Vary header, for caches', async () => {
    const response = await send(createSandbox({ cors: ORIGIN }), LIST, KEYED);
    expect(shared(response)).toEqual({ ...NOT_SHARED, vary: 'Origin' });
    expect(shared(await send(createSandbox(), LIST, KEYED))).toEqual(NOT_SHARED);
  });

  test('of another origin and without a key is not in the journal', async () => {
    const sandbox = createSandbox({ cors: ORIGIN });
    expect((await sendFrom(sandbox, FOREIGN, LIST)).status).toBe(401);
    expect(sandbox.journal()).toEqual([]);
    const wrongKey = { headers: { authorization: 'Bearer nobody' } };
    for (const [origin, init] of [
      [ORIGIN, {}],
      ['http://sandbox', {}],
      [FOREIGN, wrongKey],
    ] as const) {
      expect((await sendFrom(sandbox, origin, LIST, init)).status).toBe(401);
    }
    expect(sandbox.journal()).toHaveLength(3);
  });

  test('without a key is in the journal if it was sent in this process, as by msw', async () => {
    const sandbox = createSandbox();
    await sandbox.fetch('https://api.provider.example/api/x', { headers: { origin: FOREIGN } });
    expect(sandbox.journal()).toHaveLength(1);
  });
});

describe('a page that is blocked is announced,', () => {
  /** A sandbox, and the origins and flags that its log would show. */
  function watched(options: SandboxOptions) {
    const { sandbox, store } = openSandbox(options);
    const told: string[] = [];
    store.activity.listeners.add((happened) => {
      if (happened.kind === 'page') told.push(`${happened.origin}: ${happened.remedy}`);
    });
    return { sandbox, told };
  }

  test('for each preflight, call and document', async () => {
    const { sandbox, told } = watched({ cors: ORIGIN });
    await preflight(sandbox, LIST, { origin: FOREIGN });
    await sendFrom(sandbox, FOREIGN, LIST, { headers: { authorization: `Bearer ${KEY}` } });
    await sendFrom(sandbox, FOREIGN, LIST);
    await sendFrom(sandbox, FOREIGN, '/openapi.json');
    expect(told).toEqual(
      Array.from({ length: 4 }, () => `${FOREIGN}: start with --cors ${ORIGIN},${FOREIGN}`),
    );
  });

  test('but not a page of an allowed origin, of the sandbox or of its public URL', async () => {
    const { sandbox, told } = watched({ cors: ORIGIN, publicUrl: 'https://sandbox.example/base' });
    for (const origin of [ORIGIN, 'http://sandbox', 'https://sandbox', 'https://sandbox.example']) {
      await sendFrom(sandbox, origin, LIST);
      await sendFrom(sandbox, origin, '/openapi.json');
    }
    await send(sandbox, LIST);
    const { sandbox: open, told: ofOpen } = watched({ cors: '*' });
    await sendFrom(open, FOREIGN, LIST);
    expect([...told, ...ofOpen]).toEqual([]);
  });

  test.each([
    ['null', "start with --cors '*'"],
    ['file://', "start with --cors '*'"],
    ['http://[::1]:3000', "start with --cors 'http://localhost:5173,http://[::1]:3000'"],
    ["x'; rm -rf /", "start with --cors '*'"],
  ])('with a flag that works as pasted for the origin %s', async (origin, remedy) => {
    const { sandbox, told } = watched({ cors: ORIGIN });
    await preflight(sandbox, LIST, { origin });
    expect(told).toEqual([`${origin}: ${remedy}`]);
  });
});

test.each([
  '/',
  '/livez',
  '/readyz',
  '/docs',
  '/_sandbox',
  '/_sandbox/openapi.json',
  '/_sandbox/openapi-3.0.json',
  '/_sandbox/clock',
])('%s sends no CORS headers', async (path) => {
  const sandbox = createSandbox({ cors: '*' });
  const headers = { origin: ORIGIN, authorization: `Bearer ${KEY}` };
  const response = await send(sandbox, path, { headers });
  expect(response.status).toBe(200);
  expect(shared(response)).toEqual(NOT_SHARED);
  expect((await preflight(sandbox, path, { method: 'GET' })).ok).toBe(false);
});

test.each(['/openapi.json', '/openapi-3.0.json', '/llms.txt'])(
  'a page of an allowed origin can read %s, and no other page can',
  async (path) => {
    const sandbox = createSandbox({ cors: [ORIGIN, OTHER] });
    for (const method of ['GET', 'HEAD']) {
      expect(shared(await sendFrom(sandbox, OTHER, path, { method }))).toEqual({
        ...READABLE,
        origin: OTHER,
      });
    }
    expect((await preflight(sandbox, path, { method: 'GET' })).status).toBe(204);
    const foreign = await sendFrom(sandbox, FOREIGN, path);
    expect([foreign.status, shared(foreign)]).toEqual([200, { ...NOT_SHARED, vary: 'Origin' }]);
    expect((await preflight(sandbox, path, { origin: FOREIGN })).status).toBe(403);
    expect(shared(await sendFrom(createSandbox(), ORIGIN, path))).toEqual(NOT_SHARED);
    expect(sandbox.journal()).toEqual([]);
  },
);

describe('the cors option', () => {
  test.each([
    '*',
    'http://localhost:5173',
    'https://shop.example',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
    'capacitor://localhost',
  ])('accepts %s', (cors) => {
    expect(() => createSandbox({ cors })).not.toThrow();
  });

  test.each([
    ['localhost:5173', 'http://localhost:5173'],
    ['shop.example/checkout', 'http://shop.example'],
    ['http://a/path', 'http://a'],
    ['HTTP://Localhost:5173', 'http://localhost:5173'],
    ['http://a:80', 'http://a'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    [' http://a ', 'http://a'],
  ])('refuses "%s" and suggests "%s"', (cors, meant) => {
    expect(() => createSandbox({ cors })).toThrow(
      `cors must be an origin as browsers send it, such as http://localhost:5173, a list of them, or * alone; got "${cors}"; did you mean "${meant}"?`,
    );
  });

  test.each(['', 'null', 'http://a, http://b', 'http://*.example.com', 'file://', 'ws://a', 5173])(
    'refuses %j without a suggestion',
    (cors) => {
      expect(() => createSandbox({ cors: cors as string })).toThrow(
        /^cors must be an origin as browsers send it, .*; got .*[^?]\.$/,
      );
    },
  );

  test('accepts a list, and is not changed with it', async () => {
    const cors = [ORIGIN, 'capacitor://localhost'];
    const sandbox = createSandbox({ cors });
    cors.push(FOREIGN);
    const init = { headers: { authorization: `Bearer ${KEY}` } };
    const allowed = async (origin: string) =>
      shared(await sendFrom(sandbox, origin, LIST, init)).origin;
    expect(await allowed('capacitor://localhost')).toBe('capacitor://localhost');
    expect(await allowed(FOREIGN)).toBe(null);
    expect(() => createSandbox({ cors: [] })).not.toThrow();
  });

  test.each([
    [[ORIGIN, 'http://a/'], '"http://a/"; did you mean "http://a"?'],
    [[ORIGIN, '*'], '"*".'],
    [[ORIGIN, ''], '"".'],
    [[[ORIGIN]], '["http://localhost:5173"].'],
    [[5173], '5173.'],
  ])('refuses %j, and names what is wrong in the list', (cors, got) => {
    expect(() => createSandbox({ cors: cors as string[] })).toThrow(`alone; got ${got}`);
  });
});
