import { expect, test } from 'vitest';
import catalogue from '../../fixtures/products.json' with { type: 'json' };
import { profileOptions } from '../../src/control/profile.ts';
import { createSandbox } from '../../src/index.ts';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import { HEADINGS } from '../../src/tools/check/probe.ts';
import { PROBES, probesOf } from '../../src/tools/check/probes/index.ts';
import type { Report } from '../../src/tools/check/report.ts';
import type { AssumptionId } from '../../src/world/assumptions.ts';
import { expectDecisions, SETTINGS, VALUES } from './settings.ts';
import { KEY, OTHER_KEY, runCheck, serve, told, withOutcome, withoutControl } from './support.ts';

/** What a sandbox that follows the contract shows. */
function expectClean(report: Report, unasked: readonly string[] = []): void {
  expect(told(report)).toEqual([]);
  const left = withOutcome(report, 'not_asked').map(({ id, why }) => `${id}: ${why}`);
  expect(left.filter((line) => !unasked.some((why) => line.endsWith(why)))).toEqual([]);
  expect(report.profile.decisions).toEqual({});
}

test('every probe of a sandbox says what the contract says, in at most 250 requests', async () => {
  const report = await runCheck(serve());
  expectClean(report);
  expect(report.requests).toBeLessThanOrEqual(250);
});

/** Assumptions without a probe, and why. */
const UNPROBED: Readonly<Partial<Record<AssumptionId, string>>> = {
  currency: 'No answer names a currency.',
  'price-config': "Prices are the provider's to set.",
};

test('every assumption has a probe, or a reason why no answer shows it', () => {
  const isProbed = (id: string) => probesOf(id).length > 0;
  const missing = Object.keys(ASSUMPTIONS).filter((id) => !isProbed(id) && !(id in UNPROBED));
  expect(missing, 'add a probe in src/tools/check/probes, or a reason to UNPROBED').toEqual([]);
  expect(Object.keys(UNPROBED).filter(isProbed)).toEqual([]);
  const ids = PROBES.map(({ id }) => id);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  const known: readonly string[] = [...HEADINGS, ...Object.keys(ASSUMPTIONS)];
  expect(PROBES.filter(({ about }) => !known.includes(about))).toEqual([]);
});

test('every setting has its values here', () => {
  expect(Object.keys(VALUES).toSorted()).toEqual(Object.keys(profileOptions).toSorted());
});

/** The settings in as few profiles as possible, so that each value is in one. */
function combined(): Record<string, unknown>[] {
  const profiles: Record<string, unknown>[] = [];
  for (const { id, value } of SETTINGS) {
    const profile = profiles.find(
      (decisions) =>
        both(decisions[id], value) !== undefined &&
        !(APART[id] ?? []).some((other) => other in decisions),
    );
    if (profile) profile[id] = both(profile[id], value);
    else profiles.push({ [id]: value });
  }
  return profiles;
}

/** Two values of a setting in one, such as the statuses of two refusals; undefined if they exclude each other. */
function both(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  if (typeof one !== 'object' || typeof other !== 'object') return undefined;
  const parts = [...Object.entries(Object(one)), ...Object.entries(Object(other))];
  const isFlat = parts.every(([, part]) => typeof part !== 'object');
  const whole = Object.fromEntries(parts);
  return isFlat && Object.keys(whole).length === parts.length ? whole : undefined;
}

/** Settings that hide each other: a token that is used has no status of its own, a bare message no code. */
const APART: Readonly<Record<string, readonly string[]>> = {
  'token-used': ['http-status'],
  'http-status': ['token-used'],
  'error-code-type': ['error-envelope'],
  'error-envelope': ['error-code-type'],
};

test.each(combined())(
  'with %o these assumptions differ with these values, and no other does',
  async (decisions) => expectDecisions(decisions),
);

test.each([
  {
    'error-envelope': 'laravel',
    'http-status': { motor: { invalid: 400 } },
    'list-order': 'newest-first',
  },
  { 'token-used': 'same-policy', 'time-zone': 'Africa/Lagos', 'amount-check': 'ignore' },
])('under its own profile %o every probe is as published', async (decisions) => {
  const profile = { version: 1, decisions } as const;
  const report = await runCheck(serve({ profile }), { profile });
  expect(told(report)).toEqual([]);
  // Without it the server still decides otherwise.
  expect(report.profile).toEqual(profile);
});

test('a server that is as published differs from a profile that says otherwise', async () => {
  const profile = { version: 1, decisions: { 'list-order': 'newest-first' } };
  const report = await runCheck(serve(), { profile });
  expect(withOutcome(report, 'differs')).toMatchObject([
    { id: 'list-order', expected: '"newest-first"', seen: '"oldest-first"' },
  ]);
});

/** What a server without a control plane cannot show. */
const WITHOUT_CLOCK = [
  'time has to pass; --wait-expiry waits 15 minutes',
  'only a clock that can be moved shows it',
  'only the control plane of a sandbox rotates keys',
  'no call was refused for this reason',
  'only a purchase at the end of a month shows it',
];

test('other prices and products make no difference', async () => {
  const moved = catalogue.products.map((product) => ({ ...product, id: product.id + 40 }));
  const fixtures = {
    'products.json': { products: moved },
    'micro-health.json': {
      prices: [1, 2, 3, 4].map((users) => ({
        product_id: 41,
        users,
        monthly: 333.25 * users,
        quarterly: 1_000 * users,
        annually: 3_900.5 * users,
      })),
      commission_rates: [{ product_id: 41, partner: 0.07, merchant: 0.03 }],
      policies: [],
    },
    'motor.json': { premium_rates: [{ product_id: 44, rate: 0.0375 }], policies: [] },
    'group-life.json': { policies: [] },
  };
  const report = await runCheck(serve({ fixtures } as never));
  expectClean(report);
});

test('with 40 policies of each family before, and no control plane, no probe differs', async () => {
  const sandbox = createSandbox({ seed: 3 });
  const records = { micro_health: 40, motor: 40, group_life: 40 };
  const merchant = sandbox.createMerchant({ records });
  const fetch = withoutControl((request) => sandbox.fetch(request));
  const report = await runCheck(fetch, { key: merchant.apiKey, otherKey: OTHER_KEY });
  expectClean(report, WITHOUT_CLOCK);
  const again = await runCheck(fetch, { key: merchant.apiKey, otherKey: OTHER_KEY });
  expectClean(again, WITHOUT_CLOCK);
});

test('nothing is left of a check in a sandbox', async () => {
  const sandbox = createSandbox();
  const before = sandbox.merchants().map(({ id }) => id);
  await runCheck((request) => sandbox.fetch(request));
  expect(sandbox.merchants().map(({ id }) => id)).toEqual(before);
  const demo = sandbox.merchant(KEY);
  expect(demo.journal.list().map(({ operation }) => operation)).not.toContain('verifyMotorPolicy');
});
