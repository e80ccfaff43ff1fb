import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJson, MAX_BODY_BYTES, parseBody, readText } from '../../src/api/request.ts';
import { DomainError } from '../../src/world/errors.ts';
import { createClient, operationOf } from '../support/client.ts';
import { initiate, verifyOf } from '../support/requests.ts';

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://sandbox/', { method: 'POST', body, headers });

/** A request without a Content-Length. */
const streamed = (...chunks: Uint8Array[]) =>
  new Request('http://sandbox/', {
    method: 'POST',
    duplex: 'half',
    body: new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  } as RequestInit);

const codeOf = async (action: () => unknown) => {
  try {
    await action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return undefined;
};

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('parseBody', () => {
  test('parses like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseBody(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '[1]]'])(
    'refuses %j as malformed',
    async (text) => {
      expect(await codeOf(() => parseBody(text))).toBe('malformed');
    },
  );

  test('accepts 100 levels of nesting and no more', async () => {
    expect(parseBody(nested(100))).toBeInstanceOf(Array);
    expect(() => parseBody(nested(101))).toThrow('must not be nested deeper than 100 levels');
    expect(() => parseBody('{"a":'.repeat(101))).toThrow('deeper than 100');
    expect(await codeOf(() => parseBody(nested(500_000)))).toBe('malformed');
  });
});

describe('readText', () => {
  test('decodes UTF-8 and removes a byte order mark', async () => {
    expect(await readText(post('\uFEFF{"a":"é₦"}'))).toBe('{"a":"é₦"}');
  });

  test('refuses invalid UTF-8 as malformed', async () => {
    expect(await codeOf(() => readText(post(new Uint8Array([0x22, 0xff, 0x22]))))).toBe(
      'malformed',
    );
  });

  test('refuses a body over 1 MiB, with or without a Content-Length', async () => {
    const full = new Uint8Array(MAX_BODY_BYTES).fill(0x20);
    expect(await readText(streamed(full))).toHaveLength(MAX_BODY_BYTES);
    expect(await codeOf(() => readText(streamed(full, new Uint8Array(1))))).toBe('too_large');
    const announced = post('{}', { 'content-length': String(MAX_BODY_BYTES + 1) });
    expect(await codeOf(() => readText(announced))).toBe('too_large');
  });

  test('stops reading once the body is too large', async () => {
    let pieces = 0;
    const endless = new ReadableStream(
      {
        pull: (controller) => {
          pieces++;
          controller.enqueue(new Uint8Array(MAX_BODY_BYTES));
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request('http://sandbox/', {
      method: 'POST',
      duplex: 'half',
      body: endless,
    } as RequestInit);
    expect(await codeOf(() => readText(request))).toBe('too_large');
    expect(pieces).toBe(2);
  });
});

describe('isJson', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ; charset=utf-8',
    'application/json;x',
  ])('is true for %j', (contentType) => {
    expect(isJson(contentType)).toBe(true);
  });

  test.each([undefined, null, '', 'text/plain', 'application/jsonp', 'application/vnd.x+json'])(
    'is false for %j',
    (contentType) => {
      expect(isJson(contentType)).toBe(false);
    },
  );
});

test('a call is served at the time at which its body is complete', async () => {
  const client = createClient();
  const { sandbox, merchant } = client;
  const token = await initiate(client, 'motor');
  let complete = () => {};
  const body = new ReadableStream({
    start(controller) {
      complete = () => {
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ token })));
        controller.close();
      };
    },
  });
  const answer = sandbox.fetch(`http://sandbox${operationOf(verifyOf.motor).path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);
  const arrived = merchant.clock.show().now;
  const { now } = merchant.clock.advance('PT5M');
  complete();
  const { data } = await (await answer).json();
  expect(data.created_at).toBe(now.replace('.000Z', '.000000Z'));
  expect(merchant.journal.list()[0]).toMatchObject({ at: arrived, duration_ms: 300_000 });
});
