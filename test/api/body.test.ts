import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJson, MAX_BODY_BYTES, parseJson, readText } from '../../src/api/request.ts';
import { DomainError } from '../../src/world/errors.ts';

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://sandbox/', { method: 'POST', body, headers });

/** A body that does not say how long it is. */
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

describe('the JSON of a body', () => {
  test('is what JSON says it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '[1]]'])(
    'is malformed: %j',
    async (text) => {
      expect(await codeOf(() => parseJson(text))).toBe('malformed');
    },
  );

  test('may be 100 levels deep, and no deeper', async () => {
    expect(parseJson(nested(100))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(101))).toThrow('must not be nested deeper than 100 levels');
    expect(() => parseJson('{"a":'.repeat(101))).toThrow('deeper than 100');
    expect(await codeOf(() => parseJson(nested(500_000)))).toBe('malformed');
  });
});

describe('the text of a body', () => {
  test('is read as UTF-8, without a byte order mark', async () => {
    expect(await readText(post('\uFEFF{"a":"é₦"}'))).toBe('{"a":"é₦"}');
  });

  test('is malformed where it is no UTF-8', async () => {
    expect(await codeOf(() => readText(post(new Uint8Array([0x22, 0xff, 0x22]))))).toBe(
      'malformed',
    );
  });

  test('may have 1 MiB and no byte more, counted or announced', async () => {
    const full = new Uint8Array(MAX_BODY_BYTES).fill(0x20);
    expect(await readText(streamed(full))).toHaveLength(MAX_BODY_BYTES);
    expect(await codeOf(() => readText(streamed(full, new Uint8Array(1))))).toBe('too_large');
    const announced = post('{}', { 'content-length': String(MAX_BODY_BYTES + 1) });
    expect(await codeOf(() => readText(announced))).toBe('too_large');
  });

  test('is read no further once it is too large', async () => {
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

describe('the content type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ; charset=utf-8',
    'application/json;x',
  ])('%j is JSON', (contentType) => {
    expect(isJson(contentType)).toBe(true);
  });

  test.each([undefined, null, '', 'text/plain', 'application/jsonp', 'application/vnd.x+json'])(
    '%j is not',
    (contentType) => {
      expect(isJson(contentType)).toBe(false);
    },
  );
});
