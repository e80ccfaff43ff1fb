import { describe, expect, test } from 'vitest';
import { EXAMPLE_MEMBER_REQUEST } from '../../src/products/group-life/examples.ts';
import { createClient, operationOf } from '../support/client.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

describe('a rule', () => {
  test('without a match meets any call, unknown routes and wrong methods too', async () => {
    const client = createClient();
    client.merchant.faults.add({
      stage: 'after',
      effect: { kind: 'respond', status: 503 },
      times: 2,
    });
    const headers = { authorization: `Bearer ${client.merchant.apiKey}` };
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', operationOf('getMotorQuote').path],
    ]) {
      const response = await client.sandbox.fetch(
        new Request(`http://sandbox${path}`, { method: method as string, headers }),
      );
      expect(response.status).toBe(503);
    }
    expect(client.merchant.journal.list().map(({ operation }) => operation)).toEqual([
      'getMotorQuote',
      null,
    ]);
    expect(client.merchant.faults.list()).toEqual([]);
  });

  test('meets only the bodies that have its fields, at any depth', async () => {
    const client = createClient();
    client.merchant.faults.add({
      match: { operation: 'initiateGroupLifePolicy', body: { members: [{ gender: 'male' }] } },
      stage: 'before',
      effect: { kind: 'respond', status: 500 },
    });
    const statusOf = async (gender: string) => {
      const members = [{ ...EXAMPLE_MEMBER_REQUEST, gender }];
      const input = purchaseOf('group_life', { members });
      return (await client.call('initiateGroupLifePolicy', input)).status;
    };
    expect(await statusOf('female')).toBe(200);
    expect(await statusOf('male')).toBe(500);
  });

  test('of some probability meets the same calls in every World of the same seed', async () => {
    const met = async () => {
      const client = createClient();
      const { faults } = client.merchant;
      faults.add({
        stage: 'before',
        effect: { kind: 'respond', status: 500 },
        times: 100,
        probability: 0.5,
      });
      const statuses: number[] = [];
      for (let calls = 0; calls < 40; calls++) {
        statuses.push((await client.call('listMotorPolicies')).status);
      }
      return statuses;
    };
    const statuses = await met();
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
    expect(await met()).toEqual(statuses);
  });

  test('changes no number the service gives', async () => {
    const buyAfter = async (probability: number) => {
      const client = createClient();
      client.merchant.faults.add({
        stage: 'before',
        effect: { kind: 'drop' },
        match: { operation: 'getMotorQuote' },
        probability,
        times: 9,
      });
      await client.call('getMotorQuote', {}).catch(() => undefined);
      return initiate(client, 'micro_health');
    };
    expect(await buyAfter(0.5)).toBe(await buyAfter(0));
  });
});
