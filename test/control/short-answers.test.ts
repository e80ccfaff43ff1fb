import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { BASE, createClient } from '../support/client.ts';
import { initiate } from '../support/requests.ts';

test.each(['journal', 'journal/all', 'faults', 'purchases', 'records?family=motor', 'snapshot'])(
  'an answer shows the moment it was asked for, whenever it is read: %s',
  async (path) => {
    const client = createClient();
    const { sandbox, merchant } = client;
    await initiate(client, 'motor');
    merchant.faults.add({ stage: 'after', effect: { kind: 'hang' }, times: 3 });
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const ask = () => sandbox.fetch(`${BASE}/_sandbox/${path}`, { headers });
    const [now, later] = [await ask(), await ask()];
    const text = await now.text();
    merchant.reset();
    await client.call('listMotorPolicies');
    expect(await later.text()).toBe(text);
  },
);

test('pending purchases that can not be told, for want of a moment, are an error and no broken answer', async () => {
  let now = Date.parse('2026-01-31T10:00:00Z');
  const sandbox = createSandbox({ clock: () => now });
  const headers = { authorization: `Bearer ${sandbox.createMerchant().apiKey}` };
  now = Number.NaN;
  await expect(sandbox.fetch(`${BASE}/_sandbox/purchases`, { headers })).rejects.toThrow(
    'must answer a Date or the milliseconds',
  );
});
