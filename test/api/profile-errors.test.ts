import { describe, expect, test } from 'vitest';
import {
  BASE,
  type CallInit,
  createClient,
  operationOf,
  readAnswer,
  requestOf,
} from '../support/client.ts';
import { exampleOf, initiate, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';

/** A merchant of a sandbox whose refusals have the form of a framework, and its calls. */
function createCaller(decisions: Readonly<Record<string, unknown>> = {}) {
  const client = createClient({
    profile: { version: 1, decisions: { 'error-envelope': 'laravel', ...decisions } },
  });
  const { sandbox, merchant } = client;
  const send = async (request: Request) => readAnswer(await sandbox.fetch(request));
  const ask = (operationId: string, input: unknown, init?: CallInit) =>
    send(requestOf(operationOf(operationId), BASE, merchant.apiKey, input, init));
  return { client, merchant, send, ask };
}

describe('in the form of a framework', () => {
  test('fields that are wrong are named, each with its problems, under the first problem', async () => {
    const { ask } = createCaller();
    const { status, body } = await ask('getMotorQuote', { vehicle_value: -1 });
    expect(status).toBe(422);
    expect(body).toEqual({
      message: 'The product_id field is required.',
      errors: {
        product_id: ['The product_id field is required.'],
        vehicle_value: [
          'The vehicle_value field must be a number above 0 and at most 1000000000000.',
        ],
      },
    });
  });

  test('a member is named by its place', async () => {
    const { ask } = createCaller();
    const { members } = purchaseOf('group_life') as { members: object[] };
    const [member] = members;
    const { status, body } = await ask(
      initiateOf.group_life,
      purchaseOf('group_life', { members: [member, { ...member, gender: 'other' }] }),
    );
    expect(status).toBe(422);
    expect(body).toEqual({
      message: 'The members.1.gender field must be female or male.',
      errors: { 'members.1.gender': ['The members.1.gender field must be female or male.'] },
    });
  });

  test('a field that breaks a rule of the business is named as well', async () => {
    const { ask } = createCaller();
    const { body } = await ask(initiateOf.micro_health, purchaseOf('micro_health', { amount: 1 }));
    expect(Object.keys(body.errors)).toEqual(['amount']);
    expect(body.errors.amount).toEqual([body.message]);
  });

  test('a body that is no object has a message and no field', async () => {
    const { ask } = createCaller();
    const { status, body } = await ask('getMotorQuote', []);
    expect(status).toBe(422);
    expect(body).toEqual({ message: 'The request body must be a JSON object.', errors: {} });
  });

  test('a call without a key has a message alone, and the header that asks for a key', async () => {
    const { ask } = createCaller();
    const init = { headers: { authorization: undefined } };
    const { status, headers, body } = await ask('getMotorQuote', {}, init);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({ message: 'Unauthenticated.' });
  });

  test('a wrong method has a message alone, and the header that names the right one', async () => {
    const { ask } = createCaller();
    const { status, headers, body } = await ask('getMotorQuote', {}, { method: 'GET' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST');
    expect(body).toEqual({ message: 'The GET method is not supported here; use POST.' });
  });

  test('an unknown route has a message alone', async () => {
    const { merchant, send } = createCaller();
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const { status, body } = await send(new Request(`${BASE}/api/merchant/nowhere`, { headers }));
    expect(status).toBe(404);
    expect(body).toEqual({ message: 'The route was not found.' });
  });

  test.each([
    ['a body that is no JSON', 400, { raw: '{' }],
    ['a body that is too large', 413, { raw: ' '.repeat(1024 * 1024 + 1) }],
    ['another Content-Type', 415, { headers: { 'content-type': 'text/plain' } }],
  ])('%s has a message alone', async (_what, expected, init) => {
    const { ask } = createCaller();
    const { status, body } = await ask('getMotorQuote', {}, init);
    expect(status).toBe(expected);
    expect(body).toEqual({ message: expect.any(String) });
  });

  test('a refusal has the status that the profile sets besides', async () => {
    const { ask } = createCaller({ 'http-status': { invalid: 400 } });
    const { status, body } = await ask('getMotorQuote', []);
    expect(status).toBe(400);
    expect(body).toEqual({ message: 'The request body must be a JSON object.', errors: {} });
  });
});

describe('in its envelope stays', () => {
  test('the refusal of a token', async () => {
    const { ask } = createCaller();
    const { status, body } = await ask(verifyOf.motor, { token: 'x' });
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      response_message: 'Invalid token',
      response_code: '400',
      data: { error: ['Invalid token'] },
    });
  });

  test('the expired group-life token, which the specification shows', async () => {
    const { client, merchant, ask } = createCaller();
    const token = await initiate(client, 'group_life');
    merchant.clock.advance('PT15M');
    const { body } = await ask(verifyOf.group_life, { token });
    expect(body).toEqual({
      success: false,
      response_message: 'Token has expired',
      response_code: 400,
      data: { error: ['Token has expired'] },
    });
  });

  test('an unknown policy', async () => {
    const { ask } = createCaller();
    const { status, body } = await ask('validateMicroHealthPolicy', { policy_no: '0' });
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false, data: { error: ['The policy was not found.'] } });
  });

  test('an answer that a fault puts in the place of the service', async () => {
    const { ask } = createCaller();
    const { status, body } = await ask('getMotorQuote', exampleOf('getMotorQuote'), {
      headers: { 'sandbox-fault': 'before; respond; status=500' },
    });
    expect(status).toBe(500);
    expect(body).toMatchObject({ success: false, response_code: '500' });
  });
});

test('the journal shows the body that was answered', async () => {
  const { merchant, ask } = createCaller();
  const { body } = await ask('getMotorQuote', {});
  expect(merchant.journal.list()[0]?.response?.body).toEqual(body);
});
