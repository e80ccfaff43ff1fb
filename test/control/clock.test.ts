import { describe, expect, test } from 'vitest';
import { ControlError } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate } from '../support/requests.ts';
import { ownSystemTime } from '../support/timers.ts';

describe('a clock', () => {
  test.each([
    ['PT15M', '2026-01-31T10:15:00.000Z'],
    ['PT0S', '2026-01-31T10:00:00.000Z'],
    ['P1D', '2026-02-01T10:00:00.000Z'],
    ['P1W', '2026-02-07T10:00:00.000Z'],
    ['P1M', '2026-02-28T10:00:00.000Z'],
    ['P1M1D', '2026-03-01T10:00:00.000Z'],
    ['P2Y1M', '2028-02-29T10:00:00.000Z'],
    ['P1Y2M3DT4H5M6.007S', '2027-04-03T14:05:06.007Z'],
    ['PT1.001S', '2026-01-31T10:00:01.001Z'],
    ['PT0.0006S', '2026-01-31T10:00:00.001Z'],
    ['PT0,5S', '2026-01-31T10:00:00.500Z'],
    ['PT1.5H', '2026-01-31T11:30:00.000Z'],
    ['PT1440M', '2026-02-01T10:00:00.000Z'],
  ])('that advances by %s shows %s', (by, now) => {
    const { merchant } = createClient();
    expect(merchant.clock.advance(by)).toEqual({ now, mode: 'frozen', effects: [] });
    expect(merchant.clock.show()).toEqual({ now, mode: 'frozen' });
  });

  test.each([
    '',
    'PT',
    'P',
    '15M',
    'PT-5M',
    '-PT5M',
    '+PT5M',
    'P1.5M',
    'P1DT',
    'PT1M1H',
    'P1H',
    'pt5m',
    'PT5M ',
    'PT1.S',
    'P99999999999999999999Y',
    'P300Y',
    `P${'1'.repeat(400)}D`,
  ])('does not advance by "%s", and says what a duration is', (by) => {
    const { merchant } = createClient();
    const before = merchant.snapshot();
    const refusal = refusalOf(() => merchant.clock.advance(by));
    expect(refusal.status).toBe(422);
    expect(refusal.message).toMatch(/^by (must be an ISO 8601 duration|leads past)/);
    expect(refusal.message.length).toBeLessThan(200);
    expect(merchant.snapshot()).toEqual(before);
  });

  test.each([
    ['2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00.001Z'],
    ['2026-01-31T12:00:00+01:30', '2026-01-31T10:30:00.000Z'],
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2286-11-20T17:46:39.999Z', '2286-11-20T17:46:39.999Z'],
  ])('goes to %s', (to, now) => {
    const { merchant } = createClient();
    expect(merchant.clock.advance({ to })).toMatchObject({ now });
    expect(merchant.clock.set({ now: to })).toMatchObject({ now });
  });

  test.each([
    'tomorrow',
    '2026-02-01',
    '2026-02-30T10:00:00Z',
    '2026-02-01T10:00:00',
    '2286-11-20T17:46:40.000Z',
    '+010000-01-01T00:00:00Z',
    '',
  ])('does not go to "%s", and says what a moment is', (to) => {
    const { merchant } = createClient();
    for (const refusal of [
      refusalOf(() => merchant.clock.advance({ to })),
      refusalOf(() => merchant.clock.set({ now: to })),
    ]) {
      expect(refusal.status).toBe(422);
      expect(refusal.message).toMatch(/^(to|now) must be a moment like 2026-01-31T10:00:00Z/);
    }
  });

  test('does not go back: 409, and nothing is changed', () => {
    const { merchant } = createClient();
    const before = merchant.snapshot();
    const to = '2026-01-31T09:59:59.999Z';
    for (const refusal of [
      refusalOf(() => merchant.clock.advance({ to })),
      refusalOf(() => merchant.clock.set({ now: to, mode: 'running' })),
    ]) {
      expect(refusal.status).toBe(409);
      expect(refusal.message).toContain('POST /_sandbox/reset starts over');
    }
    expect(merchant.snapshot()).toEqual(before);
  });

  test('freezes where it is, and goes on from there', () => {
    const systemTime = ownSystemTime();
    const { merchant } = createClient({ clock: 'running' });
    const frozen = merchant.clock.set({ mode: 'frozen' });
    expect(frozen).toEqual({ now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
    systemTime.pass(60_000);
    expect(merchant.clock.show()).toEqual(frozen);
    expect(merchant.clock.set({ mode: 'running' })).toEqual({ ...frozen, mode: 'running' });
    systemTime.pass(60_000);
    expect(merchant.clock.show().now).toBe('2026-01-31T10:01:00.000Z');
  });

  test.each([
    [{ mode: 'stopped' }, 'mode: expected "running" or "frozen", got "stopped"'],
    [{ at: '2026-02-01T00:00:00Z' }, 'the document: unknown "at"; known: mode, now'],
    ['now', 'the document: expected object, got "now"'],
  ])('refuses the change %j by method as by HTTP', async (change, message) => {
    const { sandbox, merchant } = createClient();
    expect(refusalOf(() => merchant.clock.set(change as object)).message).toBe(message);
    const answer = await control(sandbox, 'setClock', { key: merchant.apiKey, body: change });
    expect([answer.status, answer.body.detail]).toEqual([422, message]);
  });
});

describe('what lapses while a clock advances', () => {
  test('is told in the order it lapsed, across the families', async () => {
    const client = createClient();
    const { clock } = client.merchant;
    const tokens: string[] = [];
    for (const family of ['motor', 'micro_health', 'group_life', 'motor'] as const) {
      tokens.push(await initiate(client, family));
      clock.advance('PT1M');
    }
    const { effects } = clock.advance('PT13M59.999S');
    expect(effects).toEqual(
      ['initiateMotorPolicy', 'initiateMicroHealthSubscription', 'initiateGroupLifePolicy'].map(
        (operation, place) => ({
          kind: 'purchase_expired',
          operation,
          token: tokens[place],
          at: `2026-01-31T10:${15 + place}:00.000Z`,
        }),
      ),
    );
    expect(clock.advance('PT1S').effects).toMatchObject([{ token: tokens[3] }]);
    expect(clock.advance('P1Y').effects).toEqual([]);
  });
});

/** What a call is refused with. */
function refusalOf(call: () => unknown): ControlError {
  try {
    call();
  } catch (error) {
    if (error instanceof ControlError) return error;
    throw error;
  }
  throw new Error('It was not refused');
}
