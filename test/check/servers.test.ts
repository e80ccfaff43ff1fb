import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/contract/client.ts';
import { type Report, toText } from '../../src/contract/report.ts';
import { createSandbox } from '../../src/index.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { command, fake } from './command.ts';
import { KEY, runCheck, serve, withoutControl } from './support.ts';

/** A server that answers as the sandbox does, its answers changed. */
const answering =
  (
    fetch: Fetch,
    change: (body: ReturnType<typeof JSON.parse>, answer: Response, request: Request) => unknown,
  ): Fetch =>
  async (request) => {
    const answer = await fetch(request);
    const changed = change(await answer.clone().json(), answer, request);
    if (changed instanceof Response) return changed;
    const { status, headers } = answer;
    return new Response(JSON.stringify(changed), { status, headers });
  };

const lines = (report: Report): string[] => toText(report).split('\n');

describe('a server with a catalogue and prices of its own', () => {
  const { products, health, motor } = fixtureFiles();
  const fixtures = {
    'products.json': {
      products: products
        .filter(({ id }) => id !== 3)
        .map((product) => ({
          ...product,
          id: product.id === 1 ? 7 : product.id,
          name: `${product.name} Plus`,
        })),
    },
    'micro-health.json': {
      prices: health.prices
        .filter(({ product_id }) => product_id === 1)
        .map((price) => ({ ...price, product_id: 7, monthly: price.monthly + 50 })),
      commission_rates: [{ product_id: 7, partner: 0.12, merchant: 0.04 }],
      subscribers: [],
    },
    'motor.json': { premium_rates: [{ ...motor, rate: 0.04 }], policies: [] },
    'group-life.json': { policies: [] },
  };

  test('does not differ; what it sells is a note', async () => {
    const families = ['micro_health', 'motor'];
    const report = await runCheck(withoutControl(serve({ fixtures })), { families });
    expect(report.differences).toEqual([]);
    expect(report.notes).toEqual([
      "micro_health sells product 7; the sandbox's own fixtures sell products 1 and 3.",
      "Prices of motor are the server's own; the sandbox's fixtures have others.",
      "Products or commissions are the server's own: the sandbox's fixtures have others.",
    ]);
  });

  test('is bought at the product that --product names', async () => {
    const named = new Map([['micro_health', 7]]);
    const options = { products: named, families: ['micro_health'] };
    const report = await runCheck(serve({ fixtures }), options);
    expect(report.differences).toEqual([]);
    const other = await runCheck(serve(), options);
    expect(other.not_asked).toContainEqual({
      reason: 'no product of it was found; --product micro_health=ID names one',
      calls: 6,
      example: 'getMicroHealthQuote of any kind',
    });
  });
});

test('a server that takes the letter of the specification alone is checked to the end', async () => {
  // No digits as text, no synonyms, no gaps, no unknown fields.
  const sandbox = withoutControl(serve());
  const strict: Fetch = async (request) => {
    const body = await request
      .clone()
      .json()
      .catch(() => ({}));
    const isLoose =
      request.url.endsWith('micro_health/initiate') &&
      (typeof body.product_id === 'string' ||
        typeof body.amount === 'string' ||
        body.subscription_type === 'yearly' ||
        'sandbox_check' in body);
    if (!isLoose) return sandbox(request);
    const error = ['The purchase is not as specified.'];
    return Response.json(
      { success: false, response_message: error[0], response_code: '422', data: { error } },
      { status: 422 },
    );
  };
  const withoutActiveDate = answering(strict, (body, _answer, request) => {
    if (body?.data && request.url.endsWith('micro_health/verify')) delete body.data.active_date;
    return body;
  });
  const report = await runCheck(withoutActiveDate, { families: ['micro_health'] });
  const told = report.differences.map(({ path, assumptions, places }) => [
    path,
    [...assumptions].toSorted(),
    places.map(({ operation }) => operation),
  ]);
  expect(told).toContainEqual([
    '$.data.active_date',
    ['subscription-dates', 'top-up-dates'],
    ['verifyMicroHealthSubscription'],
  ]);
  const isRefused = ([path]: readonly unknown[]) => path === '$.success' || path === '$.data.error';
  const refused = told.filter(isRefused).map(([, assumptions]) => assumptions);
  expect(refused.flat()).toEqual(
    expect.arrayContaining([
      'frequency-words',
      'product-id-type',
      'text-and-numbers',
      'unknown-fields',
    ]),
  );
  expect(told).toHaveLength(refused.length + 1);
  expect(lines(report).length).toBeLessThan(60);
});

test('a server that refuses as Laravel does, with statuses of its own, gets a short report and a profile', async () => {
  const decisions = {
    'error-envelope': 'laravel',
    'http-status': { method_not_allowed: 404, unsupported_media_type: 422, malformed: 500 },
  };
  const server = () => withoutControl(serve({ profile: { version: 1, decisions } }));
  const families = ['motor'];
  const report = await runCheck(server(), { families });
  expect(report.profile.decisions).toEqual(decisions);
  expect(report.not_in_profile).toEqual([]);
  expect(report.differences.every(({ profile }) => profile !== undefined)).toBe(true);
  // One for the form of refusals, and one for each status.
  expect(report.differences).toHaveLength(4);
  expect(lines(report).length).toBeLessThan(40);
  const expected = await runCheck(server(), { families, profile: report.profile });
  expect(expected.differences).toEqual([]);
});

test('what all operations share is one difference', async () => {
  const server = serve({ profile: { version: 1, decisions: UNAUTHENTICATED } });
  const report = await runCheck(server, { families: ['motor'] });
  expect(report.differences).toHaveLength(1);
  const [difference] = report.differences;
  expect(difference?.places.length).toBeGreaterThan(4);
  expect(difference?.profile).toEqual(UNAUTHENTICATED);
});

const UNAUTHENTICATED = { 'http-status': { unauthenticated: 403 } };

describe('a wrong base path is one line', () => {
  test('with the base that answers', async () => {
    const sandbox = createSandbox();
    const url = await fake(async (request, response) => {
      const { method = 'GET', headers } = request;
      const path = String(request.url);
      const answer = path.startsWith('/api/merchant')
        ? await sandbox.fetch(
            new Request(`http://sandbox${path}`, {
              method,
              headers: { authorization: String(headers.authorization) },
            }),
          )
        : Response.json({ message: 'Not Found' }, { status: 404 });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
    const { code, err, out } = await command('--url', `${url}/api/v2`, '--key', KEY);
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toEqual([
      `micro-insurance-sandbox: ${url}/api/v2 knows no path of the contract (/api/merchant/micro_health/all_subscriptions is 404); ${url} does: give --url that.`,
    ]);
  });

  test.each([
    ['travel=7', /--product must name micro_health, motor, group_life; got "travel"/],
    ['motor', /--product must be like motor=7; got "motor"/],
    ['motor=x', /--product must be like motor=7; got "motor=x"/],
  ])('--product %s is refused', async (product, message) => {
    const { code, err } = await command(
      '--url',
      'http://127.0.0.1:1',
      '--key',
      KEY,
      '--product',
      product,
    );
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
