import { describe, expect, test } from 'vitest';
import {
  exampleOf,
  familyKeys,
  initiateOf,
  lifetimeOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { judgedSandbox } from './planted.ts';

const MOTOR = initiateOf.motor;

test.each([
  [
    purchaseOf('motor', { phone_number: '0803' }),
    {},
    '422 (invalid) for phone_number',
    'text-and-numbers',
  ],
  [{}, { raw: '{"' }, '400 (malformed)', 'request-body'],
  [{}, { raw: '[]' }, '422 (invalid)', 'request-body'],
  [{}, { raw: new Uint8Array([0xff]) }, '400 (malformed)', 'encoding'],
  [
    {},
    { headers: { 'content-type': 'text/plain' } },
    '415 (unsupported media type)',
    'http-status',
  ],
  [{}, { headers: { authorization: undefined } }, '401 (unauthenticated)', 'auth-failure'],
  [{}, { method: 'PUT' }, '405 (method not allowed)', 'http-status'],
  [{}, { raw: `{"a":"${'x'.repeat(1_048_577)}"}` }, '413 (too large)', 'http-status'],
])(
  'a request that the contract refuses and the service accepts is a difference: %#',
  async (input, init, refusal, assumption) => {
    const { call, change } = judgedSandbox();
    const { body } = await call(MOTOR, purchaseOf('motor'));
    change((answer) => Object.assign(answer, { status: 200, body }));
    expect((await call(MOTOR, input, init)).differences[0]).toMatchObject({
      path: '$.success',
      expected: `refused with ${refusal}`,
      seen: 'true',
      assumption: expect.arrayContaining([assumption]),
    });
  },
);

test('a well-formed field that the service refuses is a difference', async () => {
  const { call, change } = judgedSandbox();
  const text = 'The phone_no field must start with 0.';
  const refusal = { success: false, response_message: text, response_code: '422' };
  change((answer) =>
    Object.assign(answer, { status: 422, body: { ...refusal, data: { error: [text] } } }),
  );
  const found = await call(initiateOf.micro_health, purchaseOf('micro_health'));
  expect(found.differences).toMatchObject([
    { path: '$.success', expected: 'true', assumption: expect.arrayContaining(['phone-digits']) },
  ]);
});

test.each([
  ['getMicroHealthQuote', { product_id: 999 }],
  ['initiateMicroHealthSubscription', { amount: 1 }],
  ['initiateMicroHealthSubscription', { product_id: 4 }],
  ['initiateMotorPolicy', { product_id: 999 }],
  ['initiateGroupLifePolicy', { product_id: 999 }],
  ['topUpMicroHealthSubscription', { policy_no: '0000000000' }],
  ['validateMicroHealthPolicy', { policy_no: '0000000000' }],
  ['getMotorPolicyDetails', { Policy_number: 'INS0000000000000' }],
])(
  '%s can be refused for a reason that only the service knows: %j',
  async (operationId, changes) => {
    const found = await judgedSandbox().call(operationId, exampleOf(operationId, changes));
    expect(found.status).toBeGreaterThan(399);
    expect(found.lines).toEqual([]);
  },
);

describe('a refusal', () => {
  /** The findings in the refusal of a policy number with a changed body. */
  const refused = (changes: object, status = 404) => {
    const { call, change } = judgedSandbox();
    change((answer) => {
      Object.assign(answer.body, changes);
      answer.status = status;
    });
    return call('validateMicroHealthPolicy', { policy_no: '0' });
  };

  test.each([
    ['with a code of another type', '$.response_code', 'error-code-type', { response_code: 404 }],
    [
      'whose message is not one of its problems',
      '$.message',
      'error-envelope',
      { message: 'Other' },
    ],
    ['without its message', '$.message', 'error-envelope', { message: undefined }],
    ['under another key', '$.response_message', 'error-envelope', { response_message: 'Other' }],
    ['without its problems', '$.data.error', 'error-envelope', { data: {} }],
    ['with more than that', '$.trace', 'error-envelope', { trace: 'at …' }],
  ])('%s is a difference', async (_what, path, assumption, changes) => {
    expect((await refused(changes)).differences).toContainEqual(
      expect.objectContaining({ path, assumption: expect.arrayContaining([assumption]) }),
    );
  });

  test('with another status is a difference', async () => {
    expect((await refused({}, 400)).differences).toMatchObject([
      { path: 'status', expected: expect.stringMatching(/^404/), assumption: ['http-status'] },
    ]);
  });

  test('by a gateway is compared by its form only', async () => {
    const message = 'Slow down';
    const body = { message, response_code: '429', data: { error: [message] } };
    expect((await refused(body, 503)).lines).toEqual([]);
  });

  test('of a key must have the message and the header', async () => {
    const { call, change } = judgedSandbox();
    const stranger = { headers: { authorization: 'Bearer nobody-at-all' } };
    expect((await call('listMotorPolicies', {}, stranger)).lines).toEqual([]);
    change(({ headers, body }) => {
      headers.delete('www-authenticate');
      body.response_message = 'Who?';
      body.data.error = ['Who?'];
    });
    const { differences } = await call('listMotorPolicies', {}, stranger);
    expect(differences.map(({ path, assumption }) => [path, ...assumption])).toEqual([
      ['$.response_message', 'auth-failure'],
      ['header www-authenticate', 'auth-failure'],
    ]);
  });
});

describe.each(familyKeys)('a token of %s', (family) => {
  const verify = verifyOf[family];
  /** A service with a pending purchase, at a given minute of its Date header. */
  async function initiated() {
    const { call, change } = judgedSandbox();
    const at = (minutes: number) =>
      change(({ headers }) => {
        headers.delete('sandbox-request-id');
        headers.set('date', new Date(Date.UTC(2026, 0, 31, 10, minutes)).toUTCString());
      });
    at(0);
    const { body } = await call(initiateOf[family], purchaseOf(family));
    return { call, change, at, input: { token: body.data.token } };
  }

  test('that was used is refused as used, with the message of the contract', async () => {
    const { call, change, input } = await initiated();
    const { body: verified } = await call(verify, input);
    expect((await call(verify, input)).lines).toEqual([]);
    change(({ body }) => {
      body[body.message === undefined ? 'response_message' : 'message'] = 'Hm.';
      body.data.error = ['Hm.'];
    });
    expect((await call(verify, input)).differences).toMatchObject([
      { expected: '"Token has already been used"', seen: '"Hm."', assumption: ['token-used'] },
    ]);
    change((answer) => Object.assign(answer, { status: 200, body: verified }));
    expect((await call(verify, input)).differences).toMatchObject([
      { path: '$.success', expected: 'refused with 400 (token used)', assumption: ['token-used'] },
    ]);
  });

  test('lives as long as its family says, by the Date header of the service', async () => {
    const { call, at, input } = await initiated();
    at(lifetimeOf(family) + 5);
    expect((await call(verify, input)).differences).toMatchObject([
      { path: '$.success', expected: 'refused with 400 (token expired)' },
    ]);
  });
});

describe.each([{}, { 'error-envelope': 'laravel' }])('under the profile %j', (decisions) => {
  test('the refusal of the contract is no difference, whichever fields are wrong', async () => {
    const { call } = judgedSandbox(decisions);
    for (const input of [
      {},
      purchaseOf('motor', { phone_number: '0803' }),
      purchaseOf('motor', { phone_number: '0803', product_id: 999 }),
    ]) {
      const found = await call(MOTOR, input);
      expect(found.status).toBe(422);
      expect(found.lines).toEqual([]);
    }
  });
});
