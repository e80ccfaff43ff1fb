import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { buy, exampleOf, initiateOf, purchaseOf } from '../support/requests.ts';

const under = (decisions: Readonly<Record<string, string>>) =>
  createClient({ profile: { version: 1, decisions } });

const member = (changes: object) => {
  const { members } = purchaseOf('group_life') as { members: object[] };
  return { members: [{ ...members[0], ...changes }] };
};

describe('with phone-digits "any"', () => {
  const PHONES = [
    ['micro_health', 'phone_no', (phone: unknown) => ({ phone_no: phone })],
    ['group_life', 'phone_no', (phone: unknown) => ({ phone_no: phone })],
    ['group_life', 'first_person_phone', (phone: unknown) => ({ first_person_phone: phone })],
    ['group_life', 'second_person_phone', (phone: unknown) => ({ second_person_phone: phone })],
    ['group_life', 'members.0.phone_number', (phone: unknown) => member({ phone_number: phone })],
  ] as const;

  test.each(PHONES)(
    '%s accepts 7 to 15 digits in %s, with or without a plus',
    async (family, _field, sent) => {
      const client = under({ 'phone-digits': 'any' });
      for (const phone of ['0803123', '+2348031234567', '080312345678901']) {
        const bought = await buy(client, family, sent(phone));
        expect(bought).toBeDefined();
      }
    },
  );

  test.each(PHONES)('%s refuses any other value in %s', async (family, field, sent) => {
    const client = under({ 'phone-digits': 'any' });
    for (const phone of [
      '080312',
      '0803123456789012',
      '++2348031234567',
      '0803 123 456',
      8031234567,
    ]) {
      const input = purchaseOf(family, sent(phone));
      const { status, body } = await client.call(initiateOf[family], input);
      expect(status, String(phone)).toBe(422);
      expect(body.data.error).toEqual([
        `The ${field} field must be 7 to 15 digits, with or without a plus before them.`,
      ]);
    }
  });
});

describe('with motor-images "any"', () => {
  const IMAGES = Object.keys(purchaseOf('motor')).filter((field) => field.endsWith('_img'));

  test('motor accepts any text in its nine image fields and returns it', async () => {
    const client = under({ 'motor-images': 'any' });
    expect(IMAGES).toHaveLength(9);
    const images = Object.fromEntries(IMAGES.map((field) => [field, `data:image/png;${field}`]));
    expect(await buy(client, 'motor', images)).toMatchObject(images);
  });

  test('micro-health accepts any text as id_url and names the assumption', async () => {
    const client = under({ 'motor-images': 'any' });
    const input = purchaseOf('micro_health', { id_url: 'id.png' });
    const { status, headers } = await client.call(initiateOf.micro_health, input);
    expect(status).toBe(200);
    expect(headers.get('sandbox-assumptions')).toContain('motor-images');
  });

  test.each([
    ['a blank text', ' ', 'is required.'],
    ['a number', 7, 'must be a text.'],
    ['a control character', 'a\u0007', 'must not contain control characters or lone surrogates.'],
  ])('%s is still refused', async (_what, image, problem) => {
    const client = under({ 'motor-images': 'any' });
    const motor = await client.call(initiateOf.motor, purchaseOf('motor', { engine_img: image }));
    expect(motor.body.data.error).toEqual([`The engine_img field ${problem}`]);
    const health = await client.call(
      initiateOf.micro_health,
      purchaseOf('micro_health', { id_url: image }),
    );
    expect(health.body.data.error).toEqual([`The id_url field ${problem}`]);
  });
});

describe('with frequency-words "any-case"', () => {
  test.each([
    ['MONTHLY', 'monthly'],
    ['Quarterly', 'quarterly'],
    ['annual', 'yearly'],
    ['ANNUALLY', 'yearly'],
  ])('motor reads %s as %s', async (sent, read) => {
    const client = under({ 'frequency-words': 'any-case' });
    const input = purchaseOf('motor', { frequency_type: sent });
    const { status, body, headers } = await client.call(initiateOf.motor, input);
    expect(status).toBe(200);
    expect(body.data.frequency_type).toBe(read);
    expect(headers.get('sandbox-assumptions')).toContain('frequency-words');
  });

  test.each([
    ['Monthly', 'monthly'],
    ['QUARTERLY', 'quarterly'],
    ['Annual', 'annually'],
    ['Yearly', 'annually'],
  ])('micro-health reads %s as %s in a quote, a purchase and a renewal', async (sent, read) => {
    const client = under({ 'frequency-words': 'any-case' });
    const quote = exampleOf('getMicroHealthQuote', { subscription_type: sent });
    const { quote_price: amount } = (await client.call('getMicroHealthQuote', quote)).body.data;
    const bought = await buy(client, 'micro_health', { subscription_type: sent, amount });
    expect(bought.subscriptions_type).toBe(read);
    const renewed = await client.call('topUpMicroHealthSubscription', {
      subscription_type: sent,
      amount,
      policy_no: bought.policy_no,
    });
    expect(renewed.status).toBe(200);
    expect(renewed.body.data.subscriptions_type).toBe(read);
  });

  test.each([
    ['getMicroHealthQuote', 'subscription_type', 'monthly, quarterly, annually, yearly, annual'],
    ['initiateMotorPolicy', 'frequency_type', 'monthly, quarterly, yearly, annually, annual'],
  ])('%s refuses other words and lists the accepted ones', async (operationId, field, words) => {
    const client = under({ 'frequency-words': 'any-case' });
    for (const sent of ['daily', 'monthly ', 12]) {
      const { status, body } = await client.call(
        operationId,
        exampleOf(operationId, { [field]: sent }),
      );
      expect(status).toBe(422);
      expect(body.data.error).toEqual([`The ${field} field must be one of ${words}, in any case.`]);
    }
  });
});

test('without a profile, all of these are refused', async () => {
  const client = createClient();
  const loose = {
    phone_no: '+2348031234567',
    subscription_type: 'Monthly',
    id_url: 'id.png',
  };
  const { status, body } = await client.call(
    initiateOf.micro_health,
    purchaseOf('micro_health', loose),
  );
  expect(status).toBe(422);
  expect(body.data.error).toEqual([
    'The phone_no field must be 11 digits.',
    'The subscription_type field must be one of monthly, quarterly, annually, yearly.',
    'The id_url field must be an absolute http or https URL.',
  ]);
});
