/* What scenarios send: requests that a server can refuse, or accept, for one reason only. */
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/tools/check/client.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { idsOf, runCheck, serve, withoutControl } from './support.ts';

/** The path, the assumptions and the operations of each difference. */
const toldOf = ({ differences }: Report) =>
  differences.map(({ path, assumptions, places }) => [
    path,
    ...assumptions,
    ...places.map(({ operation }) => operation).toSorted(),
  ]);

/** The fields of a request, in its body or its query. */
const sentIn = async (request: Request): Promise<Record<string, unknown>> => {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const body = await request
    .clone()
    .json()
    .catch(() => ({}));
  return { ...query, ...body };
};

/** A sandbox without control plane that also refuses some values of a field, without naming it. */
function refusing(field: string, isRefused: (value: unknown) => boolean): Fetch {
  const sandbox = withoutControl(serve());
  return async (request) => {
    const answer = await sandbox(request.clone());
    const sent = await sentIn(request);
    if (!answer.ok || !(field in sent) || !isRefused(sent[field])) return answer;
    const { success: _, data: __, ...envelope } = await answer.json();
    const problem = 'The request is refused.';
    const code = typeof envelope.response_code === 'number' ? 422 : '422';
    const key = 'message' in envelope ? 'message' : 'response_message';
    const body = {
      success: false,
      [key]: problem,
      response_code: code,
      data: { error: [problem] },
    };
    return Response.json(body, { status: 422 });
  };
}

test.each([
  ['page 0', 'page', (value: unknown) => value === '0', 'page-out-of-range'],
  ['pages beyond the last', 'page', (value: unknown) => Number(value) > 1000, 'page-out-of-range'],
  ['more than 50 per page', 'per_page', (value: unknown) => Number(value) > 50, 'list-selection'],
])(
  'a server that refuses %s is told once, under its assumption',
  async (_, field, isRefused, id) => {
    const report = await runCheck(refusing(field, isRefused));
    expect(toldOf(report)).toEqual([['$.success', id, 'listGroupLifePolicies']]);
    expect(report.differences[0]?.places[0]?.times).toBeLessThan(10);
  },
);

const isLong = (value: unknown) => String(value).length > 255;
const isAbove = (most: number) => (value: unknown) => Number(value) > most && Number(value) < 1e12;
const isBefore = (date: string) => (value: unknown) =>
  String(value) < date && String(value) > '2000';
const isAfter = (date: string) => (value: unknown) => String(value) > date;
const INITIATE = {
  micro_health: 'initiateMicroHealthSubscription',
  motor: 'initiateMotorPolicy',
  group_life: 'initiateGroupLifePolicy',
} as const;

test.each([
  ['micro_health', 'date_of_birth', isAfter('2008-02-01'), ['text-and-numbers', 'date-limits']],
  ['micro_health', 'first_name', isLong, ['encoding', 'text-and-numbers']],
  ['motor', 'year_make', (year: unknown) => Number(year) < 1980, ['motor-year-make']],
  ['motor', 'year_make', (year: unknown) => Number(year) > 2026, ['motor-year-make']],
  ['motor', 'duration', isAbove(36), ['motor-duration']],
  ['motor', 'sum_insured', isAbove(1e9), ['text-and-numbers', 'motor-vehicle-value']],
  ['motor', 'start_date', isBefore('2026-01-01'), ['text-and-numbers', 'date-limits']],
  ['motor', 'inspection_date', isBefore('2026-01-01'), ['text-and-numbers', 'date-limits']],
  ['motor', 'contact_person_name', isLong, ['encoding', 'text-and-numbers']],
  ['group_life', 'dob', isAfter('2008-02-01'), ['text-and-numbers', 'date-limits']],
  [
    'group_life',
    'start_date',
    isBefore('2026-01-01'),
    ['text-and-numbers', 'group-life-initiate-body', 'group-life-dates', 'date-limits'],
  ],
  ['group_life', 'group_name', isLong, ['encoding', 'text-and-numbers']],
  ['group_life', 'members', (list: unknown) => (list as []).length > 50, ['group-life-members']],
] as const)(
  'a server of %s with a narrower limit for %s is told',
  async (family, field, isRefused, ids) => {
    const report = await runCheck(refusing(field, isRefused), { families: [family] });
    expect(toldOf(report)).toEqual([['$.success', ...ids, INITIATE[family]]]);
  },
);

test('a server that takes more than the premium, and no less, is not explained', async () => {
  const sandbox = withoutControl(serve());
  const generous: Fetch = async (request) => {
    const sent = await sentIn(request);
    const { prices } = fixtureFiles().health;
    const isAbovePremium = request.url.endsWith('/initiate') && sent.amount === 801;
    const amount = prices.find(({ product_id }) => product_id === 1)?.monthly;
    const body = JSON.stringify({ ...sent, amount });
    return sandbox(isAbovePremium ? new Request(request, { body }) : request);
  };
  const { differences } = await runCheck(generous, { families: ['micro_health'] });
  expect(differences).toMatchObject([{ path: '$.success', assumptions: ['amount-check'] }]);
  expect(differences[0]).not.toHaveProperty('profile');
  expect(differences[0]?.expected).toContain('for amount above the premium');
});

test('a renewal at another frequency and another word for one have the premium of that frequency', async () => {
  const sandbox = withoutControl(serve());
  const { prices } = fixtureFiles().health;
  const costs = (amount: number) => prices.some(({ annually }) => annually === amount);
  /** Renews yearly what is paid monthly, and takes `annual`, both for the yearly premium. */
  const free: Fetch = async (request) => {
    const sent = await request
      .clone()
      .json()
      .catch(() => ({}));
    const sends = (body: object) => sandbox(new Request(request, { body: JSON.stringify(body) }));
    if (sent.subscription_type === 'annual')
      return sends({ ...sent, subscription_type: 'annually' });
    const answer = await sandbox(request.clone());
    if (!request.url.endsWith('top_up') || answer.status === 200 || !costs(sent.amount))
      return answer;
    const monthly = prices.find(({ annually }) => annually === sent.amount)?.monthly;
    return sends({ ...sent, subscription_type: 'monthly', amount: monthly });
  };
  const report = await runCheck(free, { families: ['micro_health'] });
  expect(toldOf(report)).toEqual([
    ['$.success', 'frequency-words', 'getMicroHealthQuote', 'initiateMicroHealthSubscription'],
    ['$.success', 'top-up-frequency', 'topUpMicroHealthSubscription'],
  ]);
});

test('a server that takes no amount as text in renewals is still asked for unknown policies', async () => {
  const sandbox = withoutControl(serve());
  const strict: Fetch = async (request) => {
    const { amount, policy_no } = await sentIn(request);
    if (!request.url.endsWith('top_up') || typeof amount !== 'string') return sandbox(request);
    const body = JSON.stringify({ amount: 'text', policy_no, subscription_type: 'monthly' });
    return sandbox(new Request(request, { body }));
  };
  const report = await runCheck(strict, { families: ['micro_health'] });
  expect(toldOf(report)).toEqual([
    ['$.success', 'text-and-numbers', 'amount-check', 'topUpMicroHealthSubscription'],
  ]);
  const { not_asked, calls } = report;
  const unknown = calls.filter(({ operation, shows }) =>
    /^topUp\w+ of a policy that does not exist/.test(`${operation} ${shows}`),
  );
  expect(unknown.map(({ outcome }) => outcome)).toEqual(['agrees']);
  expect(not_asked.filter(({ reason }) => reason.includes('topUpMicroHealth'))).toEqual([]);
});

test('a server that refuses unknown fields of motor is told apart from the fields of its sample', async () => {
  const strict = refusing('sandbox_check', (value) => value === true);
  const report = await runCheck(strict, { families: ['motor'] });
  expect(toldOf(report)).toEqual([['$.success', 'unknown-fields', 'initiateMotorPolicy']]);
  expect(idsOf(report, 'confirmed')).toContain('motor-sample-fields');
});

test('a server without limits on size and depth takes what is too large or too deep', async () => {
  const sandbox = withoutControl(serve());
  const lax: Fetch = async (request) => {
    const text = await request.clone().text();
    if (!/\[{101}| {1000}/.test(text)) return sandbox(request);
    const { sandbox_check: _, ...body } = JSON.parse(text);
    return sandbox(new Request(request, { body: JSON.stringify(body) }));
  };
  const report = await runCheck(lax, { families: ['motor', 'group_life'] });
  expect(toldOf(report)).toEqual([
    ['$.success', 'encoding', 'request-body', 'getMotorQuote', 'initiateGroupLifePolicy'],
    ['$.success', 'http-status', 'getMotorQuote', 'initiateGroupLifePolicy'],
  ]);
});

test('a refusal of what the contract accepts is told with the request and the problem of the server', async () => {
  const strict = refusing('first_name', (value) => String(value).length > 255);
  const report = await runCheck(strict, { families: ['micro_health'] });
  expect(report.differences).toMatchObject([
    {
      expected: 'accepted with first_name of 300 characters',
      seen: expect.stringMatching(/^\{"status":422,"problem":"The request is refused\."/),
    },
  ]);
});

test('a list that ignores days is told as a matter of the selection, not of order or merchants', async () => {
  const sandbox = withoutControl(serve());
  const server: Fetch = (request) => {
    const url = new URL(request.url);
    for (const field of ['start_date', 'end_date']) url.searchParams.delete(field);
    return sandbox(new Request(url, request));
  };
  const { differences } = await runCheck(server, { families: ['micro_health'] });
  const ids = new Set(differences.flatMap(({ assumptions }) => assumptions));
  expect([...ids]).not.toContain('list-order');
  expect(differences.map(({ expected }) => expected)).toContain(
    'only records of the selected days',
  );
});

test('a server that names only the frequency of a renewal at another one agrees', async () => {
  const sandbox = withoutControl(serve());
  const server: Fetch = async (request) => {
    const { subscription_type } = await sentIn(request);
    const answer = await sandbox(request);
    if (!request.url.endsWith('top_up') || subscription_type !== 'annually' || answer.ok)
      return answer;
    const body = await answer.json();
    const data = { error: body.data.error.slice(0, 1) };
    return Response.json({ ...body, data }, { status: answer.status });
  };
  const report = await runCheck(server, { families: ['micro_health'] });
  expect(report.differences).toEqual([]);
  expect(idsOf(report, 'confirmed')).toContain('top-up-frequency');
});

test('a field that may be left out is one difference, under what requires it', async () => {
  const sandbox = withoutControl(serve());
  const server: Fetch = async (request) => {
    const sent = await sentIn(request);
    const isInitiate = request.url.endsWith('initiate-group-life-policy');
    const isJson = /^\{.*\}$/s.test(await request.clone().text());
    if (!isInitiate || !isJson || 'second_person_name' in sent) return sandbox(request);
    const body = JSON.stringify({ ...sent, second_person_name: 'Somebody' });
    const answer = await sandbox(new Request(request, { body }));
    const text = await answer.text();
    return new Response(text.replaceAll('"Somebody"', '""'), answer);
  };
  const report = await runCheck(server, { families: ['group_life'] });
  expect(report.differences).toMatchObject([
    {
      path: '$.success',
      assumptions: ['group-life-initiate-body'],
      expected: 'refused with 422 (invalid) for second_person_name left out',
    },
  ]);
});
