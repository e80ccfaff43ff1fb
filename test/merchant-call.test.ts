import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createSandbox,
  type GroupLifePolicy,
  type MicroHealthQuoteResponse,
  type MotorPolicy,
  type MotorVerifyResponse,
} from '../src/index.ts';
import { checkAnswer, createClient, operationOf, operations } from './support/client.ts';
import { acceptedInput, buy, exampleOf } from './support/requests.ts';

describe('merchant.call', () => {
  test('buys a policy in two lines', async () => {
    const { merchant } = createClient();
    const initiated = await merchant.call('initiateMotorPolicy', exampleOf('initiateMotorPolicy'));
    if (!initiated.body.success) throw new Error(initiated.body.response_message);
    const { token } = initiated.body.data;
    const { status, body, headers } = await merchant.call('verifyMotorPolicy', { token });

    expect(status).toBe(200);
    if (!body.success) throw new Error(body.response_message);
    expectTypeOf(body).toEqualTypeOf<MotorVerifyResponse>();
    expect(body.data.policy_number).toMatch(/^INS\d+$/);
    expect(headers.get('sandbox-request-id')).toBe('req-3-2');
    expect(merchant.journal.list({ operation: 'verifyMotorPolicy' })).toHaveLength(1);
  });

  test.each(operations.map(({ operationId }) => operationId))(
    'sends what %s takes, in its body, query or path',
    async (operationId) => {
      const client = createClient();
      const input = await acceptedInput(client, operationId);
      const { status, body, headers } = await client.merchant.call(
        operationId as never,
        input as never,
      );
      expect(status).toBe(200);
      const text = JSON.stringify(body);
      checkAnswer(operationOf(operationId), { status, body: JSON.parse(text), headers, text });
    },
  );

  test('returns a refusal as a response', async () => {
    const { merchant } = createClient();
    const { status, body } = await merchant.call('getMicroHealthQuote', { no_of_users: 2 });
    expect(status).toBe(422);
    if (body.success) throw new Error('It was accepted');
    expect(body.data.error).toContain('The product_id field is required.');
    expectTypeOf(body).not.toEqualTypeOf<MicroHealthQuoteResponse>();
    expect((await merchant.call('verifyMotorPolicy')).status).toBe(422);
    expect((await merchant.call('validateMicroHealthPolicy')).status).toBe(404);
  });

  test('sends a query, without the fields that are undefined', async () => {
    const { merchant } = createClient();
    const sent = { page: 1, per_page: 5, period: undefined };
    expect((await merchant.call('listMicroHealthSubscriptions', sent)).status).toBe(200);
    expect(merchant.journal.list()[0]?.path).toMatch(/\?page=1&per_page=5$/);
  });

  test('returns a broken body as a text, and rejects without a response', async () => {
    const { merchant } = createClient();
    merchant.faults.add({ stage: 'after', effect: { kind: 'malformed' } });
    expect((await merchant.call('listMotorPolicies')).body).toMatch(/^\{"success":true.*,$/);
    for (const kind of ['drop', 'truncate'] as const) {
      merchant.faults.add({ stage: 'after', effect: { kind } });
      await expect(merchant.call('listMotorPolicies')).rejects.toBeInstanceOf(TypeError);
    }
  });

  test('rejects an unknown operation, naming the nearest', async () => {
    const { merchant } = createClient();
    await expect(merchant.call('verifyMotorPolcy' as never)).rejects.toMatchObject({
      name: 'ControlError',
      status: 422,
      message:
        'call() takes an operationId; got "verifyMotorPolcy"; did you mean "verifyMotorPolicy"?',
    });
    await expect(merchant.call(undefined as never)).rejects.toMatchObject({ status: 422 });
    expect(merchant.journal.list()).toEqual([]);
  });

  test('rejects an input that is not an object', async () => {
    const { merchant } = createClient();
    for (const input of ['CMP1', 5, null, ['CMP1']]) {
      await expect(merchant.call('verifyMotorPolicy', input as never)).rejects.toThrow(
        'verifyMotorPolicy takes an object with the fields of the call; got ',
      );
    }
  });

  test('sends half of a surrogate pair as the platform does, in a path, a query or a body', async () => {
    const { sandbox, merchant } = createClient();
    const policy_no = 'M1\ud83d';
    const { status, body } = await merchant.call('validateMicroHealthPolicy', { policy_no });
    const { path } = operationOf('validateMicroHealthPolicy');
    const sent = await merchant.fetch(path.replace(':policy_no', policy_no));
    expect([status, body]).toEqual([sent.status, await sent.json()]);
    const paths = sandbox.journal().map((entry) => entry.path);
    expect(paths).toEqual(Array(2).fill(expect.stringMatching(/\/M1%EF%BF%BD$/)));
    const listed = { period: '\ud83d' } as never;
    expect((await merchant.call('listMicroHealthSubscriptions', listed)).status).toBe(422);
    const input = exampleOf('initiateMotorPolicy', { vehicle_make: '\ud83d' });
    expect((await merchant.call('initiateMotorPolicy', input)).status).toBe(422);
  });

  test.each<[string, never, string]>([
    ['verifyMotorPolicy', { token: 1n } as never, 'BigInt'],
    ['validateMicroHealthPolicy', { policy_no: Object.create(null) } as never, 'primitive'],
    ['listMotorPolicies', { page: Object.create(null) } as never, 'primitive'],
  ])('rejects an input of %s that cannot be sent', async (operation, input, why) => {
    const { merchant } = createClient();
    await expect(merchant.call(operation as 'listMotorPolicies', input)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(`^The input of ${operation} cannot be sent: .*${why}`),
    });
    expect(merchant.journal.list()).toEqual([]);
  });

  test('uses the new key after a rotation, and rejects once the merchant is removed', async () => {
    const { merchant } = createClient();
    merchant.rotateKey();
    expect((await merchant.call('listMotorPolicies')).status).toBe(200);
    merchant.remove();
    await expect(merchant.call('listMotorPolicies')).rejects.toMatchObject({ status: 404 });
  });

  test('does not compile with the fields of another operation', () => {
    const { merchant } = createClient();
    // @ts-expect-error A verify takes a token.
    void (() => merchant.call('verifyMotorPolicy', { policy_number: 'INS1' }));
    // @ts-expect-error No operation has this name.
    void (() => merchant.call('verifyPolicy', {}));
    expect(merchant.journal.list()).toEqual([]);
  });
});

describe('merchant.fetch', () => {
  const LIST = '/api/merchant/get_comprehensive_motor_policies';

  test('is the fetch of the sandbox with the key of the merchant', async () => {
    const { merchant } = createClient();
    expect((await merchant.fetch(LIST)).status).toBe(200);
    expect((await merchant.fetch(new URL(LIST, 'https://provider.example'))).status).toBe(200);
    expect((await merchant.fetch(new Request(`http://sandbox${LIST}`))).status).toBe(200);
    const clock = await merchant.fetch('/_sandbox/clock');
    expect(await clock.json()).toEqual(merchant.clock.show());
  });

  test('keeps the other headers, and a key that your code sends', async () => {
    const { merchant } = createClient();
    const wrong = { authorization: 'Bearer sk_other' };
    expect((await merchant.fetch(LIST, { headers: wrong })).status).toBe(401);
    const headers = { 'x-trace': '7' };
    expect((await merchant.fetch(LIST, { headers })).status).toBe(200);
    const request = new Request(`http://sandbox${LIST}`, { headers });
    expect((await merchant.fetch(request)).status).toBe(200);
    for (const entry of merchant.journal.list()) {
      expect(entry.request.headers).toMatchObject({ 'x-trace': '7' });
    }
  });

  test('rejects if a fault breaks the connection, or if the merchant is removed', async () => {
    const { merchant } = createClient();
    merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    await expect(merchant.fetch(LIST)).rejects.toThrow('fetch failed');
    merchant.remove();
    await expect(merchant.fetch(LIST)).rejects.toMatchObject({ status: 404 });
  });
});

test('merchant.records types the policies of a family', async () => {
  const client = createClient();
  const bought = await buy(client, 'motor');
  const { data } = client.merchant.records({ family: 'motor' });
  expectTypeOf(data).toEqualTypeOf<MotorPolicy[]>();
  expect(data[0]?.policy_number).toBe(bought.policy_number);
  const groups = createSandbox().merchant('sk_sandbox_demo').records({ family: 'group_life' });
  expectTypeOf(groups.data).toEqualTypeOf<GroupLifePolicy[]>();
  expect(groups.data[0]?.group_life_members[0]?.full_name).toEqual(expect.any(String));
});
