/* Holds servers of three other authors against the contract: test/strangers says how each of them differs. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ASSUMPTIONS } from '../../src/products/world.ts';
import type { CheckOptions } from '../../src/tools/check/check.ts';
import { fieldOf } from '../../src/tools/check/differences.ts';
import type { Report, ToldDifference } from '../../src/tools/check/report.ts';
import { toText } from '../../src/tools/check/report.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { startLaravel } from '../strangers/laravel.ts';
import { startMicroservices } from '../strangers/microservices.ts';
import { startMinimal } from '../strangers/minimal.ts';
import type { Stranger } from '../strangers/shared.ts';
import { sampleOf } from '../support/depth.ts';
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

  test('calls an assumption remaining where a remaining difference names it, and nowhere else', () => {
    const named = report.differences
      .filter(({ profile }) => profile === undefined)
      .flatMap(({ assumptions }) => assumptions);
    expect(idsOf(report, 'remaining').toSorted()).toEqual([...new Set(named)].toSorted());
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

/** The products of each family, where they are not those of the sandbox. */
const PRODUCTS = {
  laravel: [
    ['micro_health', 11],
    ['motor', 31],
    ['group_life', 21],
  ],
  microservices: [
    ['micro_health', 101],
    ['motor', 301],
    ['group_life', 201],
  ],
  minimal: [],
} as const;

describe.each(sampleOf(STRANGERS, { sample: 1, ci: 3, all: 3 }))(
  'a check of all families of the $name server',
  ({ name, start }) => {
    let report: Report;
    let second: Report | undefined;
    beforeAll(async () => {
      const { url, key, otherKey, close } = await start();
      const products = new Map<string, number>(PRODUCTS[name]);
      const access = { url, key, otherKey, families: undefined, products };
      report = await runCheck(fetch, access, { now: systemNow, wait });
      // This one sells what it should refuse, so that its second check finds other records.
      if (name === 'minimal') second = await runCheck(fetch, access, { now: systemNow, wait });
      await close();
    }, 120_000);

    /** The operations and paths of the differences at a path. */
    const placesAt = (path: RegExp): string[][] =>
      report.differences
        .filter((each) => path.test(each.path))
        .map(({ places }) => places.map(({ operation, path: place }) => `${operation} ${place}`));
    /** A test of what one of these servers does. */
    const on = (which: string) => (title: string, run: () => void) => {
      if (which === name) test(title, run);
    };

    on('minimal')('finds at a second run what it found at the first', () => {
      const told = ({ differences }: Report) =>
        differences.map(({ assumptions, path, expected, profile }) => {
          // Names, numbers and dates are others, and so is where a value shows first.
          if (profile !== undefined) return JSON.stringify([assumptions, Object.keys(profile)]);
          return JSON.stringify([assumptions, path === '$.success' ? expected : fieldOf(path)]);
        });
      const known = told(report);
      if (!second) throw new Error('Run the check twice');
      expect(told(second).filter((each) => !known.includes(each))).toEqual([]);
      expect(second.differences).toHaveLength(report.differences.length);
      expect(second.profile).toEqual(report.profile);
      expect(second.assumptions).toEqual(report.assumptions);
    });

    test('expects what the contract says, and tells where only the profile does', () => {
      const statuses = report.differences.map(({ expected }) => expected);
      expect(
        statuses.filter((each) => /refused with 200 [^(]*\([a-z ]+\)(?!.*profile)/.test(each)),
      ).toEqual([]);
    });

    test('tells statuses, and each value that is accepted under an assumption, once', () => {
      const kinds = report.differences
        .filter(({ path, seen }) => path === 'status' || (path === '$.success' && seen === 'true'))
        .map(({ assumptions, seen, expected, profile }) =>
          JSON.stringify([assumptions, seen === 'true' || expected, seen, profile !== undefined]),
        );
      expect(kinds.filter((kind, place) => kinds.indexOf(kind) !== place)).toEqual([]);
    });

    on('laravel')('tells a body that counts as empty by its status alone', () => {
      const seen422 = report.differences.filter(
        ({ path, seen }) => path === 'status' && seen === '422',
      );
      expect(seen422).toMatchObject([
        { expected: '415 (unsupported media type), 400 (malformed)' },
      ]);
      expect(placesAt(/^\$\.errors/)).toEqual([]);
    });

    on('laravel')(
      'tells that the size of pages is fixed, and asks for no page that follows from it',
      () => {
        const told = report.differences.map(({ path }) => path);
        expect(
          told.filter((path) =>
            /\.(per_page|last_page|current_page|from|to|next_page_url|last_page_url)$/.test(path),
          ),
        ).toEqual(['$.data.per_page']);
        expect(report.not_asked.map(({ example }) => example)).toContain(
          'listMicroHealthSubscriptions at last_page_url',
        );
      },
    );

    on('laravel')('tells a form of numbers, and a rule of dates, once', () => {
      expect(placesAt(/\.policy_no$/)).toEqual([
        expect.arrayContaining([
          'verifyGroupLifePolicy $.data.user.policy_no',
          'verifyMicroHealthSubscription $.data.policy_no',
        ]),
      ]);
      expect(placesAt(/\.start_date$/)).toEqual([
        expect.arrayContaining(['verifyGroupLifePolicy $.data.end_date']),
      ]);
    });

    test('tells once that texts with control characters are accepted', () => {
      const accepted = report.differences.filter(
        ({ assumptions }) => assumptions.join() === 'encoding',
      );
      expect(accepted).toHaveLength(1);
      const told = report.differences.flatMap(({ assumptions }) => assumptions);
      expect(told).not.toContain('motor-make-model');
    });

    test('says first what left out most requests', () => {
      const calls = report.not_asked.map((each) => each.calls);
      expect(calls).toEqual(calls.toSorted((a, b) => b - a));
    });

    on('laravel')('explains by a profile value only what the value is about', () => {
      const explained = report.differences.find(({ profile }) => profile?.['id-url']);
      expect(explained).toMatchObject({
        path: '$.success',
        example: { shows: 'with id_url left out' },
      });
    });

    test('leaves out no renewal and no token because another was accepted or refused', () => {
      const isLeftOut = ({ operation, shows, outcome }: Report['calls'][number]) =>
        outcome === 'not asked' &&
        (/^topUp\w+ (at another frequency|with the amount)/.test(`${operation} ${shows}`) ||
          /^verifyM\w+ with (an unknown|a blank) token/.test(`${operation} ${shows}`));
      expect(report.calls.filter(isLeftOut)).toEqual([]);
    });

    on('microservices')(
      'tells first of a field with another name, and asks nothing that needs it',
      () => {
        expect(report.differences[0]).toMatchObject({
          path: '$.success',
          seen: expect.stringContaining('date_of_birth is required'),
          places: [{ operation: 'initiateGroupLifePolicy', times: 1 }],
        });
        expect(report.not_asked.map(({ reason }) => reason)).toContain(
          'depends on the difference in initiateGroupLifePolicy as specified',
        );
        expect(idsOf(report, 'confirmed')).not.toContain('group-life-policy-number');
        expect(idsOf(report, 'confirmed')).toContain('motor-initiate-token');
      },
    );

    on('microservices')('tells other months, and products whose id is a text, once', () => {
      expect(placesAt(/\.end_date$/)).toHaveLength(2);
      expect(placesAt(/\bproduct(_id|\.id)$/)).toHaveLength(1);
    });

    on('microservices')('names the one field that a refusal is about', () => {
      const yearly = report.differences.find(
        ({ example }) => example.shows === 'with yearly payments',
      );
      expect(yearly?.assumptions).toEqual(['frequency-words']);
    });

    on('minimal')('tells first that policies of other merchants can be read and renewed', () => {
      expect(report.differences[0]).toMatchObject({
        assumptions: ['foreign-policy'],
        seen: 'true',
      });
      const waiting = report.differences.find(({ example }) => /before verify/.test(example.shows));
      expect(waiting?.assumptions).toEqual([]);
    });

    on('minimal')('tells a status of all refusals once, with a profile for each kind', () => {
      const statuses = report.differences.filter(({ path }) => path === 'status');
      expect(statuses).toMatchObject([
        { seen: '200', profile: { 'http-status': { invalid: 200, policy_unknown: 200 } } },
        { seen: '404', profile: { 'http-status': { method_not_allowed: 404 } } },
        // Some bodies that are no object count as empty, and some are refused as malformed.
        { seen: '200', expected: '400 (malformed)' },
        { seen: '400', expected: '422 (invalid)' },
      ]);
    });

    on('minimal')('tells order, page URLs, and page 0 apart from the size of pages', () => {
      expect(report.profile.decisions).toMatchObject({
        'list-order': 'newest-first',
        'list-selection': { per_page: 20 },
      });
      expect(placesAt(/_page_url$/)).toHaveLength(1);
      expect(placesAt(/\.current_page$/)).toHaveLength(1);
      // Two per page were asked for, or none in particular.
      expect(placesAt(/\.per_page$/)).toHaveLength(2);
      expect(placesAt(/\.last_page$/)).toEqual([]);
    });

    on('minimal')('tells a field under another name, and a list that is no page, once', () => {
      const renamed = report.differences.filter(({ seen }) =>
        /^\{"response_message":"done"\}$/.test(seen),
      );
      expect(renamed).toMatchObject([{ path: '$.message' }]);
      expect(report.differences[1]).toMatchObject({
        path: '$.data',
        places: [{ operation: 'listGroupLifePolicies' }],
      });
      expect(placesAt(/active_date$|date_of_birth$/)).toHaveLength(2);
      expect(placesAt(/start_date$/)).toContainEqual([
        'verifyMotorPolicy $.data.start_date',
        'verifyMotorPolicy $.data.end_date',
      ]);
    });

    on('minimal')('learns the commissions of all products', () => {
      expect(placesAt(/_commission$/)).toEqual([]);
    });

    on('minimal')('tells once that fields that are null are left out', () => {
      const missing = report.differences.filter(
        ({ expected, seen }) => expected.startsWith('null') && seen === 'nothing',
      );
      expect(missing).toMatchObject([
        { expected: expect.stringMatching(/^null, and \d+ other fields that should be null$/) },
      ]);
    });

    on('minimal')('tells once that values of any form are accepted', () => {
      const accepted = report.differences.filter(
        ({ path, assumptions }) =>
          path === '$.success' && assumptions.join() === 'text-and-numbers',
      );
      expect(accepted).toMatchObject([
        {
          expected: expect.stringMatching(/for first_name that is a number, and \d+ other values$/),
        },
      ]);
    });

    on('minimal')('tells products that nobody sells apart from ids of another type', () => {
      const accepted = (id: string) =>
        report.differences
          .filter(({ assumptions }) => assumptions.includes(id as never))
          .map(({ expected }) => expected);
      expect(accepted('catalogue')).toEqual([
        'refused with 422 (invalid) for product_id above a trillion, and 1 other value',
      ]);
      expect(accepted('product-id-type')).toEqual([
        'refused with 422 (invalid) for product_id of 0, and 6 other values',
      ]);
    });

    on('minimal')(
      'does not judge the records of purchases that it should not have accepted',
      () => {
        const listed = report.differences.filter(
          ({ path, expected }) =>
            path.startsWith('$.data[') && /^at least|whole number/.test(expected),
        );
        expect(listed).toEqual([]);
      },
    );
  },
);

test('a product that cannot be found is asked for, with the flag that names it', async () => {
  const { url, key, close } = await startLaravel();
  onTestFinished(close);
  const access = { url, key, families: ['group_life'] };
  const report = await runCheck(fetch, access, { now: systemNow, wait });
  expect(report.not_asked[0]?.reason).toBe(
    'no product found; name one with --product group_life=ID',
  );
});
