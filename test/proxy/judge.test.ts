import { describe, expect, test } from 'vitest';
import { judge, operationOf } from '../../src/tools/proxy/judge.ts';
import { runCheck, serve } from '../check/support.ts';
import { createDemoClient, operationOf as named } from '../support/client.ts';
import { exampleOf, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';

const HEADERS = { authorization: 'Bearer sk_sandbox_demo', 'content-type': 'application/json' };

interface Told {
  readonly status?: number;
  // biome-ignore lint/suspicious/noExplicitAny: a response that may break its schema
  readonly received?: any;
  /** The body, if it is not the JSON of `received`. */
  readonly text?: string;
  readonly sent?: unknown;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly query?: string;
}

/** The differences of a call with this response. */
function differences(operationId: string, told: Told) {
  const operation = named(operationId);
  const { status = 200, sent = exampleOf(operationId), query = '' } = told;
  const { text = JSON.stringify(told.received) } = told;
  return judge({
    operation,
    method: told.method ?? operation.method.toUpperCase(),
    target: operation.path + query,
    headers: told.headers ?? HEADERS,
    sent: new TextEncoder().encode(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    status,
    text,
  });
}

test.each([
  ['<h1>Bad gateway</h1>', 502, 'HTML'],
  ['', 200, 'an empty body'],
  ['{"success":', 200, 'a body that cannot be read as JSON'],
])('a body without JSON is told as that: %j', (text, status, seen) => {
  const told = differences('getMotorQuote', { status, text });
  expect(told.filter(({ path }) => path === '$')).toEqual([{ path: '$', expected: 'JSON', seen }]);
});

const QUOTE = {
  success: true,
  data: { premium: 250_000, amount_insured: 5_000_000 },
  response_message: 'Comprehensive motor quote retrieved successfully',
  response_code: '',
};
const quote = (change: object) =>
  differences('getMotorQuote', { received: { ...QUOTE, ...change } });
const refused = (message: string, code: string) => ({
  success: false,
  response_message: message,
  response_code: code,
  data: { error: [message] },
});

test('a sandbox does not differ in any call of a check', async () => {
  const sandbox = serve();
  const told: unknown[] = [];
  await runCheck(async (request) => {
    const { method, url, headers } = request.clone();
    const sent = new Uint8Array(await request.clone().arrayBuffer());
    const answer = await sandbox(request);
    const { pathname, search } = new URL(url);
    const operation = operationOf(pathname);
    if (!operation) return answer;
    const { status } = answer;
    const text = await answer.clone().text();
    const exchange = { operation, method, target: pathname + search, sent, status, text };
    told.push(...judge({ ...exchange, headers: Object.fromEntries(headers) }));
    return answer;
  });
  expect(told).toEqual([]);
});

describe('a success', () => {
  test('has status 200', () => {
    expect(differences('getMotorQuote', { status: 201, received: QUOTE })).toEqual([
      { path: 'status', expected: '200', seen: '201' },
    ]);
  });

  test.each([
    [{ data: { premium: '250000' } }, '$.data.premium', 'a number', 'a text of 6 digits'],
    [{ data: { premium: 1 } }, '$.data.amount_insured', 'a number', 'missing'],
    [{ data: null }, '$.data', 'an object', 'null'],
    [{ note: 'Ada Obi' }, '$.note', 'no such field', 'a text of 7 characters'],
    [{ '08031234567': 1 }, '$.…', 'no such field', 'a whole number'],
    [{ success: 'true' }, '$.success', 'true or false', 'a text of 4 characters'],
    [{ response_code: 200 }, '$.response_code', 'a text', 'a whole number'],
    [{ response_code: 'OK' }, '$.response_code', '""', 'a text of 2 characters'],
    [
      { response_message: 'Hello Ada' },
      '$.response_message',
      '"Comprehensive motor quote retrieved successfully"',
      'a text of 9 characters',
    ],
  ])('%j differs', (change, path, expected, seen) => {
    expect(quote(change)).toContainEqual({ path, expected, seen });
  });

  test.each([[], 'x', 7, null])('that is %j is no object', (received) => {
    expect(differences('getMotorQuote', { received })).toMatchObject([
      { path: '$', expected: 'an object' },
    ]);
  });

  test('has each place of a list once', async () => {
    const { body } = await createDemoClient().call('listMotorPolicies');
    for (const policy of body.data) policy.end_date = '31/01/2026';
    expect(differences('listMotorPolicies', { received: body })).toEqual([
      {
        path: '$.data[].end_date',
        expected: String.raw`a text that matches /^\d{4}-\d{2}-\d{2}$/`,
        seen: 'a text of 10 characters',
      },
    ]);
  });
});

describe('a request that the contract refuses and the service took names the field:', () => {
  test.each([
    ['getMotorQuote', { vehicle_value: -1 }, 'request $.vehicle_value', 'a whole number'],
    ['getMotorQuote', { product_id: null }, 'request $.product_id', 'missing'],
    [initiateOf.micro_health, { phone_no: '0803' }, 'request $.phone_no', 'a text of 4 digits'],
  ])('%s with %j', (operationId, change, path, seen) => {
    const sent = { ...exampleOf(operationId), ...change };
    expect(differences(operationId, { sent, received: QUOTE })).toContainEqual(
      expect.objectContaining({ path, seen, expected: expect.stringMatching(/^The .* field /) }),
    );
  });

  test('a query', () => {
    expect(
      differences('listMicroHealthSubscriptions', { query: '?per_page=1000', received: {} }),
    ).toContainEqual(expect.objectContaining({ path: 'request $.per_page' }));
  });

  test.each<[Told, string]>([
    [{ headers: {} }, 'request header authorization'],
    [{ headers: { authorization: 'Basic x' } }, 'request header authorization'],
    [{ method: 'PUT' }, 'method'],
    [{ headers: { authorization: 'Bearer x' } }, 'request header content-type'],
    [{ sent: '{' }, 'request $'],
    [{ sent: '[]' }, 'request $'],
    [{ sent: 'x'.repeat(1024 * 1024 + 1) }, 'request $'],
  ])('%#', (told, path) => {
    expect(differences('getMotorQuote', { ...told, received: QUOTE })).toMatchObject([{ path }]);
  });
});

describe('a refusal', () => {
  const verified = (status: number, message: string, code = `${status}`) =>
    differences(verifyOf.motor, { status, received: refused(message, code) });

  test.each(['Token has expired', 'Invalid token', 'Token has already been used'])(
    'of a token says "%s"',
    (message) => expect(verified(400, message)).toEqual([]),
  );

  test('in other words, with another status or code differs', () => {
    expect(verified(400, 'Nope')).toEqual([
      {
        path: '$.response_message',
        expected: '"Invalid token" or "Token has expired" or "Token has already been used"',
        seen: 'a text of 4 characters',
      },
    ]);
    expect(verified(410, 'Token has expired', '400')).toEqual([
      { path: 'status', expected: '400 or 401 or 422', seen: '410' },
    ]);
    expect(verified(400, 'Token has expired', 'E1')).toMatchObject([{ path: '$.response_code' }]);
  });

  test('of an invalid request has the status and the form of one', () => {
    const sent = purchaseOf('motor', { email: 'x' });
    const received = refused('Bad e-mail', '422');
    expect(differences(initiateOf.motor, { sent, status: 422, received })).toEqual([]);
    expect(differences(initiateOf.motor, { sent, status: 400, received })).toMatchObject([
      { path: 'status', expected: '422', seen: '400' },
    ]);
  });

  test('with status 500 is none of the contract', () => {
    expect(differences('getMotorQuote', { status: 500, received: refused('Oops', '500') })).toEqual(
      [{ path: 'status', expected: '401 or 422', seen: '500' }],
    );
  });
});

test('an operation is known by its path', () => {
  expect(operationOf('/api/merchant/get_comprehensive_motor_policies?x=1')?.operationId).toBe(
    'listMotorPolicies',
  );
  expect(operationOf('/api/merchant/micro_health/validate_policy/1/2')).toBeUndefined();
});
