import { expect, test } from 'vitest';
import type { Fetch } from '../../src/tools/check/client.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { idsOf, KEY, OTHER_KEY, runCheck, serve, withoutControl } from './support.ts';

/** A server that shows another merchant's data on some paths. */
const leaking = (path: RegExp): Fetch => {
  const fetch = withoutControl(serve());
  return (request) => {
    const headers = new Headers(request.headers);
    const isOther = headers.get('authorization') === `Bearer ${OTHER_KEY}`;
    if (!isOther || !path.test(request.url)) return fetch(request);
    headers.set('authorization', `Bearer ${KEY}`);
    return fetch(new Request(request, { headers }));
  };
};

/** The operations that show another merchant's data. */
const leaksIn = ({ differences }: Report): string[] => {
  const leaks = differences.filter(({ assumptions }) => assumptions.includes('foreign-policy'));
  const operations = leaks.flatMap(({ places }) => places.map(({ operation }) => operation));
  return [...new Set(operations)].toSorted();
};

test('with a second key, a check confirms that merchants are isolated', async () => {
  const report = await runCheck(withoutControl(serve()), { otherKey: OTHER_KEY });
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'confirmed')).toContain('foreign-policy');
});

test("a check reports operations that show or renew another merchant's purchase", async () => {
  const families = ['micro_health', 'group_life'];
  const fetch = leaking(/top_up|all_subscriptions|verify-group-life/);
  const report = await runCheck(fetch, { otherKey: OTHER_KEY, families });
  expect(leaksIn(report)).toEqual([
    'listMicroHealthSubscriptions',
    'topUpMicroHealthSubscription',
    'verifyGroupLifePolicy',
  ]);
});

test("a check reports operations that show another merchant's policy, without a purchase", async () => {
  const families = ['micro_health', 'motor', 'group_life'];
  const fetch = leaking(/details|validate|policies|subscriptions/);
  const report = await runCheck(fetch, { otherKey: OTHER_KEY, families, readOnly: true });
  expect(leaksIn(report)).toHaveLength(6);
});

test('an unknown token or number has the form of those that the server issues', async () => {
  const sandbox = withoutControl(serve());
  const server: Fetch = async (request) => {
    const sent = `${request.url} ${await request.clone().text()}`;
    const isForm = !/[":/](GLP|IN|CMP|INS)?0{8,}("|$| )/.test(sent);
    return isForm ? sandbox(request) : new Response('no such form', { status: 400 });
  };
  const report = await runCheck(server, { otherKey: OTHER_KEY, families: ['motor', 'group_life'] });
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'confirmed')).toEqual(
    expect.arrayContaining(['foreign-policy', 'token-unknown']),
  );
});

test('a second key that is the same or unknown is refused and not printed', async () => {
  await expect(runCheck(serve(), { otherKey: KEY })).rejects.toThrow(/is the same key/);
  const check = runCheck(serve(), { otherKey: 'sk_sandbox_nobody' });
  await expect(check).rejects.toThrow(/refuses the other key with 401/);
  await expect(check).rejects.not.toThrow(/nobody/);
});
