/* Checks servers with other names of fields: a report says each name once, and the check compares what the field has. */
import { expect, test } from 'vitest';
import { isObject } from '../../src/scenarios/json.ts';
import type { CheckOptions } from '../../src/tools/check/check.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { idsOf, KEY, OTHER_KEY, runCheck, serve, withoutControl } from './support.ts';

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const pascal = (name: string): string => camel(`_${name}`);

/** JSON with other names of fields. */
function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, nameOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [nameOf(name), renamed(each, nameOf)]),
  );
}

/** Checks a server whose successes, or refusals, are changed. */
function checkChanged(
  family: string,
  change: (body: Record<string, unknown>) => unknown,
  { refusals = false, ...options }: Partial<CheckOptions> & { refusals?: boolean } = {},
): Promise<Report> {
  const sandbox = withoutControl(serve());
  return runCheck(
    async (request) => {
      const answer = await sandbox(request);
      const isJson = answer.headers.get('content-type')?.includes('json');
      if (!isJson || answer.ok === refusals) return answer;
      return Response.json(change(await answer.json()), answer);
    },
    { families: [family], otherKey: OTHER_KEY, key: KEY, ...options },
  );
}

const inData =
  (nameOf: (name: string) => string) =>
  (body: Record<string, unknown>): unknown => ({ ...body, data: renamed(body.data, nameOf) });

/** Each difference in a line. */
const linesOf = ({ differences }: Report) =>
  differences.map(({ path, expected, seen }) => `${path}: ${expected}, seen ${seen}`);

const notAsked = ({ calls }: Report) =>
  calls.filter(({ reason }) => reason?.startsWith('depends on')).map(({ shows }) => shows);

test('a family in camelCase is one difference, and all its fields are compared', async () => {
  const report = await checkChanged('motor', (body) => {
    const data = renamed(body.data, (name) => (name === 'engine_no' ? name : camel(name)));
    const isValued = isObject(data) && 'vehicleValue' in data;
    return {
      ...body,
      data: isValued ? { ...data, vehicleValue: String(data.vehicleValue) } : data,
    };
  });
  expect(linesOf(report)).toEqual([
    expect.stringMatching(
      /^\$\.data\.amount_insured: the contract's name amount_insured, and \d\d other fields, seen \{"amountInsured":5000000\}$/,
    ),
    '$.data.vehicle_value: 5000000, seen "5000000"',
  ]);
  expect(notAsked(report)).toEqual([]);
});

test('micro-health in camelCase is one difference too', async () => {
  const report = await checkChanged('micro_health', inData(camel));
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/: the contract's name \w+, and \d\d other fields, seen /),
  ]);
  expect(notAsked(report)).toEqual([]);
});

test('a page whose records are under another name is one difference', async () => {
  const report = await checkChanged('group_life', ({ data, ...body }) => {
    const isPage = isObject(data) && Array.isArray(data.data);
    if (!isPage) return { ...body, data };
    const { data: items, ...page } = data;
    return { ...body, data: { ...page, items } };
  });
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/^\$\.data\.data: the contract's name data, seen \{"items":\[/),
  ]);
  expect(notAsked(report)).toEqual([]);
});

test('a field with another name is one difference that shows both', async () => {
  const names: Readonly<Record<string, string>> = {
    chasis_no: 'chassis_no',
    contact_person_name: 'spokesman',
    policy_number: 'policy_no',
  };
  const report = await checkChanged(
    'motor',
    inData((name) => names[name] ?? name),
  );
  expect(linesOf(report).toSorted()).toEqual([
    expect.stringMatching(/: the contract's name chasis_no, seen \{"chassis_no":"\w+"\}$/),
    expect.stringMatching(/: the contract's name contact_person_name, seen \{"spokesman":".+"\}$/),
    expect.stringMatching(/: the contract's name policy_number, seen \{"policy_no":"\w+"\}$/),
  ]);
  expect(notAsked(report)).toEqual([]);
});

test('fields that only have the same null, or the same flag, are no other name of each other', async () => {
  const report = await checkChanged('group_life', ({ data, ...body }) => {
    const change = (name: string): string =>
      name === 'logo_url' ? 'remarks' : name === 'enable' ? 'archived' : name;
    return { ...body, data: renamed(data, change) };
  });
  const told = linesOf(report);
  expect(told.filter((each) => each.includes("contract's name"))).toEqual([]);
  expect(told).toContainEqual(expect.stringMatching(/\.remarks: no such field/));
  expect(told).toContainEqual(expect.stringMatching(/\.archived: no such field/));
});

test('a field of the server is no other name of one that is null and left out', async () => {
  const report = await checkChanged('group_life', ({ data, ...body }) => {
    const withoutNulls = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withoutNulls);
      if (!isObject(value)) return value;
      const kept = Object.entries(value).filter(([, each]) => each !== null);
      const fields = Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(each)]));
      return 'surname' in fields ? { ...fields, full_name: `Ada ${fields.surname}` } : fields;
    };
    return { ...body, data: withoutNulls(data) };
  });
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/: null, and \d+ other fields that should be null, seen nothing$/),
    expect.stringMatching(/\.full_name: no such field in the contract, seen "Ada /),
  ]);
});

test('tokens and numbers under any name are found by later requests', async () => {
  const names: Readonly<Record<string, string>> = {
    id: 'uid',
    token: 'checkout',
    policy_number: 'reference',
    policy_no: 'certificate',
  };
  const report = await checkChanged(
    'group_life',
    inData((name) => names[name] ?? name),
  );
  expect(linesOf(report).toSorted()).toEqual([
    expect.stringMatching(/: the contract's name id, seen \{"uid":\d+\}$/),
    expect.stringMatching(/: the contract's name policy_number, seen \{"reference":"\w+"\}$/),
    expect.stringMatching(/: the contract's name token, seen \{"checkout":"\w+"\}$/),
    expect.stringMatching(/: the contract's name policy_no, seen \{"certificate":"\w+"\}$/),
  ]);
  expect(notAsked(report)).toEqual([]);
});

test('a token of another form under another name is found by later requests', async () => {
  const sandbox = withoutControl(serve());
  const report = await runCheck(async (request) => {
    const sent = await request.clone().text();
    const body = sent.replaceAll('ref-', 'GLP');
    const answer = await sandbox(body === sent ? request : new Request(request, { body }));
    const text = (await answer.text()).replace(/"token":"GLP/g, '"checkout":"ref-');
    return new Response(text, answer);
  });
  expect(report.differences.map(({ path, expected }) => [path, expected])).toEqual([
    ['$.data.token', "the contract's name token"],
    ['$.data.token', 'GLP and 18 digits'],
  ]);
  expect(report.not_asked.map(({ reason }) => reason)).not.toContainEqual(
    expect.stringContaining('without token'),
  );
});

test('pages with the names of another library are compared, and so are objects under other names', async () => {
  const names: Readonly<Record<string, string>> = {
    current_page: 'page',
    last_page: 'total_pages',
    per_page: 'page_size',
    total: 'total_count',
    group_life_members: 'members',
    user: 'customer',
  };
  const report = await checkChanged(
    'group_life',
    inData((name) => names[name] ?? name),
  );
  const told = Object.entries(names).map(
    ([name, other]) => `the contract's name ${name} {"${other}":`,
  );
  expect(
    report.differences.map(({ expected, seen }) => `${expected} ${seen.split(':')[0]}:`).toSorted(),
  ).toEqual(told.toSorted());
  expect(notAsked(report)).toEqual([]);
});

test('a name that one answer shows explains the others, which have nothing to compare it by', async () => {
  const report = await checkChanged(
    'motor',
    inData((name) => (name === 'premium' ? 'price' : name)),
  );
  expect(report.differences).toMatchObject([
    { expected: "the contract's name premium", seen: '{"price":250000}' },
  ]);
});

test('answers without an envelope are one difference, and their data is compared', async () => {
  const report = await checkChanged('motor', ({ data }) => data);
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/^\$: \{ success, .*data.* \}, seen \{"premium":/),
  ]);
  expect(notAsked(report)).toEqual([]);
});

/** Checks a server whose answers are in PascalCase. */
function checkPascal(decisions: Readonly<Record<string, unknown>>): Promise<Report> {
  const sandbox = withoutControl(serve({ profile: { version: 1, decisions } }));
  return runCheck(async (request) => {
    const answer = await sandbox(request);
    if (!answer.headers.get('content-type')?.includes('json')) return answer;
    return Response.json(renamed(await answer.json(), pascal), answer);
  });
}

const ONE_SPELLING = expect.stringMatching(
  /: the contract's name success, and \d\d other fields, seen /,
);

test('a server that spells every field in its own way has that as one difference, refusals included', async () => {
  const report = await checkPascal({});
  expect(linesOf(report)).toEqual([ONE_SPELLING]);
  expect(idsOf(report, 'confirmed')).toContain('group-life-items');
});

test('a refusal with a status of 200 is one, however it spells success', async () => {
  const statuses = { invalid: 200, token_unknown: 200, token_used: 200, policy_unknown: 200 };
  const report = await checkPascal({ 'http-status': statuses });
  expect(linesOf(report)).toEqual([expect.stringMatching(/^status: /), ONE_SPELLING]);
  expect(report.profile.decisions).toEqual({ 'http-status': statuses });
});

test('a message under the name of other operations is one difference, in successes and refusals', async () => {
  const sandbox = withoutControl(serve());
  const report = await runCheck(
    async (request) => {
      const answer = await sandbox(request);
      if (!new URL(request.url).pathname.endsWith('/top_up')) return answer;
      const body = await answer.json();
      return Response.json(
        renamed(body, (name) => (name === 'message' ? 'response_message' : name)),
        answer,
      );
    },
    { families: ['micro_health'] },
  );
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/^\$\.message: the contract's name message, seen \{"response_message":/),
  ]);
});

test('a refusal without data has nothing to do with a list under another name', async () => {
  const sandbox = withoutControl(serve());
  const report = await runCheck(async (request) => {
    const answer = await sandbox(request);
    const body = await answer.json();
    if (!answer.ok) return Response.json({ error: body.response_message }, answer);
    if (!Array.isArray(body.data.data)) return Response.json(body, answer);
    const { data: _records, ...page } = body.data;
    return Response.json({ ...body, data: page }, answer);
  });
  const listed = report.differences.find(({ path }) => path === '$.data.data');
  expect(listed?.places.map(({ operation }) => operation)).toEqual(['listGroupLifePolicies']);
  expect(report.differences.filter(({ path }) => path === '$.data.total')).toEqual([]);
});

test('a refusal that names fields in another way is about the fields of the contract', async () => {
  const report = await checkChanged(
    'group_life',
    ({ data, ...body }) => {
      const error = (data as { error: string[] }).error.map((problem) =>
        problem.replace(
          /^The (\S+) field/,
          (_, name: string) =>
            `The ${name
              .replace(/\.(\d+)\./, '[$1].')
              .split('.')
              .map(pascal)
              .join('.')} field`,
        ),
      );
      return { ...body, response_message: error[0], data: { error } };
    },
    { refusals: true },
  );
  expect(linesOf(report)).toEqual([
    expect.stringMatching(/^\$\.data\.error: the contract's name \S+, seen \["The [A-Z]/),
  ]);
});
