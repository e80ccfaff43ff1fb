import { expect, test } from 'vitest';
import { profileOptions } from '../../src/control/profile.ts';
import { createSandbox, type Profile } from '../../src/index.ts';
import { sampleOf } from '../support/depth.ts';
import { idsOf, runCheck, serve, withoutControl } from './support.ts';

/** Other values for every assumption with alternatives. */
const DECISIONS: readonly Record<string, unknown>[] = [
  { 'amount-check': 'ignore' },
  { 'list-order': 'newest-first' },
  { 'token-boundary': 'inclusive' },
  { 'subscriptions-key': 'array' },
  { 'error-code-type': 'string' },
  { 'error-code-type': 'integer' },
  { 'list-selection': { per_page: 20 } },
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
  { 'http-status': { invalid: 400, token_expired: 410, policy_unknown: 400 } },
  { 'auth-failure': { message: 'Who are you?' } },
  { 'token-expired': { message: 'Too late' } },
  { 'token-unknown': { message: 'No such token' } },
  { 'token-used': 'expired' },
  { 'token-used': 'unknown' },
  { 'token-used': 'same-policy' },
  { 'nin-number': 'any' },
  { 'nin-number': { required: false } },
  { 'id-url': { required: false } },
  { 'month-end': 'overflow' },
  { 'time-zone': 'Africa/Lagos' },
  { 'top-up-anchor': 'end' },
  { 'token-used': { message: 'Again?' } },
  { 'page-urls': 'drop' },
  { 'text-trim': 'trim' },
  { 'error-envelope': 'laravel' },
  { 'phone-digits': 'any' },
  { 'frequency-words': 'any-case' },
  { 'motor-images': 'any' },
  { 'success-messages': { getMotorQuote: 'Quoted', verifyMicroHealthSubscription: 'Done' } },
];

/** Expects that a check learns the profile of a server, and finds no difference with it. */
async function expectLearnt(decisions: Record<string, unknown>, families: readonly string[]) {
  const profile = { version: 1, decisions };
  const server = () => serve({ profile, now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  const seen = await runCheck(server(), { families });
  expect(seen.differences.length).toBeGreaterThan(0);
  expect(idsOf(seen, 'explained').toSorted()).toEqual(Object.keys(decisions).toSorted());
  expect(seen.profile).toEqual(profile);
  expect(seen.not_in_profile).toEqual([]);
  const expected = await runCheck(server(), { families, profile });
  expect(expected.differences).toEqual([]);
  expect(expected.profile).toEqual(profile);
}

test('every assumption with alternatives is tested here', () => {
  const tried = DECISIONS.flatMap((decisions) => Object.keys(decisions));
  expect(new Set(tried)).toEqual(new Set(Object.keys(profileOptions)));
});

test('a check learns a profile in which every assumption of a family differs', async () => {
  const ofFamily = DECISIONS.filter((decisions) => !('motor-images' in decisions));
  const all = { sample: 10, ci: 16, all: ofFamily.length };
  const messages = { 'success-messages': { verifyMicroHealthSubscription: 'Done' } };
  const decisions = Object.assign({}, ...sampleOf(ofFamily, all), messages);
  await expectLearnt(decisions, ['micro_health']);
});

test.each(sampleOf(DECISIONS, { sample: 0, ci: 2, all: DECISIONS.length }))(
  'a check learns the profile of a server with %j',
  async (decisions) => {
    const isOfMotor = 'motor-images' in decisions || 'success-messages' in decisions;
    const isOfGroups = 'error-code-type' in decisions;
    await expectLearnt(decisions, [
      'micro_health',
      ...(isOfMotor ? ['motor'] : []),
      ...(isOfGroups ? ['group_life'] : []),
    ]);
  },
);

test('a check learns the statuses of a family that has its own', async () => {
  const statuses = { invalid: 409, micro_health: { invalid: 400 } };
  await expectLearnt({ 'http-status': statuses }, ['micro_health', 'motor']);
});

test.each([
  ['expired', { token_expired: 410 }],
  ['unknown', { token_unknown: 404 }],
  ['same-policy', { token_unknown: 404 }],
])(
  'a check learns no contradiction from a server with "%s" for used tokens',
  async (used, statuses) => {
    const profile = { version: 1, decisions: { 'token-used': used, 'http-status': statuses } };
    const server = () => withoutControl(serve({ profile, clock: 'frozen' }));
    const { profile: learnt } = await runCheck(server(), { families: ['micro_health'] });
    const again = await runCheck(server(), { families: ['micro_health'], profile: learnt });
    expect(again.differences).toEqual([]);
  },
);

test('a check reports a server that does not follow the expected profile', async () => {
  const decisions = { 'error-code-type': 'string', 'http-status': { policy_unknown: 400 } };
  const report = await runCheck(serve(), { profile: { version: 1, decisions }, readOnly: true });
  // A profile without them explains both.
  expect(idsOf(report, 'explained').toSorted()).toEqual(Object.keys(decisions));
});

test.each([
  [{ 'amount-chek': 'ignore' }, /decisions\.amount-chek: .*"amount-check"/],
  [{ 'amount-check': 'maybe' }, /decisions\.amount-check: .*\["exact","ignore"\]/],
  [{ 'http-status': { invalid: 302 } }, /decisions\.http-status\.invalid: .*200, or 400 to 599/],
  [{ 'http-status': { invalidd: 400 } }, /decisions\.http-status.*invalidd/],
  [{ 'list-selection': { per_page: 0 } }, /decisions\.list-selection\.per_page: .*1 to 100/],
  [{ 'token-used': { message: ' ' } }, /decisions\.token-used\.message/],
  [{ constructor: {} }, /decisions\.constructor: unknown assumption, or one without alternatives/],
  [{ recurring: 'true' }, /decisions\.recurring: this assumption has no alternatives/],
])('a profile with %j is refused with the place and what is allowed', (decisions, message) => {
  const profile = { version: 1, decisions } as Profile;
  expect(() => createSandbox({ profile })).toThrow(message);
});

test.each([
  [{ version: 2, decisions: {} }, /version: expected 1/],
  [{ version: 1 }, /decisions/],
  ['nothing', /profile must be the content of a profile file/],
])('%j is refused as a profile', (profile, message) => {
  expect(() => createSandbox({ profile: profile as Profile })).toThrow(message);
});
