import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/check/index.ts';
import { operations } from '../support/client.ts';
import { plain } from './mutants/mutant.ts';
import { changing, type MutableResponse } from './mutants/mutate.ts';
import { runCheck } from './support.ts';

/** A sandbox whose answers to some operations are changed. */
const changed = (
  change: (data: MutableResponse['body'], request: Request) => void,
  ...operationIds: readonly string[]
) =>
  operations
    .filter(({ operationId }) => operationIds.includes(operationId))
    .reduce(
      (fetch, operation) =>
        changing(
          fetch,
          operation,
          ({ body, request }) => {
            if (body?.success === true) change(body.data, request);
          },
          () => undefined,
        ),
      plain(),
    );

const told = ({ summary }: Report): string[] =>
  summary.map(({ operation, path }) => `${operation} ${path}`);

const MOTOR = { families: ['motor'] } as const;

describe('the call that differs is blamed, and those that show it again are not', () => {
  test('where later calls answer the very same wrong value', async () => {
    const fetch = changed(
      (data) => {
        data.insurance_cover = 'GOLD';
      },
      'initiateMotorPolicy',
      'verifyMotorPolicy',
      'getMotorPolicyDetails',
    );
    const report = await runCheck(fetch, MOTOR);
    expect(told(report)).toEqual(['initiateMotorPolicy $.data.insurance_cover']);
    const verified = report.probes.find(({ name }) => name === 'verifies a yearly policy');
    expect(verified).toMatchObject({
      outcome: 'skipped',
      reason: 'follows from what initiateMotorPolicy answered at $.data.insurance_cover',
    });
  });

  test('where later calls are right, and one before was not', async () => {
    const fetch = changed((data) => {
      data.vehicle_color = 'pink';
    }, 'verifyMotorPolicy');
    expect(told(await runCheck(fetch, MOTOR))).toEqual(['verifyMotorPolicy $.data.vehicle_color']);
  });

  test('where nobody knows the value, two that agree are believed rather than one', async () => {
    const fetch = changed((data) => {
      data.product.provider_id = 77;
    }, 'verifyMicroHealthSubscription');
    const report = await runCheck(fetch, { families: ['micro_health'] });
    expect(told(report)).toEqual(['verifyMicroHealthSubscription $.data.product.provider_id']);
    expect(report.summary[0]).toMatchObject({
      expected: '1, as validateMicroHealthPolicy and topUpMicroHealthSubscription say',
      seen: '77',
    });
  });

  test('where a purchase does not come about, what builds on it is not asked', async () => {
    const sandbox = plain();
    const report = await runCheck(async (request) => {
      if (!request.url.endsWith('verify_policy')) return sandbox(request);
      return Response.json({ success: false, response_message: 'Out of order' }, { status: 503 });
    }, MOTOR);
    const elsewhere = told(report).filter((each) => !each.startsWith('verifyMotorPolicy'));
    expect(elsewhere).toEqual([]);
    const reasons = report.probes.map(({ reason }) => reason);
    expect(reasons).toContain('nothing was bought');
  });

  test('each call is blamed for a value of its own', async () => {
    let n = 0;
    const fetch = changed(
      (data) => {
        data.insurance_cover = `GOLD ${n++}`;
      },
      'initiateMotorPolicy',
      'verifyMotorPolicy',
    );
    expect(told(await runCheck(fetch, MOTOR))).toEqual([
      'initiateMotorPolicy $.data.insurance_cover',
      'verifyMotorPolicy $.data.insurance_cover',
    ]);
  });
});

test('the same difference in many records is told once, with where it was seen first and how often', async () => {
  const fetch = changed((data) => {
    for (const policy of data) policy.slug = 5;
  }, 'listMotorPolicies');
  const report = await runCheck(fetch, { families: ['motor'], readOnly: true });
  expect(report.summary).toEqual([
    {
      operation: 'listMotorPolicies',
      path: '$.data[0].slug',
      expected: 'string',
      seen: '5',
      decisions: ['motor-slug'],
      probe: 'lists policies',
      count: 5,
    },
  ]);
});

describe('HTTP and body that say two things are told as what they are', () => {
  const withStatus = (status: number, when: (body: MutableResponse['body']) => boolean) => {
    const sandbox = plain();
    return async (request: Request): Promise<Response> => {
      const response = await sandbox(request);
      const body = await response.json();
      const { headers } = response;
      return new Response(JSON.stringify(body), {
        status: when(body) ? status : response.status,
        headers,
      });
    };
  };

  test('200 with the body of a failure, where a failure was due', async () => {
    const report = await runCheck(
      withStatus(200, ({ success }) => success === false),
      { families: ['motor'], readOnly: true },
    );
    for (const { path, seen } of report.summary) {
      expect({ path, seen }).toEqual({
        path: 'status',
        seen: '"HTTP 200 with the body of a failure"',
      });
    }
    expect(report.summary.length).toBeGreaterThan(3);
  });

  test('200 with the body of a failure, where a success was due', async () => {
    const report = await runCheck(
      async (request) =>
        /quote/.test(request.url)
          ? Response.json({ success: false, response_message: 'No' })
          : plain()(request),
      { families: ['motor'], readOnly: true },
    );
    expect(report.summary).toContainEqual(
      expect.objectContaining({
        operation: 'getMotorQuote',
        path: '$.success',
        expected: 'true',
        seen: '"HTTP 200 with the body of a failure"',
      }),
    );
  });

  test('404 with the body of a success', async () => {
    const report = await runCheck(
      withStatus(404, ({ data }) => data?.premium !== undefined),
      { families: ['motor'], readOnly: true },
    );
    expect(report.summary).toEqual([
      expect.objectContaining({
        operation: 'getMotorQuote',
        path: 'status',
        expected: '200',
        seen: '"HTTP 404 with the body of a success"',
      }),
    ]);
  });
});

describe('a quote that is not what initiate asks for', () => {
  test.each([
    ['a quarter', 'quarterly'],
    ['a year', 'annually'],
  ])('is told of the quote, for %s', async (_name, frequency) => {
    const sandbox = plain();
    const report = await runCheck(
      async (request) => {
        const sent = await request.clone().text();
        const response = await sandbox(request);
        const isWrong = /get_quote/.test(request.url) && /quarterly|annually|yearly/.exec(sent);
        if (!isWrong) return response;
        const words = frequency === 'annually' ? ['annually', 'yearly'] : [frequency];
        const body = await response.json();
        if (body.success && words.includes(isWrong[0])) body.data.quote_price += 500;
        return Response.json(body, { status: response.status, headers: response.headers });
      },
      { families: ['micro_health'] },
    );
    expect(told(report)).toEqual(['getMicroHealthQuote $.data.quote_price']);
  });
});
