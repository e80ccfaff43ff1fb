import type { z } from '@hono/zod-openapi';
import { describe, expect, test, vi } from 'vitest';
import { messageEnvelope } from '../../src/api/envelope.ts';
import { merchantOperations } from '../../src/api/operation.ts';
import { createFamilies } from '../../src/products/index.ts';
import { publishedFamilies } from '../../src/products/world.ts';
import { createApp } from '../../src/sandbox/app.ts';
import { openCore } from '../../src/sandbox/core.ts';
import type { WorldCore } from '../../src/world/world.ts';
import { createClient, operationOf, requestOf } from '../support/client.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

describe('the operations of a sandbox', () => {
  test('have the messages, statuses and schemas of its settings', () => {
    const settings = {
      'phone-digits': 'any',
      'error-envelope': 'laravel',
      'success-messages': { verifyMotorPolicy: 'Bought' },
    };
    const { operations } = createFamilies(settings);
    const initiateGroupLife = operations.find(
      ({ operationId }) => operationId === 'initiateGroupLifePolicy',
    );
    const phone = initiateGroupLife?.input?.shape.phone_no as z.ZodType;
    expect(phone.safeParse('+4479460958').success).toBe(true);
    expect(Object.keys(initiateGroupLife?.failure('invalid').shape ?? {})).toEqual([
      'message',
      'errors',
    ]);
    const { message } = operations.find(({ operationId }) => operationId === 'verifyMotorPolicy')
      ?.envelope ?? { message: '' };
    expect(message).toBe('Bought');
    const published = operationOf('initiateGroupLifePolicy').input?.shape.phone_no as z.ZodType;
    expect(published.safeParse('+4479460958').success, 'the published ones stay').toBe(false);
  });

  test('have synchronous handlers, so that a transaction is over before another call', () => {
    interface Schemas {
      responses(): { readonly Done: z.ZodType<{ readonly done: boolean }> };
    }
    const declare = merchantOperations<WorldCore, Schemas>('Test');
    const declaration = {
      operationId: 'test',
      summary: '',
      description: '',
      method: 'get',
      path: '/test',
      data: 'Done',
      response: 'TestResponse',
      envelope: messageEnvelope('Done'),
      role: 'initiate',
      assumptions: [],
    } as const;
    declare(declaration, () => ({ done: true }));
    const later = async () => ({ done: true });
    // @ts-expect-error: a Promise is no data
    declare(declaration, later);
    expect(true).toBe(true);
  });

  test("are found by Hono's fast router", async () => {
    const app = createApp(publishedFamilies);
    const { store: merchants } = openCore({});
    await app.fetch(new Request('http://sandbox/livez'), { merchants, connection: {} });
    expect(app.router.name).toBe('SmartRouter + RegExpRouter');
  });
});

describe('a call', () => {
  test('parses its body once, even if a fault rule reads it too', async () => {
    const { merchant, call } = createClient();
    const body = purchaseOf('motor');
    merchant.faults.add({
      match: { body: { email: 'nobody@example.com' } },
      stage: 'after',
      effect: { kind: 'drop' },
    });
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect((await call('initiateMotorPolicy', body)).status).toBe(200);
      const texts = parse.mock.calls.filter(([text]) => text === JSON.stringify(body));
      expect(texts).toHaveLength(1);
    } finally {
      parse.mockRestore();
    }
  });

  test('has the time at which its body was complete', async () => {
    const client = createClient();
    const { sandbox, merchant } = client;
    const token = await initiate(client, 'motor');
    const { url, headers } = requestOf(
      operationOf('verifyMotorPolicy'),
      'http://sandbox',
      merchant.apiKey,
    );
    const { readable, writable } = new TransformStream<Uint8Array>();
    const answer = sandbox.fetch(
      new Request(url, { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit),
    );
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('{"token":'));
    merchant.clock.advance('PT15M');
    await writer.write(new TextEncoder().encode(`"${token}"}`));
    await writer.close();
    const { response_message } = (await (await answer).json()) as { response_message: string };
    expect(response_message).toBe('Token has expired');
  });
});
