import { describe, expect, test } from 'vitest';
import { attachStorage } from '../../src/control/merchant-store.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import { NotStoredError } from '../../src/world/tables.ts';
import type { WorldCore } from '../../src/world/world.ts';
import { createClient, operations } from '../support/client.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { exampleOf } from '../support/requests.ts';

const ORIGIN = 'http://localhost:5173';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const KEY = 'sk_sandbox_demo';

const send = (sandbox: Sandbox, path: string, init: RequestInit = {}) =>
  sandbox.fetch(new Request(`http://sandbox${path}`, init));

const preflight = (
  sandbox: Sandbox,
  path: string,
  { origin = ORIGIN, method = 'POST' }: { origin?: string; method?: string } = {},
) =>
  send(sandbox, path, {
    method: 'OPTIONS',
    headers: {
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
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization,Content-Type,Sandbox-Fault',
    );
    expect(response.headers.get('vary')).toContain('Origin');
  });

  test('from another origin returns the allowed origin', async () => {
    const sandbox = createSandbox({ cors: ORIGIN });
    const response = await preflight(sandbox, LIST, { origin: 'http://elsewhere.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
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
    const answered = await everyAnswer(createClient({ cors: ORIGIN }));
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
      const response = await send(sandbox, path, init);
      expect(response.status).toBe(status);
      expect(shared(response), `${status}`).toEqual(READABLE);
    }
  });

  test.each(['respond; status=503', 'malformed', 'delay; ms=1'])(
    'a response with the fault "%s"',
    async (effect) => {
      for (const stage of ['before', 'after']) {
        const sandbox = createSandbox({ cors: ORIGIN });
        const response = await send(sandbox, LIST, {
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
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
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

test.each(['/', '/livez', '/readyz', '/docs', '/openapi.json', '/_sandbox', '/_sandbox/clock'])(
  '%s sends no CORS headers',
  async (path) => {
    const sandbox = createSandbox({ cors: '*' });
    const headers = { origin: ORIGIN, authorization: `Bearer ${KEY}` };
    const response = await send(sandbox, path, { headers });
    expect(response.status).toBe(200);
    expect(shared(response)).toEqual(NOT_SHARED);
    expect((await preflight(sandbox, path, { method: 'GET' })).ok).toBe(false);
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
      `cors must be an origin as browsers send it, such as http://localhost:5173, or *; got "${cors}"; did you mean "${meant}"?`,
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
});
