import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { textLine } from '../../src/control/log-line.ts';
import type { LogMode, SandboxOptions } from '../../src/index.ts';
import { refuseUnreadable } from '../../src/node/client-errors.ts';
import { startServer } from '../../src/tools/serve.ts';
import type { ControlCall } from '../../src/world/activity.ts';
import { exchange } from '../support/raw-exchange.ts';
import { exampleOf } from '../support/requests.ts';

const DEMO_KEY = 'sk_sandbox_demo';
const BASE = '/api/merchant/micro_health';
/** Its paths as a line shows them. */
const SHOWN = 'micro_health';
const LIST = `${BASE}/all_subscriptions`;
const QUOTE = exampleOf('getMicroHealthQuote');
const NOBODY = { authorization: 'Bearer sk_nobody' };
/** Time of day and milliseconds, which differ from call to call. */
const PLAIN = (logged: string) =>
  logged
    .replace(/^\d\d:\d\d:\d\d/gm, 'TIME')
    .replace(/^(TIME .*?) \d+(\.\d)? ms(?= {2}|$)/gm, '$1 MS');

/** A sandbox over a socket that logs every call, and calls of its demo merchant. */
async function loggedSandbox(
  style: {
    readonly mode?: LogMode;
    readonly colours?: boolean;
    readonly columns?: number | undefined;
  } = {},
  options: SandboxOptions = {},
) {
  const { mode = 'calls', colours = false, columns } = style;
  let logged = '';
  const write = (text: string, done: () => void) => {
    logged += text;
    done();
  };
  const output = { isTerminal: columns !== undefined, columns, write, abandon: () => undefined };
  const server = await startServer({ port: 0, ...options }, { log: { mode, output, colours } });
  onTestFinished(() => server.close());
  const call = (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${DEMO_KEY}`, ...init.headers };
    return fetch(server.url + path, { ...init, headers });
  };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/json', ...more };
    return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  /** The log, once the sandbox is closed. */
  const ended = async () => {
    await server.close();
    return logged;
  };
  return { server, call, post, ended };
}

describe('a line of the request log', () => {
  test('has time, status, request, duration and why it was refused', async () => {
    const { call, post, ended } = await loggedSandbox();
    const purchase = exampleOf('initiateMicroHealthSubscription', { amount: 700 });
    const initiated = await post(`${BASE}/initiate`, purchase);
    const { token } = (await initiated.json()).data;
    await post(`${BASE}/verify`, { token }, { 'sandbox-fault': 'after; drop' }).catch(() => {});
    await post(`${BASE}/verify`, { token });
    await post(`${BASE}/get_quote`, { ...QUOTE, no_of_users: 'two', subscription_type: 'hourly' });
    await call(LIST, { headers: NOBODY });
    const lines = PLAIN(await ended()).split('\n');
    expect(lines).toEqual([
      `TIME 200  POST ${SHOWN}/initiate MS`,
      expect.stringMatching(
        /^TIME lost POST micro_health\/verify MS {2}fault after; drop: processed/,
      ),
      expect.stringMatching(
        /^TIME 400 {2}POST micro_health\/verify MS {2}used by req-1-2, whose resp/,
      ),
      expect.stringMatching(
        /^TIME 422 {2}POST micro_health\/get_quote MS {2}The no_of_users .*… \+1$/,
      ),
      expect.stringMatching(
        /^TIME 401 {2}GET micro_health\/all_sub\S+ MS {2}Unauthenticated\. {2}hint: .*…$/,
      ),
      '',
    ]);
  });

  test('is at most 100 characters, or as long as a wider terminal', async () => {
    for (const [columns, most] of [
      [undefined, 100],
      [80, 100],
      [130, 130],
    ] as const) {
      const { call, post, ended } = await loggedSandbox({ columns });
      await call(`${LIST}?${'page=1&'.repeat(40)}`, { headers: NOBODY });
      await call(`/${'x'.repeat(200)}`);
      await post(`${BASE}/initiate`, {}, { 'sandbox-fault': 'before; delay; ms=1' });
      await post('/api/merchant/group-life/policy/verify-group-life-policy', { token: 'x' });
      const lengths = (await ended()).split('\n').map(({ length }) => length);
      expect(Math.max(...lengths)).toBe(most);
    }
  });

  test('says wrong values before missing ones, and how many others there are', async () => {
    const { post, ended } = await loggedSandbox({ columns: 200 });
    await post(`${BASE}/initiate`, { gender: 'x', email: 'x' });
    await post(`${BASE}/initiate`, {});
    await post(`${BASE}/verify`, {});
    const [wrong, missing, one] = PLAIN(await ended()).split('\n');
    expect(wrong).toMatch(/ MS {2}The email field must .* \+\d+ {2}hint: gender was ignored/);
    expect(missing).toMatch(/ MS {2}The first_name field is required\. \+\d+$/);
    expect(one).toMatch(/ MS {2}The token field is required\.$/);
  });

  test('names the merchant once several have called', async () => {
    const { call, post, ended } = await loggedSandbox();
    const other = { authorization: 'Bearer sk_sandbox_other' };
    await call(LIST);
    await call(LIST, { headers: other });
    await call(LIST);
    await post(`${BASE}/verify`, {}, NOBODY);
    const lines = PLAIN(await ended()).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      `TIME 200  GET ${SHOWN}/all_subscriptions MS`,
      `TIME 200  GET ${SHOWN}/all_subscriptions MS  Other Merchant`,
      `TIME 200  GET ${SHOWN}/all_subscriptions MS  Demo Merchant`,
    ]);
    expect(lines[3]).toMatch(/^TIME 401 {2}POST micro_health\/verify MS {2}- {2}Unauthenticated/);
  });

  test('has local time, and milliseconds of real time', () => {
    const call: ControlCall = {
      kind: 'control',
      id: 1,
      merchant: undefined,
      method: 'GET',
      path: '/_sandbox/merchants',
      status: 200,
      problems: [],
      elapsedMs: 0.3149,
    };
    const style = { colours: false, bodies: false, columns: undefined, names: false };
    // The tests run in Los Angeles.
    const at = Date.UTC(2026, 0, 31, 20, 1, 7);
    expect(textLine(call, at, style)).toBe('12:01:07 200  GET /_sandbox/merchants 0.3 ms\n');
    expect(textLine({ ...call, elapsedMs: 2012.4 }, at + 999, style)).toContain('12:01:07');
    expect(textLine({ ...call, elapsedMs: 2012.4 }, at + 1000, style)).toBe(
      '12:01:08 200  GET /_sandbox/merchants 2012 ms\n',
    );
    // July has daylight saving time.
    expect(textLine(call, Date.UTC(2026, 6, 1, 20, 1, 7), style)).toMatch(/^13:01:07 /);
  });

  test('shows no key and no identity number', async () => {
    const { call, post, ended } = await loggedSandbox();
    await call(`${LIST}?api_key=hunter2&note=${DEMO_KEY}&nin_number=12345678901`);
    await call(`/_sandbox/journal?token=${DEMO_KEY}`);
    await post(`${BASE}/validate_policy/x?id_number=12345678901`, {});
    const logged = await ended();
    expect(logged).not.toMatch(/hunter2|12345678901|sk_sandbox_demo/);
    expect(logged).toContain(`${SHOWN}/all_subscriptions?api_key=[redac… `);
    expect(logged).toContain('/_sandbox/journal?token=[redacted] ');
  });

  test('is one line for any merchant name and any request', async () => {
    const { post, ended } = await loggedSandbox();
    const name = 'Ada\n\u001b[31m\u0007\u009b2J\u202ergb Ọlá 🦁';
    const created = await post('/_sandbox/merchants', { name });
    await post(`${BASE}/get_quote`, QUOTE);
    const key = `Bearer ${(await created.json()).api_key}`;
    await post(`${BASE}/get_quote`, { ...QUOTE, '\u001b[2J\r\n': 1 }, { authorization: key });
    const logged = await ended();
    expect(logged.trimEnd().split('\n')).toHaveLength(3);
    expect(logged).toContain('  Ada\\n\\u001b[31m\\u0007\\u009b2J\\u202ergb Ọlá 🦁');
    for (const line of logged.trimEnd().split('\n'))
      expect(line).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
  });
});

test('the request log shows the hint of a call', async () => {
  const { call, ended } = await loggedSandbox({ columns: 200 });
  await call(`${BASE}/all_subscription`);
  expect(PLAIN(await ended())).toBe(
    `TIME 404  GET ${SHOWN}/all_subscription MS  The route was not found.  ` +
      `hint: Did you mean GET ${LIST}?\n`,
  );
});

test('the request log describes what a fault did', async () => {
  const { call, ended } = await loggedSandbox({ columns: 200 });
  const cut = 'connection cut';
  const faults = [
    ['before; respond; status=503', '503', 'not processed'],
    ['after; respond; status=503', '503', 'processed, response replaced'],
    ['before; malformed', '200', 'not processed, broken JSON sent'],
    ['after; malformed', '200', 'processed, broken JSON sent'],
    ['before; truncate', 'lost', `not processed, half of the response sent, ${cut}`],
    ['after; truncate', 'lost', `processed, half of the response sent, ${cut}`],
    ['before; drop', 'lost', `not processed, ${cut}`],
    ['after; drop', 'lost', `processed with status 200, ${cut}`],
    ['before; delay; ms=20', '200', 'processing delayed by 20 ms'],
    ['after; delay; ms=20', '200', 'response delayed by 20 ms'],
    ['before; advance; by=P1D', '200', 'clock moved, then processed'],
    ['before; hang', 'lost', 'not processed, no response sent'],
    ['after; hang', 'lost', 'processed with status 200, no response sent'],
    ['before; delay; ms=60000', '200', 'processed early, sandbox stopping'],
    ['after; delay; ms=60000', 'lost', 'client disconnected, or sandbox stopping'],
  ] as const;
  for (const [fault] of faults) {
    const leaving = new AbortController();
    const init = { headers: { 'sandbox-fault': fault }, signal: leaving.signal };
    const answer = call(LIST, init).then((response) => response.text());
    if (/hang|60000/.test(fault)) {
      await call('/_sandbox/clock');
      leaving.abort();
    }
    await answer.catch(() => undefined);
  }
  const logged = PLAIN(await ended()).split('\n');
  expect(logged.filter((line) => line.includes('  fault ')).sort()).toEqual(
    faults
      .map(
        ([fault, status, words]) =>
          `TIME ${status.padEnd(4)} GET ${SHOWN}/all_subscriptions MS  fault ${fault}: ${words}`,
      )
      .sort(),
  );
});

describe('a page of an origin that is not allowed', () => {
  const PAGE = 'http://127.0.0.1:5240';
  const asPage = {
    origin: PAGE,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };

  test('is one line with the flag to add, and no call without a key', async () => {
    const { server, call, ended } = await loggedSandbox({}, { cors: 'http://localhost:5173' });
    await fetch(server.url + LIST, { method: 'OPTIONS', headers: asPage });
    await fetch(server.url + LIST, { headers: { origin: PAGE } });
    await fetch(`${server.url}/openapi.json`, { headers: { origin: PAGE } });
    const all = await call('/_sandbox/journal/all', { headers: { origin: server.url } });
    expect((await all.json()).data).toEqual([]);
    const line = `TIME page of ${PAGE}: start with --cors http://localhost:5173,${PAGE}`;
    expect(PLAIN(await ended()).split('\n')).toEqual([
      ...[line, line, line],
      'TIME 200  GET /_sandbox/journal/all MS',
      '',
    ]);
  });

  test('is a line beside a call with a key, which a program may have sent', async () => {
    const { call, ended } = await loggedSandbox();
    await call(LIST, { headers: { origin: PAGE } });
    expect(PLAIN(await ended())).toBe(
      `TIME page of ${PAGE}: start with --cors ${PAGE}\nTIME 200  GET ${SHOWN}/all_subscriptions MS\n`,
    );
  });

  test('is an object of its own with --log json', async () => {
    const { server, ended } = await loggedSandbox({ mode: 'json' });
    await fetch(server.url + LIST, { method: 'OPTIONS', headers: asPage });
    expect(JSON.parse(await ended())).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      page: PAGE,
      hint: `start with --cors ${PAGE}`,
    });
  });

  test('is one line for any Origin', async () => {
    const { server, ended } = await loggedSandbox();
    const { port } = server;
    const socket = connect(port, '127.0.0.1');
    const origin = Buffer.from('http://a\u009b2J\u0085b', 'latin1');
    socket.write(`OPTIONS ${LIST} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`);
    socket.write('Access-Control-Request-Method: GET\r\nOrigin: ');
    socket.write(origin);
    socket.end('\r\n\r\n');
    await once(socket.resume(), 'close');
    expect(PLAIN(await ended())).toBe(
      "TIME page of http://a\\u009b2J\\u0085b: start with --cors '*'\n",
    );
  });
});

describe('a request that is not valid HTTP', () => {
  const HEAD = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${DEMO_KEY}\r\n`;
  const CHUNKED = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const NOT_HTTP = 'The request is not valid HTTP: ';

  test.each([
    ['no request line', 'HELLO\r\n\r\n', 400, `${NOT_HTTP}Invalid method encountered.`],
    ['a blank in a header name', `${HEAD}a b: c\r\n\r\n`, 400, `${NOT_HTTP}Invalid header token.`],
    [
      'large headers',
      `${HEAD}x: ${'x'.repeat(16_384)}\r\n\r\n`,
      431,
      'The request line and the headers must not be larger than 16384 bytes.',
    ],
    ['TLS', '\x16\x03\x01\x02', 400, 'The request is encrypted. Use http:// instead of https://.'],
    [
      'a chunk without a size',
      `${HEAD.replace('GET', 'POST')}${CHUNKED}zz\r\n`,
      400,
      `${NOT_HTTP}Invalid character in chunk size.`,
    ],
    [
      'a chunk with a large extension',
      `${HEAD.replace('GET', 'POST')}${CHUNKED}2;a=${'x'.repeat(32_768)}\r\n{}\r\n0\r\n\r\n`,
      413,
      'The chunk extensions of the request are too large.',
    ],
  ])('with %s is answered and logged with the reason', async (_, text, status, detail) => {
    const { server, ended } = await loggedSandbox();
    const [head = '', body = ''] = (await exchange(server.port, text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, detail });
    expect(PLAIN(await ended())).toBe(`TIME ${status}  - - MS  ${detail}\n`);
  });

  test('is answered with 408 if its headers do not arrive in time', async () => {
    const server = createServer();
    refuseUnreadable(server, () => undefined);
    const socket = new PassThrough();
    // As Node reports it after a minute.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, Object.assign(socket, { destroySoon: () => socket.end() }));
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*The headers of the request did not arrive in time\./s,
    );
  });

  test('is answered after the complete request before it', async () => {
    const { server } = await loggedSandbox();
    const fault = 'Sandbox-Fault: before; delay; ms=50\r\n\r\n';
    const heard = await exchange(server.port, `${HEAD}${fault}HELLO\r\n\r\n`);
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('control calls in the request log', () => {
  test('say why they were refused', async () => {
    const { server, call, post, ended } = await loggedSandbox({ columns: 200 });
    await call('/_sandbox/clock');
    await call('/_sandbox/clock', { headers: NOBODY });
    await post('/_sandbox/faults', { stage: 'never', effect: { kind: 'drop' }, times: 0 });
    await call('/_sandbox/clock', { method: 'PATCH' });
    await call('/_sandbox/nowhere');
    await fetch(`${server.url}/_sandbox/merchants`);
    expect(PLAIN(await ended())).toBe(
      `${[
        'TIME 200  GET /_sandbox/clock MS',
        'TIME 401  GET /_sandbox/clock MS  No merchant has this key. Start the sandbox with --auto-merchants to give every unknown key a World of its own.',
        'TIME 422  POST /_sandbox/faults MS  stage: expected "before" or "after", got "never" +1',
        'TIME 405  PATCH /_sandbox/clock MS  /_sandbox/clock supports GET, HEAD, PUT, not PATCH.',
        'TIME 404  GET /_sandbox/nowhere MS  Unknown path /_sandbox/nowhere; see /_sandbox/openapi.json.',
        'TIME 200  GET /_sandbox/merchants MS',
      ].join('\n')}\n`,
    );
  });

  test('say what they did', async () => {
    const { call, post, ended } = await loggedSandbox({ columns: 200 });
    const put = (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return call(path, { method: 'PUT', headers, body: JSON.stringify(body) });
    };
    const purchase = exampleOf('initiateMicroHealthSubscription', { amount: 700 });
    await put('/_sandbox/clock', { mode: 'frozen' });
    await post(`${BASE}/initiate`, purchase);
    const saved = await (await call('/_sandbox/snapshot')).json();
    await post('/_sandbox/clock/advance', { by: 'PT15M' });
    await post('/_sandbox/rewind', { to: 'req-1-1' });
    await post('/_sandbox/faults', { stage: 'after', effect: { kind: 'drop' } });
    await call('/_sandbox/faults/fault-1', { method: 'DELETE' });
    await put('/_sandbox/snapshot', saved);
    await call('/_sandbox/journal', { method: 'DELETE' });
    await post('/_sandbox/reset', {});
    await post('/_sandbox/merchants', {});
    await post('/_sandbox/merchants/3/rotate_key', {});
    await call('/_sandbox/merchants/3', { method: 'DELETE' });
    await post('/_sandbox/reset_all', {});
    const lines = PLAIN(await ended())
      .trimEnd()
      .split('\n');
    expect(lines.filter((line) => !line.includes(SHOWN))).toEqual([
      'TIME 200  PUT /_sandbox/clock MS  clock frozen',
      'TIME 200  GET /_sandbox/snapshot MS',
      'TIME 200  POST /_sandbox/clock/advance MS  clock +15 min, 1 purchase expired',
      'TIME 200  POST /_sandbox/rewind MS  World rewound to before req-1-1',
      'TIME 201  POST /_sandbox/faults MS  fault added: after; drop',
      'TIME 204  DELETE /_sandbox/faults/fault-1 MS  fault removed: after; drop',
      'TIME 200  PUT /_sandbox/snapshot MS  World restored',
      'TIME 204  DELETE /_sandbox/journal MS  journal cleared',
      'TIME 200  POST /_sandbox/reset MS  World reset',
      'TIME 201  POST /_sandbox/merchants MS  merchant 3 created',
      'TIME 200  POST /_sandbox/merchants/3/rotate_key MS  merchant 3 has a new key',
      'TIME 204  DELETE /_sandbox/merchants/3 MS  merchant 3 removed',
      'TIME 200  POST /_sandbox/reset_all MS  World reset',
    ]);
  });

  test('do not include health, pages, documents and the event stream', async () => {
    const { server, ended } = await loggedSandbox();
    const paths = ['/livez', '/readyz', '/', '/docs', '/openapi.json'];
    const own = ['', '/openapi.json', '/assets/inspector.js'].map((path) => `/_sandbox${path}`);
    for (const path of [...paths, ...own]) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    }
    const stream = await fetch(`${server.url}/_sandbox/events`);
    await stream.body?.cancel();
    expect(await ended()).toBe('');
  });
});

describe('on a terminal', () => {
  test('statuses are coloured by their kind, control calls dimmed', async () => {
    const { call, ended } = await loggedSandbox({ colours: true });
    await call(LIST);
    await call(LIST, { headers: NOBODY });
    await call(LIST, { headers: { 'sandbox-fault': 'before; respond; status=503' } });
    await call('/_sandbox/clock');
    const [fine, refused, failed, control] = (await ended()).split('\n');
    expect(fine).toContain(' \u001b[32m200\u001b[39m ');
    expect(refused).toContain(' \u001b[33m401\u001b[39m ');
    expect(failed).toContain(' \u001b[31m503\u001b[39m ');
    expect(control).toContain(' \u001b[32m200\u001b[39m ');
    expect([control?.slice(0, 4), control?.slice(-5)]).toEqual(['\u001b[2m', '\u001b[22m']);
  });
});

test('--log bodies shows the request and response bodies, indented and redacted', async () => {
  const { post, ended } = await loggedSandbox({ mode: 'bodies' });
  await post(`${BASE}/get_quote`, { ...QUOTE, nin_number: '12345678901' });
  expect(PLAIN(await ended())).toBe(
    `TIME 200  POST ${SHOWN}/get_quote MS  hint: nin_number was ignored.
  request {
    "no_of_users": 2,
    "subscription_type": "monthly",
    "product_id": 1,
    "nin_number": "[redacted]"
  }
  response {
    "success": true,
    "response_message": "Quote price get successful",
    "response_code": "QOT101",
    "data": {
      "quote_price": 700
    }
  }
`,
  );
});

test('--log bodies folds lists after three elements', async () => {
  const { post, ended } = await loggedSandbox({ mode: 'bodies' });
  await post(`${BASE}/get_quote`, { ...QUOTE, no_of_users: [1, 2, 3, 4, 5], tags: [[1], []] });
  const logged = await ended();
  expect(logged).toContain(`"no_of_users": [
      1,
      2,
      3,
      … 2 more
    ],`);
  expect(logged).not.toContain('4,');
});

test('--log json writes journal entries with merchant and real milliseconds, also for control calls', async () => {
  const { server, call, post, ended } = await loggedSandbox({ mode: 'json' });
  await post(`${BASE}/get_quote`, QUOTE);
  await call(LIST, { headers: NOBODY });
  await call('/_sandbox/clock', { method: 'PUT' });
  const journal = await fetch(`${server.url}/_sandbox/journal/all`);
  const [anonymous, quote] = (await journal.json()).data;
  const lines = (await ended()).trimEnd().split('\n').slice(0, 3);
  const merchant = { id: 1, name: 'Demo Merchant' };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...quote, merchant, received_at: expect.any(String), elapsed_ms: expect.any(Number) },
    {
      ...anonymous,
      merchant: null,
      received_at: expect.any(String),
      elapsed_ms: expect.any(Number),
    },
    {
      id: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      operation: null,
      method: 'PUT',
      path: '/_sandbox/clock',
      status: 415,
      duration_ms: null,
      fault: null,
      hint: null,
      assumptions: [],
      problems: [{ rule: 'refused', message: expect.stringContaining('Content-Type') }],
      summary: '',
      changes: [],
      request: null,
      response: null,
      merchant,
      received_at: expect.any(String),
      elapsed_ms: expect.any(Number),
    },
  ]);
});
