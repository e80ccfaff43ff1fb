import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { runCheck, withoutControl } from './support.ts';

const PATH = '/api/merchant/group-life/policy/merchant-group-life-policies';

// biome-ignore lint/suspicious/noExplicitAny: tests change lists as untyped JSON
type Page = any;

/** Checks a server whose list of 40 group-life policies is changed. */
async function checkList(change: (page: Page, number: number) => void) {
  const sandbox = createSandbox();
  const { apiKey: key } = sandbox.createMerchant({ records: { group_life: 40 } });
  const server = withoutControl(async (request) => {
    const answer = await sandbox.fetch(request);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== PATH || answer.status !== 200) return answer;
    const body = await answer.json();
    change(body.data, Number(searchParams.get('page') ?? 1));
    return Response.json(body, answer);
  });
  return runCheck(server, { key, readOnly: true });
}

test('a list that shows each record on one page has no difference', async () => {
  const { differences, calls } = await checkList(() => undefined);
  expect(differences).toEqual([]);
  expect(calls).toContainEqual(
    expect.objectContaining({ scenario: 'All pages of a list', outcome: 'agrees' }),
  );
});

test('a list that shows records on two pages has that as one difference', async () => {
  let last: unknown;
  const { differences } = await checkList((page, number) => {
    // Pages after the tenth begin with the last record of the page before.
    if (number > 10 && page.data.length > 0 && last !== undefined) page.data[0] = last;
    last = page.data.at(-1);
  });
  const repeated = differences.filter(({ expected }) => expected === 'each record on one page');
  expect(repeated).toMatchObject([{ assumptions: ['list-order'] }]);
});

test('a list whose pages lack records of its total has that as one difference', async () => {
  const { differences } = await checkList((page, number) => {
    if (number === 12) page.data.pop();
  });
  expect(differences).toMatchObject([
    { path: '$.data.total', expected: '39: all pages have as many records', seen: '40' },
  ]);
});

test('a list that changes meanwhile is not judged by its pages', async () => {
  let count = 40;
  const { calls } = await checkList((page, number) => {
    if (number === 12) count = 41;
    page.total = count;
  });
  expect(calls.filter(({ scenario }) => scenario === 'All pages of a list')).toEqual([]);
});

test('a list that is too long is not requested whole', async () => {
  const { not_asked } = await checkList((page) => {
    page.total = 200_000;
    page.last_page = 2000;
  });
  expect(not_asked).toContainEqual({
    reason: 'a list of 2000 pages is too long to request all of them',
    calls: 1,
    example: 'listGroupLifePolicies with every page',
  });
});
