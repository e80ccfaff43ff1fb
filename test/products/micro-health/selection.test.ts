import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../support/client.ts';
import { buy } from '../../support/requests.ts';
import { dataOf, problemsOf } from '../calls.ts';

const LIST = 'listMicroHealthSubscriptions';

const totalOf = async (client: Client, query: object) => (await dataOf(client, LIST, query)).total;

test.each([
  ['day', '2026-05-14', '2026-05-14'],
  ['week', '2026-05-11', '2026-05-17'],
  ['week', '2025-12-29', '2026-01-04'],
  ['month', '2026-05-01', '2026-05-31'],
  ['month', '2024-02-01', '2024-02-29'],
  ['quarter', '2026-01-01', '2026-03-31'],
  ['quarter', '2026-04-01', '2026-06-30'],
  ['quarter', '2026-07-01', '2026-09-30'],
  ['quarter', '2026-10-01', '2026-12-31'],
  ['year', '2026-01-01', '2026-12-31'],
])('the current %s runs from %s to %s in UTC', async (period, first, last) => {
  const start = Date.parse(`${first}T00:00:00Z`);
  const client = createClient({ now: new Date(start - 1) });
  await buy(client, 'micro_health');
  expect(await totalOf(client, { period })).toBe(1);
  client.merchant.clock.advance({ to: `${first}T00:00:00Z` });
  expect(await totalOf(client, { period })).toBe(0);
  await buy(client, 'micro_health');
  expect(await totalOf(client, { period })).toBe(1);
  client.merchant.clock.advance({ to: `${last}T23:59:59.999Z` });
  await buy(client, 'micro_health');
  expect(await totalOf(client, { period })).toBe(2);
  client.merchant.clock.advance('PT0.001S');
  expect(await totalOf(client, { period })).toBe(0);
});

describe('a selection by dates', () => {
  const BOUGHT = [
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T00:00:00.000Z',
    '2026-03-31T23:59:59.999Z',
    '2026-04-01T00:00:00.000Z',
  ];

  test.each([
    ['inclusive on both sides', { start_date: '2026-03-01', end_date: '2026-03-31' }, [2, 3]],
    ['of a single day', { start_date: '2026-03-31', end_date: '2026-03-31' }, [3]],
    ['from a date on', { start_date: '2026-03-01' }, [2, 3, 4]],
    ['up to a date', { end_date: '2026-03-31' }, [1, 2, 3]],
    [
      'from the first day to the last',
      { start_date: '1900-01-01', end_date: '9999-12-31' },
      [1, 2, 3, 4],
    ],
    ['after all records', { start_date: '2027-01-01' }, []],
    ['before all records', { end_date: '2025-12-31' }, []],
    [
      'made with empty parameters, which count as absent',
      { period: '', start_date: ' ', per_page: '' },
      [1, 2, 3, 4],
    ],
  ])('may be %s', async (_what, query, selected) => {
    const client = createClient({ now: BOUGHT[0] as string });
    for (const to of BOUGHT) {
      client.merchant.clock.advance({ to });
      await buy(client, 'micro_health');
    }
    const { data } = await dataOf(client, LIST, query);
    expect(data.map(({ id }: { id: number }) => id)).toEqual(selected);
  });
});

const COMBINED = 'The period field can not be combined with start_date or end_date.';

test.each([
  [{ period: 'day', start_date: '2026-01-01' }, COMBINED],
  [{ period: 'day', end_date: '2026-01-01' }, COMBINED],
  [
    { start_date: '2026-03-02', end_date: '2026-03-01' },
    'The end_date field must not be before start_date.',
  ],
  [{ per_page: '0' }, 'The per_page field must be a whole number from 1 to 100.'],
  [{ per_page: '101' }, 'The per_page field must be a whole number from 1 to 100.'],
  [
    { period: 'decade', start_date: '2026-02-30' },
    'The period field must be one of day, week, month, quarter, year.',
    'The start_date field must be a calendar day in the form YYYY-MM-DD.',
  ],
])('a selection by %j is refused', async (query, ...problems) => {
  expect(await problemsOf(createClient(), LIST, query)).toEqual(problems);
});
