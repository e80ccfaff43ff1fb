import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/contract/client.ts';
import type { Report } from '../../src/contract/report.ts';
import { idsOf, KEY, OTHER_KEY, runCheck, serve, withoutControl } from './support.ts';

/** A server that lets another merchant see what the first one has, on some paths. */
const leaking = (fetch: Fetch, path: RegExp): Fetch => {
  const asFirst = (request: Request): Request => {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${KEY}`);
    return new Request(request, { headers });
  };
  return (request) => {
    const isOther = request.headers.get('authorization')?.endsWith(OTHER_KEY);
    return fetch(isOther && path.test(request.url) ? asFirst(request) : request);
  };
};

/** The operations that show what belongs to another merchant. */
const leaksIn = ({ differences }: Report): string[] => {
  const leaks = differences.filter(({ assumptions }) => assumptions.includes('foreign-policy'));
  return [...new Set(leaks.flatMap(({ places }) => places.map(({ operation }) => operation)))];
};

describe('with the key of another merchant and no control plane', () => {
  test('a check confirms that merchants do not see what others have', async () => {
    const report = await runCheck(withoutControl(serve()), { otherKey: OTHER_KEY });
    expect(report.differences).toEqual([]);
    expect(idsOf(report, 'confirmed')).toContain('foreign-policy');
  });

  test.each([
    ['micro_health', 'topUpMicroHealthSubscription', /top_up/],
    ['micro_health', 'listMicroHealthSubscriptions', /all_subscriptions/],
    ['motor', 'getMotorPolicyDetails', /motor_policy_details/],
    ['group_life', 'verifyGroupLifePolicy', /verify-group-life/],
  ])('a leak of %s is told: %s', async (family, operation, path) => {
    const fetch = leaking(withoutControl(serve()), path);
    const report = await runCheck(fetch, { otherKey: OTHER_KEY, families: [family] });
    expect(leaksIn(report)).toEqual([operation]);
  });

  test('a foreign read is told without a purchase', async () => {
    const fetch = leaking(withoutControl(serve()), /details|validate|policies|subscriptions/);
    const report = await runCheck(fetch, { otherKey: OTHER_KEY, readOnly: true });
    expect(leaksIn(report)).toHaveLength(6);
  });
});

test('the same key twice is refused', async () => {
  await expect(runCheck(serve(), { otherKey: KEY })).rejects.toThrow(/is the same key/);
});

test('another key that is not known is refused, and not repeated', async () => {
  const check = runCheck(serve(), { otherKey: 'sk_sandbox_nobody' });
  await expect(check).rejects.toThrow(/refuses the other key with 401/);
  await expect(check).rejects.not.toThrow(/nobody/);
});
