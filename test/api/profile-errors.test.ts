import { describe, expect, test } from 'vitest';
import {
  BASE,
  type CallInit,
  createClient,
  operationOf,
  readAnswer,
  requestOf,
} from '../support/client.ts';
import { initiate, verifyOf } from '../support/requests.ts';

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

  test('a call without a key has a message alone, and the header that asks for a key', async () => {
    const { ask } = createCaller();
    const init = { headers: { authorization: undefined } };
    const { status, headers, body } = await ask('getMotorQuote', {}, init);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({ message: 'Unauthenticated.' });
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
});
