import { describe, expect, test } from 'vitest';
import merchantApi from '../../openapi/merchant-api.json' with { type: 'json' };
import {
  type Answer,
  createClient,
  createDemoClient,
  lists,
  operations,
} from '../support/client.ts';
import { JSON_TYPES, NOT_JSON_TYPE, OTHER_TYPES } from '../support/content-types.ts';
import { expectKeyOrder } from '../support/key-order.ts';
import { acceptedInput, filesOf, namedField } from '../support/requests.ts';
import { tablesOfFamilies, withoutEvents } from '../support/snapshots.ts';

test('the published document has every operation once', () => {
  const published = Object.values(merchantApi.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  const served = operations.map(({ operationId }) => operationId);
  expect(served.toSorted(), 'run `npm run docs`').toEqual(published.toSorted());
});

const posts = operations.filter(({ method }) => method === 'post');

describe.each(operations)('$operationId', (operation) => {
  const { operationId, method } = operation;
  const { requests, routes } = filesOf(operationId);

  test('returns 200 with its message and code', async () => {
    const client = createClient();
    const answer = await client.call(operationId, await acceptedInput(client, operationId));
    const refusal = `refuses its own example of ${requests}, or a step before it: ${answer.text}`;
    expect(answer.status, refusal).toBe(200);
    expect(answer.body[operation.envelope.messageKey]).toBe(operation.envelope.message);
    expect(answer.body.response_code).toBe(operation.envelope.code);
    expect(Object.keys(answer.body)).toEqual(operation.envelope.order);
  });

  test('refuses a missing, malformed or unknown key with 401 before any other check', async () => {
    const client = createClient();
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer nobody',
      `Basic ${client.merchant.apiKey}`,
      `Bearer ${client.merchant.apiKey} and more`,
    ]) {
      const answer = await client.call(operationId, {}, { headers: { authorization }, raw: '{' });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.body.data.error).toEqual(['Unauthenticated.']);
    }
  });

  test('accepts the Bearer scheme in any case', async () => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const headers = { authorization: `bEARER ${client.merchant.apiKey}` };
    expect((await client.call(operationId, input, { headers })).status).toBe(200);
  });

  test('refuses a wrong method with 405 and an Allow header, in its own envelope', async () => {
    const client = createClient();
    const answer = await client.call(operationId, { policy_no: '1' }, { method: 'PUT' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(method === 'get' ? 'GET, HEAD' : 'POST');
  });

  test('names only known assumptions', async () => {
    const client = createClient();
    const answer = await client.call(operationId, await acceptedInput(client, operationId));
    const noted = (answer.headers.get('sandbox-assumptions') ?? '').split(', ').filter(Boolean);
    const known = new Set(client.merchant.assumptions().map(({ id }) => id));
    expect(noted.length, `declare its assumptions in ${routes}`).toBeGreaterThan(0);
    expect(noted.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe.each(posts)('$operationId (POST)', ({ operationId }) => {
  test('refuses a Content-Type other than application/json with 415', async () => {
    const client = createClient();
    for (const type of [undefined, ...OTHER_TYPES]) {
      const headers = { 'content-type': type };
      const raw = new TextEncoder().encode('{}');
      const answer = await client.call(operationId, {}, { headers, raw });
      expect([answer.status, answer.body.data.error], type).toEqual([415, [NOT_JSON_TYPE]]);
    }
  });

  test.each(JSON_TYPES)('accepts the Content-Type %s, and records it as sent', async (type) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const answer = await client.call(operationId, input, { headers: { 'content-type': type } });
    expect(answer.status).toBe(200);
    const [entry] = client.sandbox.journal();
    expect(entry?.request.headers['content-type']).toBe(type);
  });

  test('refuses malformed JSON with 400, and JSON other than an object with 422', async () => {
    const client = createClient();
    for (const raw of ['', '{', '{"a":1,}', 'nope', '{"a":\u0001"b"}']) {
      expect((await client.call(operationId, {}, { raw })).status, raw).toBe(400);
    }
    for (const raw of ['[]', '"text"', '7', 'null', 'true']) {
      const answer = await client.call(operationId, {}, { raw });
      expect(answer.status, raw).toBe(422);
      expect(answer.body.data.error).toEqual(['The request body must be a JSON object.']);
    }
  });

  test('refuses invalid UTF-8 and deep nesting with 400, and a large body with 413', async () => {
    const client = createClient();
    const invalid = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect((await client.call(operationId, {}, { raw: invalid })).status).toBe(400);
    const deep = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    expect((await client.call(operationId, {}, { raw: deep })).status).toBe(400);
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    expect((await client.call(operationId, {}, { raw: large })).status).toBe(413);
  });

  test('accepts a byte order mark, unknown fields and __proto__', async () => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const text = JSON.stringify(input).replace('{', '{"__proto__":{"token":"x"},"unheard_of":1,');
    expect((await client.call(operationId, {}, { raw: `\ufeff${text}` })).status).toBe(200);
    expect(Object.hasOwn(Object.prototype, 'token')).toBe(false);
  });
});

const namesRecords = operations.filter(({ operationId }) => namedField(operationId) !== undefined);

test.each(namesRecords)(
  '$operationId treats a malformed token or policy number like an unknown one',
  async ({ operationId }) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const field = namedField(operationId) as string;
    const ask = (text: string) => client.call(operationId, { ...input, [field]: text });
    const unknown = await ask('nobody has it');
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    for (const text of ['a\u0000b', 'a\u001b[2J', '\u007f', '__proto__', 'x'.repeat(10_000)]) {
      const answer = await ask(text);
      expect([answer.status, answer.text], text).toEqual([unknown.status, unknown.text]);
    }
  },
);

test.each(namesRecords)(
  "$operationId refuses another merchant's record exactly like an unknown one",
  async ({ operationId }) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const stranger = client.as(client.sandbox.createMerchant());
    const foreign = await stranger.call(operationId, input);
    const field = namedField(operationId) as string;
    const nobodys = String(input[field]).replace(/\d/g, '0');
    const unknown = await stranger.call(operationId, { ...input, [field]: nobodys });
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    const noted = ({ headers }: Answer) => headers.get('sandbox-assumptions');
    expect(noted(foreign)).toBe(noted(unknown));
  },
);

test.each(lists)('$operationId lists no records of another merchant', async ({ operationId }) => {
  const { sandbox, merchant, as } = createDemoClient();
  const countOf = ({ body: { data } }: Answer) => data.total ?? data.length;
  const own = await as(merchant).call(operationId);
  expect(countOf(own)).toBeGreaterThan(0);
  expect(countOf(await as(sandbox.createMerchant()).call(operationId))).toBe(0);
});

test.each(operations)(
  '$operationId changes the World if its role says so',
  async ({ operationId, role, readOnly }) => {
    const client = createClient();
    const input = await acceptedInput(client, operationId);
    const remembered = () => tablesOfFamilies(client.merchant.snapshot().world);
    const before = remembered();
    expect((await client.call(operationId, input)).status).toBe(200);
    const { routes } = filesOf(operationId);
    const why = `the role in ${routes} is ${role}`;
    if (readOnly) expect(remembered(), why).toEqual(before);
    else expect(remembered(), why).not.toEqual(before);
  },
);

test.each(operations.filter(({ readOnly }) => !readOnly))(
  '$operationId leaves a World that a snapshot restores exactly',
  async ({ operationId }) => {
    const client = createDemoClient();
    await client.call(operationId, await acceptedInput(client, operationId));
    const saved = client.merchant.snapshot();
    client.merchant.restore(saved);
    const [before, after] = [saved, client.merchant.snapshot()].map(withoutEvents);
    expect(after).toEqual(before);
    expectKeyOrder(before, after, 'snapshot');
  },
);
