import { describe, expect, test } from 'vitest';
import { profileOptions } from '../../src/control/profile.ts';
import { createSandbox } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';
import { idsOf, runCheck, serve as serveAny } from './support.ts';

// Two servers that are compared with each other show the same moment.
const serve: typeof serveAny = (options) =>
  serveAny({ now: '2026-01-31T10:00:00Z', clock: 'frozen', ...options });

/** Another value for every assumption that has one, and more where one value is not all there is. */
const PROFILES: readonly Record<string, unknown>[] = [
  { 'amount-check': 'ignore' },
  { 'list-order': 'newest-first' },
  { 'token-boundary': 'inclusive' },
  { 'subscriptions-key': 'array' },
  { 'error-code-type': 'string' },
  { 'error-code-type': 'integer' },
  { 'list-selection': { per_page: 20 } },
  { 'http-status': { invalid: 400, token_expired: 410, policy_unknown: 400 } },
  { 'http-status': { token_unknown: 200, token_used: 200, invalid: 200, malformed: 500 } },
  {
    'http-status': {
      unauthenticated: 403,
      method_not_allowed: 404,
      route_unknown: 400,
      unsupported_media_type: 400,
      too_large: 400,
      malformed: 422,
    },
  },
  { 'auth-failure': { message: 'Who are you?' } },
  { 'token-expired': { message: 'Too late' } },
  { 'token-unknown': { message: 'No such token' } },
  { 'token-used': { message: 'Again?' } },
  { 'token-used': 'expired' },
  { 'token-used': 'unknown' },
  { 'page-urls': 'drop' },
  { 'text-trim': 'trim' },
  { 'error-envelope': 'laravel' },
  { 'phone-digits': 'any' },
  { 'motor-images': 'any' },
  { 'frequency-words': 'any-case' },
  { 'success-messages': { getMotorQuote: 'Quoted', verifyMicroHealthSubscription: 'Done' } },
];

/** The families that show it. */
const familiesOf = (decisions: Readonly<Record<string, unknown>>): string[] => [
  'micro_health',
  ...('motor-images' in decisions || 'success-messages' in decisions ? ['motor'] : []),
  ...('error-code-type' in decisions ? ['group_life'] : []),
];

describe('a profile', () => {
  test('of every assumption that has alternatives is tried here', () => {
    const tried = PROFILES.flatMap((decisions) => Object.keys(decisions));
    expect(new Set(tried)).toEqual(new Set(Object.keys(profileOptions)));
  });

  test.each(sampleOf(PROFILES, { sample: 1, ci: 4, all: PROFILES.length }))(
    'is written from what a server does: %j',
    async (decisions) => {
      const profile = { version: 1, decisions } as const;
      const families = familiesOf(decisions);
      const seen = await runCheck(serve({ profile }), { families });
      expect(seen.differences.length).toBeGreaterThan(0);
      expect(idsOf(seen, 'contradicted')).toEqual(Object.keys(decisions));
      expect(seen.profile).toEqual(profile);
      expect(seen.not_in_profile).toEqual([]);

      const followed = await runCheck(serve({ profile: seen.profile }), { families });
      expect(followed.differences).toEqual(seen.differences);
      const wishes = { families, profile: seen.profile };
      const expected = await runCheck(serve({ profile }), wishes);
      expect(expected.differences).toEqual([]);
      expect(expected.profile).toEqual(profile);
    },
  );

  test('may take every assumption of a family otherwise at once', async () => {
    const ofFamily = PROFILES.filter((each) => !('http-status' in each || 'motor-images' in each));
    const taken = sampleOf(ofFamily, { sample: 6, ci: 30, all: 30 });
    const messages = { 'success-messages': { verifyMicroHealthSubscription: 'Done' } };
    const profile = { version: 1, decisions: Object.assign({}, ...taken, PROFILES[7], messages) };
    const families = ['micro_health'];
    const seen = await runCheck(serve({ profile }), { families });
    expect(seen.profile).toEqual(profile);
    const expected = await runCheck(serve({ profile }), { families, profile: seen.profile });
    expect(expected.differences).toEqual([]);
  });

  test('that expects what a server does not do tells that as a difference', async () => {
    const profile = {
      version: 1,
      decisions: { 'subscriptions-key': 'array', 'amount-check': 'ignore' },
    };
    const report = await runCheck(serve(), { profile, families: ['micro_health'] });
    expect(idsOf(report, 'contradicted').toSorted()).toEqual(['amount-check', 'subscriptions-key']);
  });
});

describe('a profile that can not be used', () => {
  test.each([
    [
      { version: 1, decisions: { 'amount-chek': 'ignore' } },
      /decisions\.amount-chek: .*"amount-check"/,
    ],
    [
      { version: 1, decisions: { 'amount-check': 'maybe' } },
      /decisions\.amount-check: .*\["exact","ignore"\]/,
    ],
    [
      { version: 1, decisions: { 'http-status': { invalid: 302 } } },
      /decisions\.http-status\.invalid: .*200, or 400 to 599/,
    ],
    [
      { version: 1, decisions: { 'http-status': { invalidd: 400 } } },
      /decisions\.http-status.*invalidd/,
    ],
    [
      { version: 1, decisions: { 'list-selection': { per_page: 0 } } },
      /decisions\.list-selection\.per_page: .*1 to 100/,
    ],
    [
      { version: 1, decisions: { 'token-used': { message: ' ' } } },
      /decisions\.token-used\.message/,
    ],
    [
      { version: 1, decisions: { constructor: {} } },
      /decisions\.constructor: no decision of this name has alternatives/,
    ],
    [
      { version: 1, decisions: { recurring: 'true' } },
      /decisions\.recurring: this decision has no alternatives/,
    ],
    [{ version: 2, decisions: {} }, /version: expected 1/],
    [{ version: 1 }, /decisions/],
    ['nothing', /the document/],
  ])('%j is refused with the place and what is allowed', (profile, message) => {
    expect(() => createSandbox({ profile })).toThrow(message);
  });
});
