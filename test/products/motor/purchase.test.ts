import { describe, expect, test } from 'vitest';
import { TOKEN_MINUTES } from '../../../src/world/limits.ts';
import { createClient } from '../../support/client.ts';
import { buy, purchaseOf } from '../../support/requests.ts';
import { changeWorld, dataOf, problemsOf } from '../calls.ts';

const INITIATE = 'initiateMotorPolicy';
const VERIFY = 'verifyMotorPolicy';

const initiated = (client: ReturnType<typeof createClient>, changes = {}) =>
  dataOf(client, INITIATE, purchaseOf('motor', changes));

describe('a motor purchase', () => {
  test.each([
    ['2026-01-31T10:00:57.500Z', /^CMP1769853657\d{8}$/],
    ['2286-11-20T17:46:39.999Z', /^CMP9999999999\d{8}$/],
  ])(
    'at %s gets a token that contains the Unix time, a policy number and a slug',
    async (now, form) => {
      const { token, policy_number, slug } = await initiated(createClient({ now }));
      expect(token).toMatch(form);
      expect(policy_number).toMatch(/^INS\d{13}$/);
      expect(slug).toBe(`comprehensive-motor-${policy_number.toLowerCase()}`);
    },
  );

  test.each<[sent: object, answered: object]>([
    [{ sum_insured: '3250000.50' }, { vehicle_value: 3_250_000.5 }],
    [{ product_id: 4 }, { product_id: 4 }],
    [{ duration: 2 }, { duration: 2 }],
    [{ duration: '02' }, { duration: '02' }],
    [{ frequency_type: 'annually' }, { frequency_type: 'yearly' }],
    [
      { vehicle_make: 206, vehicle_model: '308' },
      { vehicle_make: '206', vehicle_model: '308' },
    ],
    [{ contact_person_phone_no: 23480598765 }, { contact_person_phone_no: '23480598765' }],
    [{ contact_person_address: '1 A St\r\n\tEko' }, { contact_person_address: '1 A St\r\n\tEko' }],
    [{ year_make: 1900 }, { year_make: '1900' }],
    [{ tracker_value: 0, diagnostic_cost: '0', phone_number: 23480598765 }, {}],
    // Fields of the documented sample that the table does not list.
    [{ address: 5, nok_gender: 'any', amount_insured: -1, id_url: '' }, {}],
  ])('may send %j, which is returned as %j', async (sent, answered) => {
    expect(await initiated(createClient(), sent)).toMatchObject(answered);
  });

  const YEAR = 'The year_make field must be a year in the form YYYY, from 1900 on.';
  const DURATION = 'The duration field must be a whole number, 1 or more.';
  const END = 'The duration field must end the cover by 9999-12-31.';

  test.each<[changes: object, ...problems: string[]]>([
    ...[0, -1, 1.5, '00', '1.5', '1e3', ' 1', '9007199254740993', true, [1]].map(
      (duration): [object, string] => [{ duration }, DURATION],
    ),
    [{ duration: 8000 }, END],
    [{ duration: Number.MAX_SAFE_INTEGER }, END],
    [{ start_date: '9999-01-01' }, END],
    ...['15', '1899', 2015.5].map((year_make): [object, string] => [{ year_make }, YEAR]),
    [
      { frequency_type: 'weekly' },
      'The frequency_type field must be one of monthly, quarterly, yearly, annually.',
    ],
    [
      { contact_person_name: 'Bola\nAde' },
      'The contact_person_name field must not contain control characters or lone surrogates.',
    ],
    [
      { phone_number: 8031234567, rear_view_img: 'rear.png', start_date: '2026-02-30' },
      'The phone_number field must be 11 digits.',
      'The rear_view_img field must be an absolute http or https URL.',
      'The start_date field must be a calendar day in the form YYYY-MM-DD.',
    ],
    [
      { gender: 'x', product_id: 1, duration: 9000, contact_person_phone_no: '0805' },
      'The gender field must be female or male.',
      'The product_id field must name a product of this family: 4.',
      END,
      'The contact_person_phone_no field must be 11 digits.',
    ],
  ])('is refused with %j', async (changes, ...problems) => {
    const input = purchaseOf('motor', { ...changes });
    expect(await problemsOf(createClient(), INITIATE, input)).toEqual(problems);
  });

  test.each([
    ['2026-12-31T23:59:59Z', 2027],
    ['2027-01-01T00:00:00Z', 2028],
  ])('at %s may cover a vehicle made in %i, but no later', async (now, year) => {
    const client = createClient({ now });
    expect(await initiated(client, { year_make: year })).toMatchObject({ year_make: `${year}` });
    const later = purchaseOf('motor', { year_make: year + 1 });
    expect(await problemsOf(client, INITIATE, later)).toEqual([
      `The year_make field must not be after ${year}.`,
    ]);
  });

  test.each([
    ['2026-01-31', 'monthly', 1, '2026-02-28'],
    ['2024-01-31', 'monthly', '1', '2024-02-29'],
    ['2026-01-31', 'monthly', 2, '2026-03-31'],
    ['2025-12-31', 'monthly', 12, '2026-12-31'],
    ['2025-11-30', 'quarterly', 1, '2026-02-28'],
    ['2026-03-15', 'quarterly', 4, '2027-03-15'],
    ['2024-02-29', 'yearly', 1, '2025-02-28'],
    ['2024-02-29', 'yearly', 4, '2028-02-29'],
    ['2096-02-29', 'yearly', 4, '2100-02-28'],
    ['9998-12-31', 'yearly', 1, '9999-12-31'],
  ])(
    'that starts on %s, %s, for %s periods ends on %s',
    async (start_date, frequency, duration, end_date) => {
      const cover = { start_date, frequency_type: frequency, duration };
      expect(await initiated(createClient(), cover)).toMatchObject({ ...cover, end_date });
    },
  );

  test('reserves its policy number until it expires', async () => {
    const client = createClient();
    const { random } = client.merchant.snapshot().world.values as never;
    const drawAgain = async () => {
      changeWorld(client, ({ values }) => Object.assign(values, { random }));
      return (await initiated(client)).policy_number;
    };
    const { policy_number } = await initiated(client);
    client.merchant.clock.advance(`PT${TOKEN_MINUTES - 1}M59.999S`);
    const other = await drawAgain();
    expect(other).not.toBe(policy_number);
    client.merchant.clock.advance('PT0.001S');
    expect(await drawAgain()).toBe(policy_number);
  });

  test('becomes a policy with the number that initiate returned', async () => {
    const client = createClient();
    const { token, merchant_user_id, ...details } = await initiated(client);
    expect(merchant_user_id).toBe(client.merchant.id);
    client.merchant.clock.advance('PT1M0.5S');
    expect(await dataOf(client, VERIFY, { token })).toEqual({
      ...details,
      merchant_id: merchant_user_id,
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
      id: 1,
      user_id: 1,
      status: true,
      created_at: '2026-01-31T10:01:00.000000Z',
      updated_at: '2026-01-31T10:01:00.000000Z',
    });
    expect(await buy(client, 'motor')).toMatchObject({ id: 2, user_id: 2 });
  });
});
