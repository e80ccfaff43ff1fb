import { expect } from 'vitest';
import { PUBLISHED_STATUSES } from '../../src/api/refusals.ts';
import { runCheck, serve, withOutcome } from './support.ts';

/** Values of each setting other than the published one. */
export const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'list-order': ['newest-first'],
  'token-boundary': ['inclusive'],
  'error-code-type': ['string', 'integer'],
  'error-envelope': ['laravel'],
  'phone-digits': ['any'],
  'frequency-words': ['any-case'],
  'list-selection': [{ per_page: 20 }, { per_page: 1 }],
  'page-urls': ['drop'],
  'text-trim': ['trim'],
  'http-status': [
    ...Object.keys(PUBLISHED_STATUSES).map((code, place) => ({ [code]: 440 + place })),
    { invalid: 200, token_unknown: 200, policy_unknown: 200 },
    { motor: { invalid: 400 } },
  ],
  'auth-failure': [{ message: 'No key' }],
  'token-expired': [{ message: 'Too late' }],
  'token-unknown': [{ message: 'Which token?' }],
  'token-used': ['expired', 'unknown', 'same-policy', { message: 'Again?' }],
  'month-end': ['overflow'],
  'time-zone': ['Africa/Lagos'],
  'success-messages': [{ verifyMotorPolicy: 'Done' }],
  'nin-number': ['any', { required: false }],
  'id-url': [{ required: false }],
  'top-up-anchor': ['end'],
  'amount-check': ['ignore'],
  'subscriptions-key': ['array'],
  'motor-images': ['any'],
};

export const SETTINGS = Object.entries(VALUES).flatMap(([id, values]) =>
  values.map((value) => ({ id, value, words: JSON.stringify(value) })),
);

/** A sandbox with these decisions has a probe of each that differs with its value, and no other. */
export async function expectDecisions(decisions: Readonly<Record<string, unknown>>): Promise<void> {
  const profile = { version: 1, decisions } as const;
  const report = await runCheck(serve({ profile }));
  expect(report.violations).toEqual([]);
  const abouts = withOutcome(report, 'differs').map(({ about }) => about);
  expect([...new Set(abouts)].toSorted()).toEqual(Object.keys(decisions).toSorted());
  expect(report.profile).toEqual(profile);
}
