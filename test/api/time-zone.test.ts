import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { buy, exampleOf, initiateOf, purchaseOf } from '../support/requests.ts';
import { documentOf } from '../support/served-documents.ts';

const inZone = (zone: string, now: string, more: SandboxOptions = {}) =>
  createClient({
    now,
    clock: 'frozen',
    profile: { version: 1, decisions: { 'time-zone': zone } },
    ...more,
  });

/** Just before midnight in UTC, and after it in Lagos. */
const LATE = '2026-01-31T23:30:00Z';
const MONTHLY = { subscription_type: 'monthly' };

const totalOf = async ({ call }: Client, query: object) =>
  (await call('listMicroHealthSubscriptions', { ...query })).body.data.total;

async function renew({ call }: Client, policy_no: string) {
  const { body } = await call(
    'topUpMicroHealthSubscription',
    exampleOf('topUpMicroHealthSubscription', { policy_no }),
  );
  return body.data;
}

describe('in Lagos, half an hour after midnight', () => {
  test('active_date is local, and timestamps are in UTC', async () => {
    const bought = await buy(inZone('Africa/Lagos', LATE), 'micro_health', MONTHLY);
    expect(bought).toMatchObject({
      active_date: '2026-02-01 00:30:00',
      start_date: '2026-01-31T23:30:00.000000Z',
      created_at: '2026-01-31T23:30:00.000000Z',
      end_date: '2026-02-28T23:30:00.000000Z',
    });
  });

  test('a group-life policy starts on the local day, written as midnight UTC', async () => {
    const group = await buy(inZone('Africa/Lagos', LATE), 'group_life', { start_date: undefined });
    expect(group.start_date).toBe('2026-02-01T00:00:00.000000Z');
    expect(group.end_date).toBe('2027-02-01T00:00:00.000000Z');
  });

  test.each([
    ['micro_health', 'date_of_birth'],
    ['group_life', 'dob'],
  ] as const)('a %s customer may be born on the local day', async (family, field) => {
    const send = (client: Client, born: string) =>
      client.call(initiateOf[family], purchaseOf(family, { [field]: born }));
    const client = inZone('Africa/Lagos', LATE);
    expect((await send(client, '2026-02-01')).status).toBe(200);
    expect((await send(client, '2026-02-02')).status).toBe(422);
    expect((await send(createClient({ now: LATE }), '2026-02-01')).status).toBe(422);
  });

  test('a vehicle may be of the year after the local one', async () => {
    const send = (client: Client) =>
      client.call(initiateOf.motor, purchaseOf('motor', { year_make: '2027' }));
    const newYear = '2025-12-31T23:30:00Z';
    expect((await send(inZone('Africa/Lagos', newYear))).status).toBe(200);
    expect((await send(createClient({ now: newYear }))).status).toBe(422);
  });

  test('a policy of last night is not of this day, week, month, quarter or year', async () => {
    const client = inZone('Africa/Lagos', '2029-12-31T22:59:59Z');
    await buy(client, 'micro_health');
    client.merchant.clock.advance('PT1S');
    await buy(client, 'micro_health');
    // The first of January 2030 is a Tuesday.
    for (const [period, total] of Object.entries({
      day: 1,
      week: 2,
      month: 1,
      quarter: 1,
      year: 1,
    }))
      expect(await totalOf(client, { period }), period).toBe(total);
    expect(await totalOf(client, { start_date: '2030-01-01' })).toBe(1);
    expect(await totalOf(client, { end_date: '2029-12-31' })).toBe(1);
    expect(await totalOf(client, { start_date: '2029-12-31', end_date: '2029-12-31' })).toBe(1);
    expect(await totalOf(client, { start_date: '1900-01-01', end_date: '9999-12-31' })).toBe(2);
  });

  test('the cover of a motor policy has ended, which in UTC ends later', async () => {
    const cover = { start_date: '2026-01-01', frequency_type: 'monthly', duration: 1 };
    const endOf = async (client: Client) => {
      const { end_date } = await buy(client, 'motor', cover);
      expect(end_date).toBe('2026-02-01T00:00:00.000000Z');
      const { effects } = client.merchant.clock.advance('P2D');
      return effects.find(({ kind }) => kind === 'cover_ended')?.at;
    };
    const now = '2026-01-31T10:00:00Z';
    expect(await endOf(inZone('Africa/Lagos', now))).toBe('2026-01-31T23:00:00.000Z');
    expect(await endOf(createClient({ now }))).toBe('2026-02-01T00:00:00.000Z');
  });

  test('made-up policies start on local days', () => {
    const client = inZone('Africa/Lagos', LATE);
    const { apiKey } = client.sandbox.createMerchant({ records: { motor: 40 } });
    const { world } = client.sandbox.merchant(apiKey).snapshot();
    const policies = world['motor.policies'] as { start_date: string; created_at: string }[];
    expect(policies).toHaveLength(40);
    for (const { start_date, created_at } of policies) {
      const local = new Date(Date.parse(`${created_at.slice(0, 19)}Z`) + 3_600_000);
      expect(start_date).toBe(local.toISOString().slice(0, 10));
    }
  });

  test('the documents name the zone, and show a date in it', async () => {
    const { info, components, paths } = await documentOf(inZone('Africa/Lagos', LATE).sandbox);
    expect(info.description.replace(/\s+/g, ' ')).toContain(
      'Days, and dates and times without `Z`, are in Africa/Lagos.',
    );
    const { properties } = components.schemas.MicroHealthSubscription;
    expect(properties.active_date.description).toContain('in Africa/Lagos.');
    const shown = JSON.stringify(paths['/api/merchant/micro_health/verify']);
    expect(shown).toContain('"active_date":"2026-01-31 11:00:00"');
    const list = JSON.stringify(paths['/api/merchant/micro_health/all_subscriptions']);
    expect(list).toContain('Periods are in Africa/Lagos');
    expect(list).not.toContain('in UTC');
  });
});

describe('a renewal counts from the moment of the purchase', () => {
  const renewedAfter = async (zone: string, now: string, other?: string) => {
    let client = inZone(zone, now);
    const { policy_no } = await buy(client, 'micro_health', MONTHLY);
    if (other !== undefined) {
      const next = inZone(other, now);
      next.merchant.restore(client.merchant.snapshot());
      client = next;
    }
    const first = await renew(client, policy_no);
    return { client, policy_no, end_date: first.end_date, active_date: first.active_date };
  };

  test.each([
    ['Africa/Lagos', '2026-01-31T23:30:00Z', '2026-03-31T23:30:00.000000Z', '2026-02-01 00:30:00'],
    // Clocks go forward at 02:00, and back at 02:00.
    [
      'America/New_York',
      '2026-03-08T07:30:00Z',
      '2026-05-08T07:30:00.000000Z',
      '2026-03-08 03:30:00',
    ],
    [
      'America/New_York',
      '2026-11-01T05:30:00Z',
      '2027-01-01T05:30:00.000000Z',
      '2026-11-01 01:30:00',
    ],
    [
      'America/New_York',
      '2026-11-01T06:30:00Z',
      '2027-01-01T06:30:00.000000Z',
      '2026-11-01 01:30:00',
    ],
  ])('in %s, at %s', async (zone, now, end, active) => {
    expect(await renewedAfter(zone, now)).toMatchObject({ end_date: end, active_date: active });
  });

  test.each([
    ['UTC', 'Africa/Lagos', '2026-02-01T00:30:00Z', '2026-04-01T00:30:00.000000Z'],
    ['Africa/Lagos', 'UTC', '2026-01-31T23:30:00Z', '2026-03-31T23:30:00.000000Z'],
    [
      'Pacific/Kiritimati',
      'Pacific/Honolulu',
      '2026-03-01T05:00:00Z',
      '2026-05-01T05:00:00.000000Z',
    ],
    [
      'Pacific/Honolulu',
      'Pacific/Kiritimati',
      '2026-02-28T12:00:00Z',
      '2026-04-28T12:00:00.000000Z',
    ],
  ])('recorded in %s and renewed in %s, at %s', async (zone, other, now, end) => {
    const { end_date, active_date } = await renewedAfter(zone, now, other);
    expect(end_date).toBe(end);
    const there = await buy(inZone(other, now), 'micro_health');
    expect(active_date).toBe(there.active_date);
  });

  test('that began the cover anew after a lapse', async () => {
    const client = inZone('America/New_York', '2026-06-01T12:00:00Z');
    const { policy_no } = await buy(client, 'micro_health', MONTHLY);
    client.merchant.clock.advance({ to: '2026-11-01T06:30:00Z' });
    const lapsed = await renew(client, policy_no);
    expect(lapsed).toMatchObject({
      active_date: '2026-11-01 01:30:00',
      end_date: '2026-12-01T06:30:00.000000Z',
    });
    expect((await renew(client, policy_no)).end_date).toBe('2027-01-01T06:30:00.000000Z');
  });

  test('or from what active_date shows in the zone, if that is no payment', async () => {
    const client = inZone('Africa/Lagos', LATE);
    const { policy_no } = await buy(client, 'micro_health', MONTHLY);
    const saved = JSON.stringify(client.merchant.snapshot());
    client.merchant.restore(
      JSON.parse(saved.replaceAll('2026-02-01 00:30:00', '2026-02-15 10:00:00')),
    );
    expect(await renew(client, policy_no)).toMatchObject({
      active_date: '2026-02-15 10:00:00',
      end_date: '2026-03-15T09:00:00.000000Z',
    });
  });
});
