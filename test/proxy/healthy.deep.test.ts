import { expect, test } from 'vitest';
import type { Profile } from '../../src/index.ts';
import { check } from '../../src/tools/check/check.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { amountOf } from '../support/depth.ts';
import { familyOf, initiateOf, purchaseOf } from '../support/requests.ts';
import { playScript } from '../support/script.ts';
import { KEY, proxyTo, serveSandbox } from './support.ts';

const FAMILIES = ['group_life', 'micro_health', 'motor'];

/** The profile values that show in exchanges. The amount check and the last moment of a token do not. */
const PROFILES = [
  {
    decisions: {
      'list-order': 'newest-first',
      'http-status': { invalid: 400, token_expired: 410, policy_unknown: 400 },
      'auth-failure': { message: 'Who are you?' },
      'token-used': 'expired',
    },
    families: ['group_life'],
  },
  {
    decisions: {
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
    families: FAMILIES,
  },
];

/** The report of a proxy about a service with a profile, called by a check that knows the profile. */
async function driven(
  { profile, families }: { readonly profile: Profile; readonly families: readonly string[] },
  options: { readonly profile?: Profile } = {},
) {
  const sandbox = await serveSandbox({ profile });
  const { url, judge } = await proxyTo(sandbox.url, options);
  const viaProxy = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    // The control plane is asked directly.
    const base = pathname.startsWith('/_sandbox') ? sandbox.url : url;
    return fetch(new Request(base + pathname + search, request));
  };
  const time = { now: systemNow, wait };
  await check({ url: sandbox.url, key: KEY, profile, families }, viaProxy, time);
  const padded = purchaseOf('motor', { vehicle_color: ' blue ' });
  await fetch(requestOf(operationOf(initiateOf.motor), url, KEY, padded));
  return judge.report();
}

test.each(PROFILES.slice(0, amountOf({ sample: 1, ci: 1, all: 2 })))(
  'a service with a profile differs, and with the profile nothing does: $decisions',
  async ({ decisions, families }) => {
    const profile = { version: 1, decisions };
    const seen = await driven({ profile, families });
    expect(seen.differences.length).toBeGreaterThan(0);
    const expected = await driven({ profile, families }, { profile });
    expect(expected.differences).toEqual([]);
  },
);

test.each(FAMILIES.slice(0, amountOf({ sample: 0, ci: 3, all: 3 })))(
  'a check of %s in all ways shows no difference, and every exchange is judged',
  async (family) => {
    const profile = { version: 1, decisions: {} };
    const report = await driven({ profile, families: [family] });
    expect(report.differences).toEqual([]);
    const asked = report.operations.filter(({ operation }) => familyOf(operation) === family);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter(({ not_judged }) => not_judged > 0)).toEqual([]);
  },
);

test('a program that makes every call shows no difference', async () => {
  const { url } = await serveSandbox({ seed: 1 });
  const proxy = await proxyTo(url);
  const throughProxy = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    // Without faults, which would be differences.
    if (pathname === '/_sandbox/faults') return fetch(`${proxy.url}/livez`);
    const healthy = new Request(proxy.url + pathname + search, request);
    healthy.headers.delete('sandbox-fault');
    return fetch(healthy);
  };
  await playScript(throughProxy, KEY, amountOf({ sample: 100, ci: 200, all: 1_000 }));
  expect(proxy.told.filter(({ differences }) => differences.length > 0)).toEqual([]);
});
