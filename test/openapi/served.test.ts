import { describe, expect, test } from 'vitest';
import { profileOptions } from '../../src/control/profile.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { createDemoClient, operationOf } from '../support/client.ts';
import { responseOf } from '../support/document-validation.ts';
import { documentOf, EDITIONS, get, withProfile } from '../support/served-documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

/** A document as text, without its list of assumptions. */
async function wordsOf(sandbox: Sandbox): Promise<string> {
  const { 'x-assumptions': _assumptions, ...document } = await documentOf(sandbox);
  return JSON.stringify(document);
}

describe('a served document', () => {
  test('names the default number of items on a page', async () => {
    const { sandbox, call } = createDemoClient(withProfile({ 'list-selection': { per_page: 7 } }));
    const { paths } = await documentOf(sandbox);
    for (const operationId of ['listMicroHealthSubscriptions', 'listGroupLifePolicies']) {
      const { parameters } = paths[operationOf(operationId).path].get;
      const perPage = parameters.find(({ name }: Any) => name === 'per_page');
      expect(perPage).toMatchObject({ example: 7, schema: { default: 7 } });
      expect(perPage.description).toContain('The default is 7.');
      expect((await call(operationId)).body.data.per_page).toBe(7);
    }
  });

  test.each([
    ['list-order', 'newest-first', 'oldest first', 'newest first'],
    ['token-boundary', 'inclusive', ':00.000 it has expired', ':00.000 it is still valid'],
    ['page-urls', 'drop', 'It keeps `per_page` and the filters', 'It has `page` only'],
    ['text-trim', 'trim', 'around text is kept', 'around text is removed before'],
    ['time-zone', 'Africa/Lagos', 'Periods are in UTC', 'Periods are in Africa/Lagos'],
    ['amount-check', 'ignore', 'Any other amount is refused', 'Other amounts are accepted too'],
  ])('follows the profile setting of %s', async (id, value, published, here) => {
    const usual = await wordsOf(createSandbox());
    const other = await wordsOf(createSandbox(withProfile({ [id]: value })));
    expect([usual.includes(published), usual.includes(here)]).toEqual([true, false]);
    expect([other.includes(published), other.includes(here)]).toEqual([false, true]);
  });

  test('names the statuses of an unknown path and a wrong method', async () => {
    const statuses = { route_unknown: 410, method_not_allowed: 501 };
    const { info } = await documentOf(createSandbox(withProfile({ 'http-status': statuses })));
    expect(info.description.replace(/\s+/g, ' ')).toContain(
      'an unknown path returns 410, and a wrong method returns 501',
    );
  });

  test('names the statuses of a family that has its own', async () => {
    const statuses = { motor: { method_not_allowed: 501, invalid: 400 } };
    const document = await documentOf(createSandbox(withProfile({ 'http-status': statuses })));
    expect(document.info.description.replace(/\s+/g, ' ')).toContain(
      'a wrong method returns 405 (Comprehensive motor: 501)',
    );
    expect(responseOf(document, 'getMotorQuote', 422)).toBeUndefined();
    expect(responseOf(document, 'getMicroHealthQuote', 422)).toBeDefined();
    expect(document['x-assumptions']['http-status'].setting).toEqual(statuses);
  });

  test('follows --amount-check too', async () => {
    const document = await documentOf(createSandbox({ amountCheck: 'ignore' }));
    expect(document['x-assumptions']['amount-check'].setting).toBe('ignore');
  });

  test('keeps the expired group-life token as the specification shows it', async () => {
    const document = await documentOf(
      createSandbox(
        withProfile({
          'error-code-type': 'string',
          'token-expired': { message: 'Too late' },
          'http-status': { token_expired: 410 },
        }),
      ),
    );
    const verify = responseOf(document, 'verifyGroupLifePolicy', 410).content['application/json'];
    expect(verify.examples.token_expired.value).toEqual({
      success: false,
      response_message: 'Token has expired',
      response_code: 400,
      data: { error: ['Token has expired'] },
    });
  });
});

describe('the committed documents are served', () => {
  const DEFAULTS = Object.fromEntries(
    Object.entries(profileOptions).map(([id, option]) => [id, option.in(PUBLISHED)]),
  );

  test.each([
    ['without a profile', {}],
    ['with an empty profile', withProfile({})],
    ['with a profile that repeats every published setting', withProfile(DEFAULTS)],
    [
      'with a profile that repeats a published message',
      withProfile({
        'success-messages': { getMotorQuote: operationOf('getMotorQuote').envelope.message },
      }),
    ],
  ])('%s', async (_what, options) => {
    for (const [path, published] of EDITIONS) {
      const response = await get(createSandbox(options), path);
      await expectServed(response, textAt('http://sandbox', published));
    }
  });

  test.each([
    [
      'the public URL',
      { publicUrl: 'https://sandbox.example/base/' },
      'https://sandbox.example/base',
    ],
    ['the request address', {}, 'http://127.0.0.1:40999'],
  ])('with %s as their server and in their examples', async (_what, options, address) => {
    const sandbox = createSandbox(options);
    for (const [path, published] of EDITIONS) {
      const response = await sandbox.fetch(`http://127.0.0.1:40999${path}`);
      await expectServed(response, textAt(address, published));
    }
    const { servers } = await (
      await sandbox.fetch('http://127.0.0.1:40999/_sandbox/openapi.json')
    ).json();
    expect(servers).toEqual([{ url: address, description: 'This sandbox' }]);
  });
});

/** Compares values first, because a diff of two long texts is hard to read. */
async function expectServed(response: Response, expected: string): Promise<void> {
  const text = await response.text();
  expect(JSON.parse(text)).toEqual(JSON.parse(expected));
  expect(text === expected, 'to the byte').toBe(true);
}

/** A committed document as a sandbox at an address serves it. */
const textAt = (address: string, published: object): string =>
  JSON.stringify({
    ...published,
    servers: [{ url: address, description: 'This sandbox' }],
  }).replaceAll('http://127.0.0.1:4015', address);
