import { describe, expect, test } from 'vitest';
import { exampleOf, familyKeys, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { type Answer, judgedSandbox } from './planted.ts';

const body = (judged: ReturnType<typeof judgedSandbox>, change: (body: Answer['body']) => void) =>
  judged.change((answer) => change(answer.body));

describe('a request that the contract refuses', () => {
  test('and the service accepts is a difference, by the decision that refuses it', async () => {
    const judged = judgedSandbox();
    const { body: accepted } = await judged.call(initiateOf.motor, purchaseOf('motor'));
    judged.change((answer) => {
      answer.status = 200;
      answer.body = accepted;
    });
    const phone = await judged.call(
      initiateOf.motor,
      purchaseOf('motor', { phone_number: '0803' }),
    );
    expect(phone.differences).toMatchObject([
      {
        path: '$.success',
        expected: 'refused with 422 (invalid) for phone_number',
        seen: 'true',
        assumption: expect.arrayContaining(['text-and-numbers']),
      },
    ]);
    for (const [init, expected, assumption] of [
      [{ raw: '{"' }, 'refused with 400 (malformed)', 'request-body'],
      [{ raw: '[]' }, 'refused with 422 (invalid)', 'request-body'],
      [{ raw: new Uint8Array([0xff]) }, 'refused with 400 (malformed)', 'encoding'],
      [
        { headers: { 'content-type': 'text/plain' } },
        'refused with 415 (unsupported media type)',
        'http-status',
      ],
      [
        { headers: { authorization: undefined } },
        'refused with 401 (unauthenticated)',
        'auth-failure',
      ],
      [{ method: 'PUT' }, 'refused with 405 (method not allowed)', 'http-status'],
      [{ raw: `{"a":"${'x'.repeat(1_048_577)}"}` }, 'refused with 413 (too large)', 'http-status'],
    ] as const) {
      const found = await judged.call(initiateOf.motor, {}, init);
      expect(found.differences[0]).toMatchObject({
        path: '$.success',
        expected,
        assumption: expect.arrayContaining([assumption]),
      });
    }
  });
});

describe('a request that the contract accepts', () => {
  test('and the service refuses for what it looks like is a difference, by the decision that accepts it', async () => {
    const judged = judgedSandbox();
    judged.change((answer) => {
      answer.status = 422;
      const text = 'The phone_no field must start with 0.';
      answer.body = {
        success: false,
        response_message: text,
        response_code: '422',
        data: { error: [text] },
      };
    });
    const { differences } = await judged.call(initiateOf.micro_health, purchaseOf('micro_health'));
    expect(differences).toMatchObject([
      { path: '$.success', expected: 'true', assumption: expect.arrayContaining(['phone-digits']) },
    ]);
  });

  test.each([
    ['getMicroHealthQuote', { product_id: 999 }],
    ['initiateMicroHealthSubscription', { amount: 1 }],
    ['initiateMicroHealthSubscription', { product_id: 4 }],
    ['initiateMotorPolicy', { product_id: 999 }],
    ['initiateGroupLifePolicy', { product_id: 999 }],
    ['topUpMicroHealthSubscription', {}],
    ['validateMicroHealthPolicy', { policy_no: '0000000000' }],
    ['getMotorPolicyDetails', { Policy_number: 'INS0000000000000' }],
  ])('may be refused for what nobody outside can know: %s %j', async (operationId, changes) => {
    const judged = judgedSandbox();
    const found = await judged.call(operationId, exampleOf(operationId, changes));
    expect(found.status).toBeGreaterThan(399);
    expect(found.lines).toEqual([]);
  });
});

describe('a refusal', () => {
  const refused = async (change: (answer: Answer) => void) => {
    const judged = judgedSandbox();
    judged.change(change);
    return judged.call('validateMicroHealthPolicy', { policy_no: '0' });
  };

  test.each<[string, string, string, (answer: Answer) => void]>([
    [
      'with another status',
      'status',
      'http-status',
      (answer) => {
        answer.status = 400;
      },
    ],
    [
      'with a code of another type',
      '$.response_code',
      'error-code-type',
      ({ body }) => {
        body.response_code = 404;
      },
    ],
    [
      'whose message is no problem of it',
      '$.message',
      'error-envelope',
      ({ body }) => {
        body.message = 'Other';
      },
    ],
    [
      'under another key',
      '$.response_message',
      'error-envelope',
      ({ body }) => {
        body.response_message = body.message;
        body.message = undefined;
      },
    ],
    [
      'without its problems',
      '$.data.error',
      'error-envelope',
      ({ body }) => {
        body.data.error = undefined;
      },
    ],
    [
      'with more than that',
      '$.trace',
      'error-envelope',
      ({ body }) => {
        body.trace = 'at …';
      },
    ],
  ])('%s is a difference', async (_what, path, assumption, change) => {
    const { differences } = await refused(change);
    expect(differences).toContainEqual(
      expect.objectContaining({ path, assumption: expect.arrayContaining([assumption]) }),
    );
  });

  test('by a gateway is held against its form alone', async () => {
    const { lines } = await refused((answer) => {
      answer.status = 429;
      answer.body = {
        success: false,
        message: 'Slow down',
        response_code: '429',
        data: { error: ['Slow down'] },
      };
    });
    expect(lines).toEqual([]);
  });

  test('of a key keeps its words and its header', async () => {
    const judged = judgedSandbox();
    const stranger = { headers: { authorization: 'Bearer nobody-at-all' } };
    expect((await judged.call('listMotorPolicies', {}, stranger)).lines).toEqual([]);
    judged.change(({ headers, body: answered }) => {
      headers.delete('www-authenticate');
      answered.response_message = 'Who?';
      answered.data.error = ['Who?'];
    });
    const { differences } = await judged.call('listMotorPolicies', {}, stranger);
    expect(differences.map(({ path, assumption }) => [path, ...assumption])).toEqual([
      ['$.response_message', 'auth-failure'],
      ['header www-authenticate', 'auth-failure'],
    ]);
  });
});

describe.each(familyKeys)('a token of %s', (family) => {
  test('that was used is refused as used, whatever words the refusal has', async () => {
    const judged = judgedSandbox();
    const { body: initiated } = await judged.call(initiateOf[family], purchaseOf(family));
    const { token } = initiated.data;
    await judged.call(verifyOf[family], { token });
    expect((await judged.call(verifyOf[family], { token })).lines).toEqual([]);
    body(judged, (answered) => {
      const key = answered.message === undefined ? 'response_message' : 'message';
      answered[key] = 'Hm.';
      answered.data.error = ['Hm.'];
    });
    expect((await judged.call(verifyOf[family], { token })).differences).toMatchObject([
      { expected: '"Token has already been used"', seen: '"Hm."', assumption: ['token-used'] },
    ]);
  });

  test('that was used and works again is a difference', async () => {
    const judged = judgedSandbox();
    const { body: initiated } = await judged.call(initiateOf[family], purchaseOf(family));
    const { token } = initiated.data;
    const { body: verified } = await judged.call(verifyOf[family], { token });
    judged.change((answer) => {
      answer.status = 200;
      answer.body = verified;
    });
    expect((await judged.call(verifyOf[family], { token })).differences).toMatchObject([
      { path: '$.success', expected: 'refused with 400 (token used)', assumption: ['token-used'] },
    ]);
  });

  test('lives fifteen minutes by the Date of the service', async () => {
    const judged = judgedSandbox();
    const at = (minutes: number) => {
      judged.change(({ headers }) => {
        headers.delete('sandbox-request-id');
        headers.set('date', new Date(Date.UTC(2026, 0, 31, 10, minutes)).toUTCString());
      });
    };
    at(0);
    const { body: initiated } = await judged.call(initiateOf[family], purchaseOf(family));
    at(20);
    const { differences } = await judged.call(verifyOf[family], { token: initiated.data.token });
    expect(differences).toMatchObject([
      { path: '$.success', expected: 'refused with 400 (token expired)' },
    ]);
  });
});
