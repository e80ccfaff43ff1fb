/* Checks servers that are bad as a whole: each ends in a report, or in one clear line with exit 2. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { toJson, toJUnit, toText } from '../../src/tools/check/report.ts';
import type { Fetch } from '../../src/tools/check/send.ts';
import { systemNow } from '../../src/world/clock.ts';
import { createDemoClient } from '../support/client.ts';
import type { Json } from './mutants/mutate.ts';
import {
  command,
  fake,
  idsOf,
  KEY,
  OTHER_KEY,
  reasonsIn,
  runCheck,
  serve,
  told,
  withHeader,
  withOutcome,
  withoutControl,
} from './support.ts';

const answers =
  (status: number, headers: Record<string, string>, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

const JSON_TYPE = { 'content-type': 'application/json' };

test.each<[string, RequestListener, RegExp]>([
  [
    'HTML',
    answers(200, {}, '<!doctype html><h1>Hi</h1>'),
    /returned 200 with HTML: <!doctype html>/,
  ],
  [
    'a redirect',
    answers(302, { location: `/login?key=${KEY}` }, ''),
    /redirects to \/login\?key=\[key\]; use the final address as --url/,
  ],
  ['an empty body', answers(200, {}, ''), /returned 200 with an empty body\./],
  ['a cut connection', ({ socket }) => void socket.destroy(), /cut the connection/],
  [
    'half a response',
    (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' });
      response.write('{"success":', () => response.destroy());
    },
    /cut the connection/,
  ],
  ['20 MB', answers(200, JSON_TYPE, `"${'x'.repeat(20_000_000)}"`), /sent more than 10 MB/],
  ['no HTTP', ({ socket }) => void socket.end('SSH-2.0\r\n'), /sent a response that is not HTTP/],
  ['JSON that is no object', answers(200, JSON_TYPE, '[1]'), /with JSON that is no object: \[1\]/],
  ['404', answers(404, JSON_TYPE, '{"message":"Not Found"}'), /has no path of the contract/],
  [
    '500',
    answers(500, JSON_TYPE, '{"detail":"Down"}'),
    /refuses every list and quote with 500: "Down"/,
  ],
  [
    'success: false',
    answers(200, JSON_TYPE, '{"success":false,"message":"Closed"}'),
    /refuses every list and quote with 200: "Closed"/,
  ],
  [
    'a refused key',
    answers(401, JSON_TYPE, `{"message":"Unauthenticated: ${KEY}"}`),
    /refuses the key with 401: "Unauthenticated: \[key\]"/,
  ],
])('a server that answers everything with %s is one line', async (_what, listener, reason) => {
  const url = await fake(listener);
  const { code, out, err } = await command(['--url', url, '--key', KEY]);
  expect([code, out]).toEqual([2, '']);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).toMatch(reason);
  expect(err).toContain(url);
  expect(err).not.toContain(KEY);
});

test('a server that is down is one line', async () => {
  const { code, err } = await command(['--url', 'http://127.0.0.1:2', '--key', KEY]);
  expect(err).toMatch(/refused the connection: nothing is listening there/);
  expect(code).toBe(2);
});

test('a server that hangs is one line after the time limit', async () => {
  const hangs: Fetch = () => new Promise(() => undefined);
  await expect(runCheck(hangs, { timeout: 20 })).rejects.toThrow(
    /sent no complete response within 0.02 s/,
  );
});

test('a wrong base path is one line with the right one', async () => {
  const sandbox = serve();
  const right = withoutControl(async (request) =>
    new URL(request.url).pathname.startsWith('/api/merchant')
      ? sandbox(request)
      : new Response('{}', { status: 404 }),
  );
  await expect(runCheck(right, { url: 'http://localhost/api/v2' })).rejects.toThrow(
    'http://localhost/api/v2 has no path of the contract (/api/merchant/micro_health/all_subscriptions returns 404); try --url http://localhost.',
  );
});

/** A clock on which waiting takes no time. */
function impatientTime() {
  const waits: number[] = [];
  const wait = (ms: number, signal?: AbortSignal) => {
    // A time limit ends with its request.
    if (signal) return new Promise<void>(() => undefined);
    waits.push(ms);
    return Promise.resolve();
  };
  return { waits, time: { now: systemNow, wait } };
}

test('a server that limits every request is one line after a minute of waiting', async () => {
  const { time, waits } = impatientTime();
  const limited: Fetch = async () =>
    new Response('', { status: 429, headers: { 'retry-after': '7' } });
  await expect(runCheck(limited, {}, time)).rejects.toThrow(
    /returned 429 and asks to wait 7 s; the check waited 56 s in all/,
  );
  expect(waits).toEqual(Array.from({ length: 8 }, () => 7000));
});

test('a server that limits some requests is checked as any other', async () => {
  const sandbox = serve();
  const { time } = impatientTime();
  let turn = 0;
  const report = await runCheck(
    async (request) => {
      turn += 1;
      if (turn % 9 === 0) return new Response('', { status: 429 });
      return turn % 9 === 4
        ? new Response('', { status: 503, headers: { 'retry-after': '0' } })
        : sandbox(request);
    },
    {},
    time,
  );
  expect(told(report)).toEqual([]);
});

/** A sandbox without a control plane, whose answers to some paths are others. */
function altered(change: (path: string, answer: Response) => Response | Promise<Response>): Fetch {
  const sandbox = withoutControl(serve());
  return async (request) => change(new URL(request.url).pathname, await sandbox(request));
}

/** The same, where the bodies of successes at a path are others. */
const telling = (end: string, change: (body: Json) => unknown): Fetch =>
  altered(async (path, answer) =>
    path.endsWith(end) && answer.ok ? Response.json(change(await answer.json()), answer) : answer,
  );

/** Every form of a report can be written. */
const forms = (report: Awaited<ReturnType<typeof runCheck>>) =>
  [toText(report, true), toJson(report), toJUnit(report)].join('\n');

test('a server with three endpoints is told what is missing, and its three are checked', async () => {
  const three = ['get_quote', 'initiate', 'verify'].map(
    (end) => `/api/merchant/micro_health/${end}`,
  );
  const report = await runCheck(
    altered((path, answer) =>
      three.includes(path) ? answer : Response.json({ message: 'Not Found' }, { status: 404 }),
    ),
  );
  const works = report.probes.filter(({ id }) => id.startsWith('works.'));
  expect(works.filter(({ outcome }) => outcome === 'ok').map(({ operation }) => operation)).toEqual(
    ['getMicroHealthQuote', 'initiateMicroHealthSubscription', 'verifyMicroHealthSubscription'],
  );
  expect(works.filter(({ outcome }) => outcome === 'differs').length).toBeGreaterThan(5);
  expect(withOutcome(report, 'not_asked').length).toBeGreaterThan(30);
  // An operation that is not there has no wrong method.
  const others = /^(status-of-method-not-allowed|allow|users)$/;
  expect(told(report).filter((id) => others.test(id))).toEqual([]);
});

test('one operation that hangs, cuts or answers too much is asked once, and the others are checked', async () => {
  let asked = 0;
  const sandbox = withoutControl(serve());
  const report = await runCheck(async (request) => {
    if (!request.url.includes('motor_policy_quote')) return sandbox(request);
    asked += 1;
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
    });
  });
  const differ = withOutcome(report, 'differs');
  expect(differ.map(({ id }) => id)).toEqual(['works.getMotorQuote']);
  expect(differ[0]?.seen).toContain('cut the connection');
  // Once to find a product, once as a probe.
  expect(asked).toBe(2);
});

test('JSON that is nested 3,000 deep ends in a report', async () => {
  const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
  const report = await runCheck(
    altered(async (path, answer) =>
      path.endsWith('all_subscriptions') || path.endsWith('quote')
        ? answer
        : new Response(
            (await answer.text()).replace('"data":{', `"data":{"extra":${deep},`),
            answer,
          ),
    ),
  );
  expect(forms(report)).toContain('answered with 200 and a body that cannot be read as JSON');
});

test('a list of 10,000 policies is checked like any other', async () => {
  const more = ({ data, ...body }: Json) => {
    const others = Array.from({ length: 10_000 }, (_, place) => ({
      ...data[0],
      policy_number: `INS${1e12 + place}`,
    }));
    return { ...body, data: [...others, ...data] };
  };
  expect(told(await runCheck(telling('get_comprehensive_motor_policies', more)))).toEqual([]);
});

test('a server that keeps no purchase hides policies: that comes first', async () => {
  const empty = (body: Json) => ({ ...body, data: [] });
  const report = await runCheck(telling('get_comprehensive_motor_policies', empty));
  expect(idsOf(report, 'differs')).toContain('listed');
  expect(toText(report).split('\n')[3]).toBe('✗ A bought policy is in the list');
});

/** A server on which one motor purchase waits at a time: another one replaces it, or is refused. */
function oneAtATime(isReplaced: boolean): Fetch {
  const sandbox = withoutControl(serve());
  let waiting: string | undefined;
  const refusal = () =>
    Response.json(
      { success: false, response_message: 'No', response_code: '400', data: { error: ['No'] } },
      { status: 400 },
    );
  return async (request) => {
    const isVerify = request.url.endsWith('motor_verify_policy');
    const isInitiate = request.url.endsWith('motor_initiate_policy');
    const body = await request.clone().text();
    if (isVerify && waiting !== undefined && !body.includes(waiting)) return refusal();
    if (isInitiate && waiting !== undefined && !isReplaced) return refusal();
    const answer = await sandbox(request);
    if (isInitiate && answer.ok) waiting = (await answer.clone().json()).data.token;
    if (isVerify && answer.ok) waiting = undefined;
    return answer;
  };
}

test.each([
  ['replaces', true],
  ['refuses', false],
])('a server that %s a purchase while another one waits is told', async (_what, isReplaced) => {
  const report = await runCheck(oneAtATime(isReplaced));
  expect(idsOf(report, 'differs')).toContain('waits');
});

/** The same body with other text in it. */
const replaced = (body: Json, text: string | RegExp, other: string) =>
  JSON.parse(JSON.stringify(body).replaceAll(text, other));

test('have_beneficiaries that is always true is told', async () => {
  const always = (body: Json) =>
    replaced(body, '"have_beneficiaries":false', '"have_beneficiaries":true');
  expect(told(await runCheck(telling('all_subscriptions', always)))).toEqual(['echo.micro-health']);
});

test.each(['/api/merchant/micro_health/all_subscriptions?', 'http://:/?'])(
  'page URLs that are no absolute URLs, such as %s, are told',
  async (url) => {
    const pattern = /"http[^"]+all_subscriptions\?(?=[^"]*page=)/g;
    const report = await runCheck(
      telling('all_subscriptions', (body) => replaced(body, pattern, `"${url}`)),
    );
    expect(idsOf(report, 'differs')).toContain('page-links');
  },
);

test('a server that accepts everything confirms no refusal', async () => {
  const { body: success } = await createDemoClient().call('listMotorPolicies');
  const report = await runCheck(
    altered((_path, answer) => (answer.status === 200 ? answer : Response.json(success))),
  );
  const ok = idsOf(report, 'ok');
  for (const id of ['key', 'token-unknown', 'expired-token', 'email']) {
    expect(ok).not.toContain(id);
  }
});

test('a new merchant whose purchases are refused is told that, and nothing that needs one', async () => {
  const report = await runCheck(
    altered((path, answer) => {
      if (!path.includes('initiate') || ![200, 422].includes(answer.status)) return answer;
      const response_code = path.includes('group') ? 422 : '422';
      const closed = { success: false, response_message: 'Closed', data: { error: ['x'] } };
      return Response.json({ ...closed, response_code }, { status: 422 });
    }),
    { key: OTHER_KEY },
  );
  expect(idsOf(report, 'differs')).toEqual([
    'works.initiateMicroHealthSubscription',
    'works.initiateMotorPolicy',
    'works.initiateGroupLifePolicy',
  ]);
  expect(reasonsIn(report)).toContain(
    'initiateMotorPolicy as specified was refused with 422: "Closed"',
  );
});

test('a list that answers too much does not keep the other operations from being checked', async () => {
  const report = await runCheck(
    altered((path, answer) =>
      path.endsWith('all_subscriptions') ? new Response('x'.repeat(11_000_000)) : answer,
    ),
  );
  const works = report.probes.filter(({ id }) => id.startsWith('works.'));
  expect(works.filter(({ outcome }) => outcome !== 'ok').map(({ seen }) => seen)).toEqual([
    'sent more than 10 MB in one response',
  ]);
});

test('where the answers of a server do not agree, the one that is not as published is told', async () => {
  const sandbox = withoutControl(
    serve({ profile: { version: 1, decisions: { 'phone-digits': 'any' } } }),
  );
  const isKeyless = ({ headers }: Request) => !headers.has('authorization');
  const report = await runCheck(async (request) => {
    const answer = await sandbox(request.clone());
    if (isKeyless(request) && request.method === 'POST') {
      return Response.json(await answer.json(), { status: 403, headers: answer.headers });
    }
    const isShort = (await request.text()).includes('"0999000000"');
    if (!isShort || !request.url.includes('group-life') || !answer.ok) return answer;
    const refusal = { success: false, response_message: 'The phone_no field is short.' };
    return Response.json(
      { ...refusal, response_code: 422, data: { error: ['The phone_no field is short.'] } },
      { status: 422 },
    );
  });
  const [phone, status] = ['phone-digits', 'status-of-unauthenticated'].map((id) =>
    report.probes.find((probe) => probe.id === id),
  );
  expect(phone).toMatchObject({
    expected: '"eleven"',
    seen: '"any" here, "eleven" elsewhere',
    call: { path: '/api/merchant/micro_health/initiate' },
  });
  expect(status).toMatchObject({
    expected: '{"micro_health":{"unauthenticated":401}}',
    seen: '{"micro_health":{"unauthenticated":403}} here, {"micro_health":{"unauthenticated":401}} elsewhere',
    call: { method: 'POST' },
  });
});

test('what was expected is told of a field that a server does not require', async () => {
  const decisions = { 'id-url': { required: false }, 'nin-number': { required: false } } as const;
  const report = await runCheck(serve({ profile: { version: 1, decisions } }));
  const told = withOutcome(report, 'differs').map(({ id, expected, seen }) => [id, expected, seen]);
  expect(told).toEqual([
    ['nin-number', '"eleven"', '{"required":false}'],
    ['id-url', '"required"', '{"required":false}'],
  ]);
});

test('one message that differs is shown, and none of the others', async () => {
  const report = await runCheck(
    telling('group-life-policy-details', (body) => ({ ...body, response_message: 'Here it is' })),
  );
  const message = (text: string) => JSON.stringify({ getGroupLifePolicyDetails: text });
  expect(withOutcome(report, 'differs')).toMatchObject([
    {
      expected: message('Group life policy retrieved successfully'),
      seen: message('Here it is'),
      deviation: { getGroupLifePolicyDetails: 'Here it is' },
    },
  ]);
});

test.each(['k', 'notes', 'probe', 'Bearer', '1', 'e', 'verifyMotorPolicy'])(
  'a key that is a word of the report, %s, spoils no word of ours',
  async (key) => {
    const sandbox = withoutControl(serve());
    const report = await runCheck(
      (request) => {
        const isOwn = request.headers.get('authorization')?.endsWith(` ${key}`);
        return sandbox(isOwn ? withHeader(request, 'authorization', `Bearer ${KEY}`) : request);
      },
      { key },
    );
    expect(told(report)).toEqual([]);
    expect(forms(report)).not.toContain('[key]');
  },
);

test('a key that is a word of a difference spoils no word of ours', async () => {
  const key = 'header';
  const sandbox = withoutControl(serve({ autoMerchants: true }));
  const report = await runCheck(
    async (request) => {
      const { status, body, headers } = await sandbox(request);
      const others = [...headers].filter(([name]) => name !== 'allow');
      return new Response(body, { status, headers: others });
    },
    { key },
  );
  expect(report.probes.find(({ id }) => id === 'allow')?.seen).toBe(
    'no such header (every operation)',
  );
});

test('keys that a server echoes are hidden in every form of the report', async () => {
  const keys = ['sk/live+<key>"&1', 'sk_other_1234567890'] as const;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const echoes = keys.flatMap((key) => [
    key,
    key.toUpperCase(),
    encodeURIComponent(key),
    encodeURIComponent(encodeURIComponent(key)),
    JSON.stringify(key).slice(1, -1),
    [...key].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    Buffer.from(key).toString('hex'),
    ...['', 'B', 'Be', 'Bearer '].map((before) => base64(before + key)),
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ]);
  let turn = 0;
  const report = await runCheck(
    async () => {
      turn += 1;
      const echo = echoes[turn % echoes.length] as string;
      const refusal = {
        success: false,
        response_message: echo,
        data: { error: [echo], [echo]: 1 },
        [echo]: 1,
      };
      const success = {
        success: true,
        response_message: echo,
        data: { token: echo, [echo]: echo },
      };
      return Response.json(turn % 5 === 0 ? refusal : success, {
        status: turn % 5 === 0 ? 400 : 200,
        headers: { 'www-authenticate': `Basic ${echo}`, allow: echo },
      });
    },
    { key: keys[0], otherKey: keys[1] },
  );
  const text = `${forms(report)}${JSON.stringify(report.profile)}`.toLowerCase();
  const parts = ['sk/live', 'sk%2flive', 'sk_other', base64('live+<key'), '1234567890'];
  for (const echo of [...echoes, ...parts]) expect(text).not.toContain(echo.toLowerCase());
  expect(text).toContain('[key]');
});
