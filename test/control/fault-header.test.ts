import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { familyKeys, initiate, verifyOf } from '../support/requests.ts';
import { sendVerify } from './verify.ts';

const BROKEN = /^The connection was lost/;

describe('the Sandbox-Fault header', () => {
  test.each(familyKeys)(
    'loses the answer of one %s verify, and the policy is there',
    async (family) => {
      const client = createClient();
      const token = await initiate(client, family);
      const lost = client.call(
        verifyOf[family],
        { token },
        { headers: { 'sandbox-fault': 'after; drop' } },
      );
      await expect(lost).rejects.toThrow(BROKEN);
      expect(client.merchant.show().counts[family]).toBe(1);
      const [entry] = client.merchant.journal.list();
      expect(entry).toMatchObject({ status: 200, fault: { id: null, stage: 'after' } });
    },
  );

  test('comes before the rules, and uses none of them up', async () => {
    const client = createClient();
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'drop' } });
    const response = await sendVerify(client, {}, { fault: 'before; respond; status=418' });
    expect(response.status).toBe(418);
    expect(client.merchant.faults.list()).toHaveLength(1);
  });

  test.each(['nonsense', 'after', 'after; explode', 'before; respond; status=700'])(
    'that says "%s" is 400, and nothing is done',
    async (fault) => {
      const client = createClient();
      const token = await initiate(client, 'motor');
      const headers = { 'sandbox-fault': fault };
      const answer = await client.call('verifyMotorPolicy', { token }, { headers });
      expect(answer.status).toBe(400);
      expect(answer.body.data.error[0]).toContain('after; drop');
      expect(client.merchant.show().counts).toMatchObject({ motor: 0, pending: 1 });
    },
  );

  test('means nothing without a valid key', async () => {
    const client = createClient();
    const headers = { authorization: 'Bearer nobody', 'sandbox-fault': 'before; drop' };
    expect((await client.call('getMotorQuote', {}, { headers })).status).toBe(401);
  });
});
