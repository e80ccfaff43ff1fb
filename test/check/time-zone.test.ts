import { describe, expect, test } from 'vitest';
import { wait } from '../../src/world/clock.ts';
import { idsOf, runCheck, serve, withoutControl } from './support.ts';

/** Just before midnight in UTC. */
const NOW = '2026-01-31T23:30:00Z';
const TIME = { now: () => Date.parse(NOW), wait };
const OPTIONS = { families: ['micro_health'] };

const serverIn = (zone: string) =>
  serve({ now: NOW, clock: 'frozen', profile: { version: 1, decisions: { 'time-zone': zone } } });

describe('a check learns the zone of a server', () => {
  test.each([
    ['America/New_York', ['Etc/GMT+5']],
    ['Asia/Kathmandu', ['Asia/Kathmandu', 'Asia/Katmandu']],
  ])('in %s from the offset of its dates', async (zone, learnt) => {
    const report = await runCheck(withoutControl(serverIn(zone)), OPTIONS, TIME);
    expect(Object.keys(report.profile.decisions)).toEqual(['time-zone']);
    expect(learnt).toContain(report.profile.decisions['time-zone']);
    expect(idsOf(report, 'explained')).toEqual(['time-zone']);
    expect(report.not_in_profile).toEqual([]);
    const again = await runCheck(
      withoutControl(serverIn(zone)),
      { ...OPTIONS, profile: report.profile },
      TIME,
    );
    expect(again.differences).toEqual([]);
  });

  test('from dates in winter and in summer, if it can move the clock', async () => {
    const report = await runCheck(serverIn('America/New_York'), OPTIONS, TIME);
    expect(report.not_in_profile).toEqual([]);
    const again = await runCheck(
      serverIn('America/New_York'),
      { ...OPTIONS, profile: report.profile },
      TIME,
    );
    expect(again.differences).toEqual([]);
  });

  test('instead of the one that a profile expects', async () => {
    const profile = { version: 1, decisions: { 'time-zone': 'America/New_York' } };
    const report = await runCheck(
      withoutControl(serverIn('Africa/Lagos')),
      { ...OPTIONS, profile },
      TIME,
    );
    expect(report.profile.decisions).toEqual({ 'time-zone': 'Africa/Lagos' });
    const utc = await runCheck(
      withoutControl(serve({ now: NOW, clock: 'frozen' })),
      { ...OPTIONS, profile },
      TIME,
    );
    expect(utc.differences).toMatchObject([{ assumptions: ['time-zone'] }]);
    expect(utc.profile.decisions).toEqual({ 'time-zone': 'UTC' });
  });
});
