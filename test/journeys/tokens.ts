import { describe, expect, test } from 'vitest';
import type { Clients } from '../support/client.ts';
import { type FamilyKey, familyKeys, initiate, verifyOf } from '../support/requests.ts';
import { tablesOfFamilies, withoutCalls } from '../support/snapshots.ts';

export function tokenJourneys({ createClient }: Clients): void {
  describe.each(familyKeys)('a %s purchase', (family) => {
    const verify = verifyOf[family];

    test('can be verified until just before 15 minutes', async () => {
      const client = await createClient();
      const token = await initiate(client, family);
      await client.merchant.clock.advance('PT14M59.999S');
      expect((await client.call(verify, { token })).status).toBe(200);
    });

    test('expires after 15 minutes and leaves no personal data', async () => {
      const client = await createClient();
      const token = await initiate(client, family);
      const { effects } = await client.merchant.clock.advance('PT15M');
      expect(effects).toMatchObject([
        { kind: 'purchase_expired', token, at: '2026-01-31T10:15:00.000Z' },
      ]);
      const answer = await client.call(verify, { token });
      expect(answer.status).toBe(400);
      expect(answer.body.data.error).toEqual(['Token has expired']);
      const { world } = await client.merchant.snapshot();
      expect(JSON.stringify(tablesOfFamilies(world))).not.toContain('example.com');
    });

    test('can be verified only once, and a second verify names the reason', async () => {
      const client = await createClient();
      const token = await initiate(client, family);
      await client.call(verify, { token });
      for (const wait of ['PT0S', 'PT16M']) {
        await client.merchant.clock.advance(wait);
        const answer = await client.call(verify, { token });
        expect([answer.status, answer.body.data.error[0]]).toEqual([
          400,
          'Token has already been used',
        ]);
      }
    });

    test('becomes one policy after 200 concurrent verifies', async () => {
      const client = await createClient();
      const token = await initiate(client, family);
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => client.call(verify, { token })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await client.merchant.show()).counts[family]).toBe(1);
    });

    test('refuses the token of another family as unknown', async () => {
      const client = await createClient();
      const other = familyKeys.find((key) => key !== family) as FamilyKey;
      const answer = await client.call(verify, { token: await initiate(client, other) });
      expect([answer.status, answer.body.data.error]).toEqual([400, ['Invalid token']]);
    });

    test('refuses a missing, blank or non-text token as invalid input', async () => {
      const client = await createClient();
      for (const body of [{}, { token: '  ' }, { token: null }, { token: 7 }, { token: ['x'] }]) {
        const answer = await client.call(verify, body);
        expect(answer.status, JSON.stringify(body)).toBe(422);
        expect(answer.body.data.error[0]).toMatch(/^The token field /);
      }
    });

    test('leaves the World unchanged when it is refused', async () => {
      const client = await createClient();
      const before = worldOf(await client.merchant.snapshot());
      await expect(initiate(client, family, { product_id: 99 })).rejects.toThrow('product_id');
      expect(worldOf(await client.merchant.snapshot())).toEqual(before);
    });
  });
}

/** A World without its journal and request counters. */
function worldOf(snapshot: { world: Readonly<Record<string, unknown>> }) {
  return withoutCalls(snapshot.world);
}
