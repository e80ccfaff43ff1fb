import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import type { Fetch } from '../../src/tools/check/client.ts';
import { toText } from '../../src/tools/check/report.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { runCheck, serve, withoutControl } from './support.ts';

describe('a server with its own catalogue and prices', () => {
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

  test('has no difference, only a note', async () => {
    const families = ['micro_health', 'motor'];
    const report = await runCheck(withoutControl(serve({ fixtures })), { families });
    expect(report.differences).toEqual([]);
    expect(report.notes).toEqual([
      "The check used product 7 of micro_health; the sandbox's fixtures have products 1 and 3.",
      "The prices of motor differ from the sandbox's fixtures. The check used the server's.",
      "Products or commissions differ from the sandbox's fixtures. The check used the server's.",
    ]);
  });

  test('is checked with the product that --product names', async () => {
    const products = new Map([['micro_health', 7]]);
    const options = { products, families: ['micro_health'], readOnly: true };
    const report = await runCheck(serve({ fixtures }), options);
    expect(report.differences).toEqual([]);
    const other = await runCheck(serve(), options);
    expect(other.not_asked).toContainEqual({
      reason: 'no product found; name one with --product micro_health=ID',
      calls: 6,
      example: 'getMicroHealthQuote of any kind',
    });
  });
});

test('a server that takes the products of other families keeps the product of each', async () => {
  const { products, health, motor } = fixtureFiles();
  const sold = products.filter(({ id }) => id !== 3);
  const ofOwn = { micro_health: 5, motor: 7, group_life: 6 } as const;
  const fixtures = {
    'products.json': {
      products: sold.map((each) => ({ ...each, id: ofOwn[each.family as keyof typeof ofOwn] })),
    },
    'micro-health.json': {
      prices: health.prices
        .filter(({ product_id }) => product_id === 1)
        .map((price) => ({ ...price, product_id: 5 })),
      commission_rates: [{ product_id: 5, partner: 0.1, merchant: 0.05 }],
      subscribers: [],
    },
    'motor.json': { premium_rates: [{ ...motor, product_id: 7 }], policies: [] },
    'group-life.json': { policies: [] },
  };
  const sandbox = withoutControl(serve({ fixtures }));
  /** Motor answers for product 5 as for its own. */
  const lax: Fetch = async (request) => {
    const sent = await request
      .clone()
      .json()
      .catch(() => ({}));
    const isOther = request.url.includes('comprehensive_motor') && Number(sent.product_id) === 5;
    const body = JSON.stringify({ ...sent, product_id: 7 });
    return sandbox(isOther ? new Request(request, { body }) : request);
  };
  const report = await runCheck(lax, { families: ['micro_health', 'motor', 'group_life'] });
  expect(report.notes.slice(0, 2)).toEqual([
    "The check used product 5 of micro_health; the sandbox's fixtures have products 1 and 3.",
    "The check used product 7 of motor; the sandbox's fixtures have product 4.",
  ]);
  expect(report.differences).toMatchObject([
    { path: '$.success', assumptions: ['catalogue', 'motor-product'] },
  ]);
  // A check of motor alone does not know whose product 5 is.
  const alone = await runCheck(lax, { families: ['motor'] });
  expect(alone.notes[0]).toMatch('The check used product 5 of motor');
});

describe('the product of group life, which has no quotes', () => {
  /** A sandbox whose only product of group life has this id. */
  const selling = (id: number) => {
    const { products } = fixtureFiles();
    const own = products.map((each) => (each.family === 'group_life' ? { ...each, id } : each));
    return { 'products.json': { products: own }, 'group-life.json': { policies: [] } };
  };
  const note = (id: number) =>
    `The check used product ${id} of group_life; the sandbox's fixtures have product 2.`;
  const families = ['group_life'];

  test('is found by initiating purchases', async () => {
    const server = withoutControl(serve({ fixtures: selling(9) }));
    const report = await runCheck(server, { families });
    expect(report.differences).toEqual([]);
    expect(report.notes).toContain(note(9));
  });

  test('is read from the policies in the list', async () => {
    const sandbox = createSandbox({ fixtures: selling(57) });
    await sandbox.merchant('sk_sandbox_demo').buy('group_life', { product_id: 57 });
    const report = await runCheck(withoutControl(sandbox.fetch), { families });
    expect(report.differences).toEqual([]);
    expect(report.notes).toContain(note(57));
  });
});

test('a purchase that a server should have refused is one difference, whatever its list shows of it', async () => {
  const sandbox = withoutControl(serve());
  const sold: object[] = [];
  /** Sells a cover of no length too, which is in the list at once. */
  const lax: Fetch = async (request) => {
    const { pathname } = new URL(request.url);
    const sent = await request
      .clone()
      .json()
      .catch(() => ({}));
    const answer = await sandbox(request);
    if (pathname.endsWith('motor_initiate_policy') && sent.duration === 0) {
      const policy = { policy_number: `INS${9e12 + sold.length}`, duration: 0 };
      sold.push(policy);
      return Response.json({
        success: true,
        data: policy,
        response_message: '',
        response_code: '',
      });
    }
    if (!pathname.endsWith('motor_policies') || answer.status !== 200) return answer;
    const body = await answer.json();
    body.data.push(...sold);
    return Response.json(body, answer);
  };
  const { differences } = await runCheck(lax, { families: ['motor'] });
  expect(sold.length).toBeGreaterThan(0);
  expect(differences).toMatchObject([{ path: '$.success', assumptions: ['motor-duration'] }]);
});

test('a server that accepts only the fields of the specification is checked to the end', async () => {
  const sandbox = withoutControl(serve());
  /** No digits as text, no synonyms, no unknown fields, and a response without a date. */
  const strict: Fetch = async (request) => {
    const { pathname } = new URL(request.url);
    const sent = await request
      .clone()
      .json()
      .catch(() => ({}));
    const isLoose =
      typeof sent.product_id === 'string' ||
      typeof sent.amount === 'string' ||
      sent.subscription_type === 'yearly' ||
      'sandbox_check' in sent;
    if (pathname.endsWith('micro_health/initiate') && isLoose) {
      const error = ['The purchase is not as specified.'];
      return Response.json(
        { success: false, response_message: error[0], response_code: '422', data: { error } },
        { status: 422 },
      );
    }
    const answer = await sandbox(request);
    if (!pathname.endsWith('micro_health/verify') || answer.status !== 200) return answer;
    const body = await answer.json();
    body.data.active_date = undefined;
    return Response.json(body, answer);
  };
  const report = await runCheck(strict, { families: ['micro_health'] });
  const isRefused = ({ path }: { path: string }) => path === '$.success' || path === '$.data.error';
  const refused = report.differences.filter(isRefused);
  expect(refused.flatMap(({ assumptions }) => assumptions)).toEqual(
    expect.arrayContaining([
      'frequency-words',
      'product-id-type',
      'text-and-numbers',
      'unknown-fields',
    ]),
  );
  expect(report.differences.filter((each) => !isRefused(each))).toMatchObject([
    {
      path: '$.data.active_date',
      // The specification shows how it is written.
      assumptions: [],
      places: [{ operation: 'verifyMicroHealthSubscription' }],
    },
  ]);
  expect(toText(report).split('\n').length).toBeLessThan(60);
});

test('a server with Laravel refusals and its own statuses gets a short report and a profile', async () => {
  const decisions = {
    'error-envelope': 'laravel',
    'http-status': {
      unauthenticated: 403,
      method_not_allowed: 404,
      unsupported_media_type: 422,
      malformed: 500,
    },
  };
  const server = () => withoutControl(serve({ profile: { version: 1, decisions } }));
  const report = await runCheck(server());
  expect(report.profile.decisions).toEqual(decisions);
  expect(report.not_in_profile).toEqual([]);
  expect(report.differences.every(({ profile }) => profile !== undefined)).toBe(true);
  // One for the form of refusals and one for each status, for any number of operations.
  expect(report.differences).toHaveLength(5);
  const ofKeys = report.differences.find(({ seen }) => seen === '403');
  expect(ofKeys?.places.length).toBeGreaterThan(3);
  expect(toText(report).split('\n').length).toBeLessThan(45);
  const expected = await runCheck(server(), { profile: report.profile });
  expect(expected.differences).toEqual([]);
});
