import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Merchant } from '../../src/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { setContract } from '../../src/ui/inspector/client/contract.ts';
import { curlOf, testOf } from '../../src/ui/inspector/client/copies.ts';
import { mistakeIn } from '../../src/ui/inspector/client/editor.tsx';
import { createContract } from '../../src/ui/inspector/contract.ts';
import { entry } from './entry.ts';

const KEY = 'sk_sandbox_demo';

beforeAll(() => {
  const { store } = openSandbox({}, {}, {});
  Object.assign(globalThis, { location: { search: '' }, history: {} });
  setContract(createContract(store, '2026-01-31'));
});

describe('a curl command', () => {
  test('repeats a call, with the names of hidden values', () => {
    const call = entry({
      request: {
        headers: { 'content-type': 'application/json', authorization: '[redacted]', host: 'x' },
        body: { first_name: "O'Neil", nin_number: '[redacted]' },
      },
    });
    expect(curlOf(call, KEY, 'http://127.0.0.1:4015')).toBe(
      `curl \\
  -X POST \\
  -H 'authorization: Bearer sk_sandbox_demo' \\
  -H 'content-type: application/json' \\
  --data-raw '{"first_name":"O'\\''Neil","nin_number":"<nin_number>"}' \\
  'http://127.0.0.1:4015/api/merchant/micro_health/initiate'`,
    );
  });

  test('of a GET has no method and no body', () => {
    const call = entry({ method: 'GET', path: '/x?a=1', request: { headers: {}, body: null } });
    expect(curlOf(call, KEY, 'http://h')).toBe(
      `curl \\\n  -H 'authorization: Bearer sk_sandbox_demo' \\\n  'http://h/x?a=1'`,
    );
  });
});

/** Runs a test as it was copied. */
async function run(text: string, merchant: Merchant): Promise<void> {
  const body = text.slice(text.indexOf('=> {') + 4, text.lastIndexOf('});'));
  await new Function('merchant', 'expect', `return (async () => {${body}})()`)(merchant, expect);
}

describe('a vitest test', () => {
  test('makes the calls of the purchase, its faults and the time between them, and passes', async () => {
    const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
    const merchant = sandbox.createMerchant();
    const { token } = await merchant.data(
      'initiateMotorPolicy',
      (await import('../../src/index.ts')).sampleRequests.initiateMotorPolicy,
    );
    merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    await merchant.call('verifyMotorPolicy', { token }).catch(() => {});
    merchant.clock.advance('PT1M');
    await merchant.call('verifyMotorPolicy', { token });
    const items = merchant.journal.list().map((call) => ({
      ...call,
      merchant: { id: merchant.id, name: merchant.name },
    }));
    const [last] = items;
    const text = testOf(last as never, items as never);
    expect(text).toContain('test("verifyMotorPolicy answers 400", async ({ merchant }) => {');
    const steps = [
      "const { token } = await merchant.data('initiateMotorPolicy'",
      'merchant.faults.add(',
      "await expect(merchant.call('verifyMotorPolicy', { token: token })).rejects.toThrow();",
      "merchant.clock.advance('PT60S');",
      "const answer = await merchant.call('verifyMotorPolicy', { token: token });",
      'expect(answer.status).toBe(400);',
      'expect(answer.body).toMatchObject({ data: { error: ["Token has already been used"] } });',
    ];
    const places = steps.map((step) => text.indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).not.toContain('[redacted]');
    await run(text, sandbox.createMerchant());
  });

  test.each([
    ['POST', '/api/merchant/get_comprehensive_motor_policy_quote', '{"a'],
    ['POST', '/api/merchant/get_comprehensive_motor_policy_quote', '[1]'],
    ['POST', '/api/merchant/get_comprehensive_motor_policy_quote', '{}', 'text/plain'],
    ['PUT', '/api/merchant/get_comprehensive_motor_policy_quote', '{}'],
    ['DELETE', '/nowhere', null],
  ])(
    'sends %s %s with %j as it was sent',
    async (method, path, body, type = 'application/json') => {
      const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
      const merchant = sandbox.createMerchant();
      await merchant.fetch(path, { method, body, headers: { 'content-type': type } });
      const [call] = merchant.journal.list();
      const text = testOf({ ...call, merchant: { id: merchant.id, name: '' } } as never, []);
      expect(text).toContain(`expect(answer.status).toBe(${call?.status});`);
      await run(text, sandbox.createMerchant());
    },
  );
});

test.each([
  ['{"a": 1}', undefined],
  ['{\n  "a": 1,\n}', 'Line 3, column 1: this is no JSON'],
  ['', 'Line 1, column 1: this is no JSON'],
  ['{"a": ', 'Line 1, column 7: this is no JSON'],
])('the editor marks where %j breaks', (text, mistake) => {
  expect(mistakeIn(text)).toBe(mistake);
});
