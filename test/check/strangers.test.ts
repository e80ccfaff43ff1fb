/* Holds servers of three other authors against the contract: test/strangers says how each of them differs. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import type { CheckOptions } from '../../src/tools/check/check.ts';
import type { Report, ToldDifference } from '../../src/tools/check/report.ts';
import { toText } from '../../src/tools/check/report.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { startLaravel } from '../strangers/laravel.ts';
import { startMicroservices } from '../strangers/microservices.ts';
import { startMinimal } from '../strangers/minimal.ts';
import type { Stranger } from '../strangers/shared.ts';
import { idsOf, runCheck, serve, withoutControl } from './support.ts';

const STRANGERS = [
  { name: 'laravel', start: startLaravel, family: 'micro_health', product: 11 },
  { name: 'microservices', start: startMicroservices, family: 'motor', product: 301 },
  { name: 'minimal', start: startMinimal, family: 'group_life', product: 6 },
] as const;

/** Checks a family of a stranger. */
const checkStranger = (
  { url, key, otherKey }: Stranger,
  family: string,
  product: number,
  options: Partial<CheckOptions> = {},
): Promise<Report> => {
  const products = new Map([[family, product]]);
  const access = { url, key, otherKey, families: [family], products };
  return runCheck(fetch, { ...access, ...options }, { now: systemNow, wait });
};

/** The differences in which one side accepts what the other refuses. */
const decisions = ({ differences }: Report): string[] =>
  differences
    .filter(({ path, profile }) => path === '$.success' && profile === undefined)
    .flatMap(({ places }) => places)
    .map(({ operation, path, times }) => `${operation} ${path} ${times}`);

describe.each(STRANGERS)('a check of the $name server', ({ start, family, product }) => {
  let stranger: Stranger;
  let report: Report;
  beforeAll(async () => {
    stranger = await start();
    report = await checkStranger(stranger, family, product);
  });
  afterAll(() => stranger.close());

  test('puts each assumption in one of explained, remaining, confirmed and not asked', () => {
    const outcomes = ['explained', 'remaining', 'confirmed', 'not asked'] as const;
    const ids = outcomes.flatMap((outcome) => idsOf(report, outcome));
    expect(ids.toSorted()).toEqual(Object.keys(ASSUMPTIONS).toSorted());
    const told = report.differences.flatMap(({ assumptions }) => assumptions);
    expect(idsOf(report, 'confirmed').filter((id) => told.includes(id as never))).toEqual([]);
  });

  test('says how many differences remain with the profile, and never that a sandbox responds the same way', () => {
    const remaining = report.differences.filter(({ profile }) => profile === undefined).length;
    expect(remaining).toBeGreaterThan(0);
    const text = toText(report);
    expect(text).toContain(`With this profile ${remaining} differences remain`);
    expect(text).not.toContain('respond the same way');
  });

  test('writes a profile with which a sandbox takes no decision otherwise than without it', async () => {
    const again = await checkStranger(stranger, family, product, { profile: report.profile });
    expect(decisions(again)).toEqual(decisions(report));
  });

  test('fits its summary on a screen', () => {
    expect(toText(report).split('\n').length).toBeLessThanOrEqual(45);
  });
});

/** The difference whose report shows this path first. */
const at = ({ differences }: Report, path: RegExp): ToldDifference | undefined =>
  differences.find((each) => path.test(each.path));

test('the envelope of a Laravel server is one difference, comes first, and is explained', async () => {
  const stranger = await startLaravel();
  try {
    const report = await checkStranger(stranger, 'micro_health', 11);
    expect(report.differences[0]).toMatchObject({
      path: '$',
      profile: { 'error-envelope': 'laravel' },
    });
    expect(report.profile.decisions).toMatchObject({
      'list-order': 'newest-first',
      'phone-digits': 'any',
      'page-urls': 'drop',
      'text-trim': 'trim',
      'token-used': 'unknown',
    });
    expect(at(report, /active_date/)?.assumptions).toEqual(['time-zone']);
    expect(idsOf(report, 'confirmed')).toContain('foreign-policy');
  } finally {
    await stranger.close();
  }
});

test('a server that escapes names for HTML has that as one difference, wherever a name is', async () => {
  const sandbox = withoutControl(serve());
  const report = await runCheck(
    async (request) => {
      const answer = await sandbox(request);
      const text = (await answer.text())
        .replaceAll("'", '&#039;')
        .replaceAll('& Sons', '&amp; Sons');
      return new Response(text, answer);
    },
    { families: ['group_life'] },
  );
  expect(report.differences).toMatchObject([
    { assumptions: [], seen: expect.stringContaining('&#039;') },
  ]);
  expect(report.differences[0]?.places.length).toBeGreaterThan(1);
});

describe('a check of all families of a server that checks little', () => {
  let report: Report;
  beforeAll(async () => {
    const { url, key, otherKey, close } = await startMinimal();
    const access = { url, key, otherKey, families: undefined };
    report = await runCheck(fetch, access, { now: systemNow, wait });
    await close();
  }, 60_000);

  test('tells once that values of any form are accepted', () => {
    const accepted = report.differences.filter(
      ({ path, assumptions }) => path === '$.success' && assumptions.join() === 'text-and-numbers',
    );
    expect(accepted).toMatchObject([
      { expected: expect.stringMatching(/for phone_number, and \d+ other values$/) },
    ]);
  });

  test('does not judge the records of purchases that it should not have accepted', () => {
    const listed = report.differences.filter(
      ({ path, expected }) => path.startsWith('$.data[') && /^at least|whole number/.test(expected),
    );
    expect(listed).toEqual([]);
  });

  test('tells statuses that all families share once', () => {
    const statuses = report.differences.filter(({ path }) => path === 'status');
    const kinds = statuses.map(({ expected, seen }) => `${expected}: ${seen}`);
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});

test('a product that cannot be found is asked for, with the flag that names it', async () => {
  const { url, key, close } = await startLaravel();
  onTestFinished(close);
  const access = { url, key, families: ['group_life'] };
  const report = await runCheck(fetch, access, { now: systemNow, wait });
  expect(report.not_asked[0]?.reason).toBe(
    'no product found; name one with --product group_life=ID',
  );
});
