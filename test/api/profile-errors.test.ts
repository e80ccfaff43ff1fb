import { describe, expect, test } from 'vitest';
import {
  BASE,
  type CallInit,
  createClient,
  operationOf,
  readAnswer,
  requestOf,
} from '../support/client.ts';
import { initiate, UNTIL_EXPIRED, verifyOf } from '../support/requests.ts';

/** A merchant of a sandbox with Laravel error bodies, and functions that send its requests. */
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

describe('the laravel error envelope', () => {
  test('lists the problems of each field, with the first problem as the message', async () => {
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

  test('has only a message for a missing key, and keeps WWW-Authenticate', async () => {
    const { ask } = createCaller();
    const init = { headers: { authorization: undefined } };
    const { status, headers, body } = await ask('getMotorQuote', {}, init);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({ message: 'Unauthenticated.' });
  });

  test.each([
    ['malformed JSON', 400, { raw: '{' }],
    ['a body over 1 MiB', 413, { raw: ' '.repeat(1024 * 1024 + 1) }],
    ['a wrong Content-Type', 415, { headers: { 'content-type': 'text/plain' } }],
  ])('has only a message for %s', async (_what, expected, init) => {
    const { ask } = createCaller();
    const { status, body } = await ask('getMotorQuote', {}, init);
    expect(status).toBe(expected);
    expect(body).toEqual({ message: expect.any(String) });
  });

  test('has the HTTP status that the profile sets', async () => {
    const { ask } = createCaller({ 'http-status': { invalid: 400 } });
    const { status, body } = await ask('getMotorQuote', []);
    expect(status).toBe(400);
    expect(body).toEqual({ message: 'The request body must be a JSON object.', errors: {} });
  });
});

describe('the laravel error envelope does not change', () => {
  test('an invalid token', async () => {
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
    merchant.clock.advance(UNTIL_EXPIRED);
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
