import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { buy, initiate } from '../support/requests.ts';

/* Why a token was refused, as only the sandbox knows it. */

type Client = ReturnType<typeof createClient>;

/** The newest entry of a merchant. */
const newest = ({ merchant }: Client) => merchant.journal.list({ limit: 1 })[0];

describe('the cause of a refused token', () => {
  test('is the call that used it and the policy that it bought', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    const again = await client.call('verifyMotorPolicy', { token });
    const [policy] = client.merchant.records({ family: 'motor' }).data;
    const cause = `used by req-3-2; policy ${policy?.policy_number} exists`;
    expect(newest(client)).toMatchObject({ problems: [{ rule: 'token_used' }], cause });
    expect(JSON.stringify([again.body, [...again.headers]])).not.toContain('req-3-2');
  });

  test.each(['after; drop', 'after; truncate'])(
    'says that the response was lost under %s',
    async (fault) => {
      const client = createClient();
      const token = await initiate(client, 'group_life');
      const headers = { 'sandbox-fault': fault };
      await client.call('verifyGroupLifePolicy', { token }, { headers }).catch(() => undefined);
      await client.call('verifyGroupLifePolicy', { token });
      expect(newest(client)?.cause).toMatch(
        /^used by req-3-2, whose response was lost; policy IN\d+ exists$/,
      );
    },
  );

  test('is when it expired, and how long before', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance('PT15M12S');
    const refused = await client.call('verifyMotorPolicy', { token });
    expect(newest(client)?.cause).toBe('expired at 10:15:00, 12 s before');
    expect(JSON.stringify([refused.body, [...refused.headers]])).not.toContain('10:15:00');
    client.merchant.clock.advance('P3D');
    await client.call('verifyMotorPolicy', { token });
    expect(newest(client)?.cause).toBe('expired at 2026-01-31 10:15:00, 3 days 12 s before');
  });

  test('is that the journal no longer has the call, or that a reset began anew', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    client.merchant.journal.clear();
    await client.call('verifyMotorPolicy', { token });
    expect(newest(client)?.cause).toMatch(
      /^used by a call that the journal no longer has; policy INS\d+ exists$/,
    );
    client.merchant.reset();
    await client.call('verifyMotorPolicy', { token });
    expect(newest(client)).not.toHaveProperty('cause');
  });

  test('names the family of a token that was sent to another', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    await client.call('verifyGroupLifePolicy', { token });
    expect(newest(client)?.cause).toBe('a token of motor, pending since 10:00:00');
    await client.call('verifyMotorPolicy', { token });
    await client.call('verifyGroupLifePolicy', { token });
    expect(newest(client)?.cause).toMatch(/^a token of motor, used by req-3-3; policy INS/);
  });

  test("never tells of another merchant's token, nor of one that was never issued", async () => {
    const client = createClient();
    const other = client.as(client.sandbox.createMerchant());
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    await other.call('verifyMotorPolicy', { token });
    expect(newest(other)).not.toHaveProperty('cause');
    await client.call('verifyMotorPolicy', { token: 'nothing' });
    expect(newest(client)).not.toHaveProperty('cause');
  });

  test('stays in a snapshot, in the error of data(), and in what await says of the nearest call', async () => {
    const client = createClient();
    const { merchant } = client;
    const token = await initiate(client, 'motor');
    await client.call('verifyMotorPolicy', { token });
    const failure = await merchant.data('verifyMotorPolicy', { token }).catch((error) => error);
    const cause = newest(client)?.cause;
    expect(failure.message).toBe(
      `verifyMotorPolicy was refused with status 400:\n- Token has already been used\n  ${cause}`,
    );
    await expect(
      merchant.journal.await({ operation: 'verifyMotorPolicy', status: 422, timeout: 'PT0.001S' }),
    ).rejects.toThrow(`Token has already been used Because: ${cause}.`);
    merchant.restore(merchant.snapshot());
    expect(newest(client)?.cause).toBe(cause);
  });
});

describe('the summary of a call', () => {
  test('says who, how much, how often and which policy, for a verify from its initiate', async () => {
    const client = createClient();
    const { merchant } = client;
    await buy(client, 'micro_health');
    const [policy] = merchant.records({ family: 'micro_health' }).data;
    await client.call('validateMicroHealthPolicy', { policy_no: policy?.policy_no });
    await client.call('listMicroHealthSubscriptions');
    await client.call('getMotorQuote', { product_id: 4, vehicle_value: 5_000_000 });
    await client.sandbox.fetch('/api/merchant/nothing', {
      headers: { authorization: `Bearer ${merchant.apiKey}` },
    });
    const number = `policy ${policy?.policy_no}`;
    expect(merchant.journal.list().map(({ summary }) => summary)).toEqual([
      '',
      '₦250,000',
      '1 of 1 listed',
      `monthly · ${number}`,
      `Ada Obi · ₦700 · monthly · ${number}`,
      'Ada Obi · ₦700 · monthly',
    ]);
  });

  test('hides what the journal hides, and shows odd values as they were sent', async () => {
    const client = createClient();
    const { apiKey } = client.merchant;
    const fields = { first_name: apiKey, amount: 'much', surname: ' ', subscription_type: ['x'] };
    await client.call('initiateMicroHealthSubscription', fields);
    expect(newest(client)?.summary).toBe('[redacted] · much');
  });
});
