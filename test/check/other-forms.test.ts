/* Servers that write or refuse in a way of their own everywhere: a check tells each way once. */
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/tools/check/client.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { idsOf, OTHER_KEY, runCheck, serve, withoutControl } from './support.ts';

/** A sandbox whose responses are changed. */
const changed =
  (change: (body: never, response: Response) => Response | string): Fetch =>
  async (request) => {
    const response = await withoutControl(sandbox)(request);
    if (!response.headers.get('content-type')?.includes('json')) return response;
    const said = change((await response.clone().json()) as never, response);
    return typeof said === 'string' ? new Response(said, response) : said;
  };
const sandbox = serve();

const told = ({ differences }: Report) =>
  differences.map(({ path, expected, seen }) => ({ path, expected, seen }));

test('problems by field are one form, whatever the fields, and other refusals another', async () => {
  const server = changed((body: { data: { error: string[] } }, response) => {
    const { status, headers } = response;
    if (status < 400) return response;
    const problems = body.data.error.map((each) => [/The (\S+) field/.exec(each)?.[1], each]);
    const named = problems.filter(([field]) => field !== undefined);
    const fields = Object.fromEntries(
      named.map(([field, each]) => [field?.split('.')[0], [each] as unknown]),
    );
    const form = named.length > 0 ? fields : { detail: body.data.error[0] };
    return Response.json(form, { status, headers });
  });
  const report = await runCheck(server, { otherKey: OTHER_KEY });
  expect(told(report)).toEqual([
    expect.objectContaining({ path: '$', seen: expect.stringContaining('field') }),
    expect.objectContaining({ path: '$', seen: expect.stringContaining('"detail"') }),
  ]);
  expect(report.not_asked.map(({ reason }) => reason)).not.toContainEqual(
    expect.stringContaining('depends on the difference'),
  );
});

test('timestamps with an offset are one difference, midnights included', async () => {
  const server = changed((body) =>
    JSON.stringify(body)
      .replace(/T00:00:00\.000000Z/g, 'T00:00:00+01:00')
      .replace(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000000Z/g, (_, time: string) => {
        const local = new Date(Date.parse(`${time}Z`) + 3_600_000).toISOString();
        return local.replace(/\.\d+Z/, '.123+01:00');
      }),
  );
  const report = await runCheck(server);
  expect(report.differences).toMatchObject([{ assumptions: [], seen: /\+01:00"$/ }].map(anyText));
});

/** Expects a text that matches. */
function anyText({ seen, ...rest }: { assumptions: string[]; seen: RegExp }) {
  return { ...rest, seen: expect.stringMatching(seen) };
}

test('phone numbers that are returned with their country are one difference', async () => {
  const server = changed((body) => JSON.stringify(body).replace(/"0(999\d{7})"/g, '"+234$1"'));
  const report = await runCheck(server, { families: ['motor', 'group_life'] });
  expect(report.differences).toHaveLength(1);
  expect(report.differences[0]?.places.length).toBeGreaterThan(4);
});

test('fields of the server alone that are null are one difference, with their number', async () => {
  const server = changed((body) =>
    JSON.stringify(body).replaceAll('"policy_number":', '"a":null,"b":null,"c":null,$&'),
  );
  expect(told(await runCheck(server))).toMatchObject([
    { expected: 'no such field in the contract, and 2 other fields with null', seen: 'null' },
  ]);
});

test('another status of purchases hides nothing that agrees', async () => {
  const server = changed((body, response) => {
    const isNew = response.ok && /initiated|verified/.test(JSON.stringify(body));
    return isNew ? Response.json(body, { status: 201 }) : response;
  });
  const report = await runCheck(server);
  expect(told(report)).toEqual([{ path: 'status', expected: '200', seen: '201' }]);
  expect(idsOf(report, 'confirmed')).toEqual(
    expect.arrayContaining(['group-life-verify-response', 'group-life-policy-number', 'email']),
  );
});

test('an empty body is told as that, with a status and headers of its own', async () => {
  const server = changed((_, response) =>
    response.status === 401 ? new Response('', { status: 403 }) : response,
  );
  const report = await runCheck(server);
  expect(told(report)).toEqual([
    { path: '$', expected: 'a JSON object', seen: '"an empty body"' },
    { path: 'status', expected: '401 (unauthenticated)', seen: '403' },
  ]);
});
