import { expect, test } from 'vitest';
import { operationOf } from '../support/client.ts';
import { callsOf, filled, type Shown } from '../support/llms.ts';
import { familyKeys, verifyOf } from '../support/requests.ts';
import { connect, transportTo } from './agent.ts';

/** What an agent knows: the command, and the text of `/llms.txt`. */
async function meetSandbox() {
  const agent = await connect(transportTo());
  const { url, key } = JSON.parse(await agent.read('address'));
  let data: unknown;
  const send = async ({ method, path, body }: Shown) => {
    const response = await fetch(url + filled(path, data), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: filled(body, data) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    if (!Array.isArray(answer.data) && !Array.isArray(answer.data?.data)) data = answer.data;
    return answer;
  };
  const calls = callsOf(await agent.read('llms.txt'));
  return {
    agent,
    send,
    calls,
    callOf: (path: string) => calls.find((each) => each.path === path) as Shown,
  };
}

test.each(familyKeys)(
  'an agent buys in the family %s, and survives that the response is lost',
  async (family) => {
    const { agent, send, calls } = await meetSandbox();
    const { path } = operationOf(verifyOf[family]);
    const place = calls.findIndex((each) => each.path === path);
    const [initiate, verify] = calls.slice(place - 1, place + 1) as [Shown, Shown];
    const countOf = async () => Number.parseInt(await agent.use('list_records', { family }), 10);
    const before = await countOf();
    await agent.use('add_fault', {
      match: { operation: verifyOf[family] },
      stage: 'after',
      effect: { kind: 'drop' },
    });
    await send(initiate);
    await expect(send(verify)).rejects.toThrow('fetch failed');
    expect(await countOf()).toBe(before + 1);
    await expect(send(verify)).rejects.toThrow('Token has already been used');
    expect(await countOf()).toBe(before + 1);
    expect(await agent.use('list_calls', { operation: verifyOf[family] })).toContain(
      ' 400  Token has already been used\n',
    );
  },
);

test('an agent renews, and survives that the response is lost', async () => {
  const { agent, send, callOf } = await meetSandbox();
  const at = (operation: string) => callOf(operationOf(operation).path);
  await send(at('initiateMicroHealthSubscription'));
  const { data: policy } = await send(at('verifyMicroHealthSubscription'));
  const endOf = async () => {
    const input = { family: 'micro_health', policy_number: policy.policy_no, full: true };
    const [, record = ''] = (await agent.use('list_records', input)).split('\n');
    return JSON.parse(record).subscriptions.end_date;
  };
  const before = await endOf();
  const effect = { kind: 'truncate' };
  await agent.use('add_fault', { stage: 'after', effect });
  await expect(send(at('topUpMicroHealthSubscription'))).rejects.toThrow();
  // It looks before it renews again.
  expect(Date.parse(await endOf())).toBeGreaterThan(Date.parse(before));
});
