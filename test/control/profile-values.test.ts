import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import {
  buy,
  type FamilyKey,
  familyKeys,
  initiate,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

const PROFILE = {
  version: 1,
  decisions: { 'phone-digits': 'any', 'motor-images': 'any', 'frequency-words': 'any-case' },
};

const [MEMBER] = purchaseOf('group_life').members as object[];

/** What no sandbox takes without the profile, by family. */
const LOOSE: Readonly<Partial<Record<FamilyKey, Record<string, unknown>>>> = {
  micro_health: { phone_no: '+2348031234567', id_url: 'id.png', subscription_type: 'MONTHLY' },
  group_life: {
    phone_no: '0803123',
    first_person_phone: '0803124',
    second_person_phone: '+0803125',
    members: [{ ...MEMBER, phone_number: '0803126' }],
  },
  motor: { engine_img: 'engine.png', frequency_type: 'Annual' },
};

describe('a snapshot with values that a profile let in', () => {
  test.each(familyKeys)('of %s is put back whole, under the same profile', async (family) => {
    const client = createClient({ profile: PROFILE });
    await buy(client, family, LOOSE[family]);
    const token = await initiate(client, family, LOOSE[family]);
    const saved = client.merchant.snapshot();
    client.merchant.reset();
    client.merchant.restore(saved);
    expect(client.merchant.snapshot()).toEqual(saved);
    expect((await client.call(verifyOf[family], { token })).status).toBe(200);
  });

  test.each(familyKeys)('of %s goes on without the profile', async (family) => {
    const before = createClient({ profile: PROFILE });
    const token = await initiate(before, family, LOOSE[family]);
    const after = createClient();
    after.merchant.restore(before.merchant.snapshot());
    expect((await after.call(verifyOf[family], { token })).status).toBe(200);
  });

  test('is still refused where no profile lets a value in', async () => {
    const client = createClient({ profile: PROFILE });
    await initiate(client, 'micro_health', { phone_no: '0803123' });
    const saved = JSON.stringify(client.merchant.snapshot()).replaceAll('0803123', '080312');
    expect(() => client.merchant.restore(JSON.parse(saved))).toThrow(
      /phone_no: must be 7 to 15 digits/,
    );
  });
});
