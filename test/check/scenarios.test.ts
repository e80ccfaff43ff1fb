/* What scenarios send: requests that a server can refuse, or accept, for one reason only. */
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/tools/check/client.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { runCheck, serve, withoutControl } from './support.ts';

/** The path, the assumptions and the operations of each difference. */
const toldOf = ({ differences }: Report) =>
  differences.map(({ path, assumptions, places }) => [
    path,
    ...assumptions,
    ...places.map(({ operation }) => operation).toSorted(),
  ]);

test('a renewal at another frequency and another word for one have the premium of that frequency', async () => {
  const sandbox = withoutControl(serve());
  const { prices } = fixtureFiles().health;
  const costs = (amount: number) => prices.some(({ annually }) => annually === amount);
  /** Renews yearly what is paid monthly, and takes `annual`, both for the yearly premium. */
  const free: Fetch = async (request) => {
    const sent = await request
      .clone()
      .json()
      .catch(() => ({}));
    const sends = (body: object) => sandbox(new Request(request, { body: JSON.stringify(body) }));
    if (sent.subscription_type === 'annual')
      return sends({ ...sent, subscription_type: 'annually' });
    const answer = await sandbox(request.clone());
    if (!request.url.endsWith('top_up') || answer.status === 200 || !costs(sent.amount))
      return answer;
    const monthly = prices.find(({ annually }) => annually === sent.amount)?.monthly;
    return sends({ ...sent, subscription_type: 'monthly', amount: monthly });
  };
  const report = await runCheck(free, { families: ['micro_health'] });
  expect(toldOf(report)).toEqual([
    ['$.success', 'frequency-words', 'getMicroHealthQuote', 'initiateMicroHealthSubscription'],
    ['$.success', 'top-up-frequency', 'topUpMicroHealthSubscription'],
  ]);
});
