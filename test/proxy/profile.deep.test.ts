import { describe, expect, test } from 'vitest';
import type { SandboxServer } from '../../src/node/index.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { amountOf } from '../support/depth.ts';
import { initiateOf, purchaseOf } from '../support/requests.ts';
import { checkThrough, DEMO_KEY, proxiedSandbox, type TestProxy } from './support.ts';

/** What a profile may say that shows in exchanges; whether amounts are compared, and the very last moment of a token, do not. */
const PROFILES: readonly Record<string, unknown>[] = [
  {
    'list-order': 'newest-first',
    'http-status': { invalid: 400, token_expired: 410, policy_unknown: 400 },
    'auth-failure': { message: 'Who are you?' },
    'token-used': 'expired',
  },
  {
    'subscriptions-key': 'array',
    'error-code-type': 'integer',
    'list-selection': { per_page: 20 },
    'page-urls': 'drop',
    'text-trim': 'trim',
    'http-status': { token_unknown: 200, token_used: 200 },
    'token-expired': { message: 'It expired' },
    'token-unknown': { message: 'No such token' },
    'token-used': { message: 'Again?' },
    'success-messages': { getMotorQuote: 'Quoted', verifyMicroHealthSubscription: 'Done' },
  },
];

/** The first shows in one family, the other needs all of them. */
const familiesOf = (profile: unknown) =>
  JSON.stringify(profile).includes('newest-first') ? ['micro_health'] : undefined;

/** Does all there is to do, by a check that expects what the profile says, and buys in a padded colour. */
async function drive(proxy: TestProxy, sandbox: SandboxServer, profile: unknown): Promise<void> {
  await checkThrough(proxy, sandbox, { profile, families: familiesOf(profile) });
  const padded = purchaseOf('motor', { vehicle_color: ' blue ' });
  await fetch(requestOf(operationOf(initiateOf.motor), proxy.url, DEMO_KEY, padded));
}

const differed = (proxy: TestProxy) =>
  proxy.told.flatMap(({ differences, operation }) =>
    differences.map((each) => ({ operation, ...each })),
  );

describe('the profile of a service', () => {
  test.each(PROFILES.slice(0, amountOf({ sample: 1, ci: 2, all: 2 })))(
    'is learnt from what goes by, and makes a sandbox that shows no difference: %j',
    async (decisions) => {
      const profile = { version: 1, decisions };
      const { proxy, sandbox } = await proxiedSandbox({ profile });
      await drive(proxy, sandbox, profile);
      const report = proxy.judge.report();
      expect(differed(proxy).length).toBeGreaterThan(0);
      expect(report.profile).toEqual(profile);
      expect(report.not_in_profile).toEqual([]);

      const expected = await proxiedSandbox(
        { profile: report.profile },
        { profile: report.profile },
      );
      await drive(expected.proxy, expected.sandbox, report.profile);
      expect(differed(expected.proxy)).toEqual([]);
      expect(expected.proxy.judge.report().profile).toEqual(profile);
    },
  );

  test('that can not be used is refused with the place', async () => {
    await expect(
      proxiedSandbox({}, { profile: { version: 1, decisions: { 'list-ordr': 1 } } }),
    ).rejects.toThrow(/list-ordr/);
  });
});
