import { describe, expect, test } from 'vitest';
import { altered, changeAt, type Json, pathOf } from '../check/mutants/mutate.ts';
import { operations } from '../support/client.ts';
import {
  acceptedInput,
  type FamilyKey,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { judgedSandbox, pathsOf } from './planted.ts';

test.each(operations)(
  '$operationId is held against its status, its message and its form',
  async ({ operationId, envelope: { messageKey }, success: { shape } }) => {
    const { call, change, client } = judgedSandbox();
    const input = await acceptedInput(client, operationId);
    change((answer) => {
      const { response_code: _, data, ...rest } = answer.body;
      const more = Array.isArray(data) ? data : { ...data, one_more: 1 };
      answer.status = 201;
      answer.body = { ...rest, data: more, [messageKey]: 'Otherwise', one_more: 1 };
    });
    const { differences } = await call(operationId, input);
    expect(differences).toContainEqual(
      expect.objectContaining({ path: 'status', expected: '200', assumption: ['http-status'] }),
    );
    const message = { path: `$.${messageKey}`, assumption: ['success-messages'] };
    expect(differences).toContainEqual(expect.objectContaining(message));
    const others = differences.map(({ path }) => path).filter((path) => path.startsWith('$.'));
    expect(new Set(others)).toEqual(
      new Set([
        message.path,
        '$.one_more',
        ...('response_code' in shape ? ['$.response_code'] : []),
        ...(operationId === 'listMotorPolicies' ? [] : ['$.data.one_more']),
      ]),
    );
  },
);

/** The places that differ if the response of a verify is changed. */
async function verifiedWith(family: FamilyKey, change: (data: Json) => void) {
  const judged = judgedSandbox();
  const { body } = await judged.call(initiateOf[family], purchaseOf(family));
  judged.change((answer) => change(answer.body.data));
  return pathsOf(await judged.call(verifyOf[family], { token: body.data.token }));
}

test('fields under other names are told, and what they have is compared', async () => {
  const judged = judgedSandbox();
  judged.change(({ body }) => {
    const { token, chasis_no, vehicle_color, ...data } = body.data;
    const others = { chassis_no: chasis_no, vehicleColor: altered(vehicle_color) };
    body.data = { ...data, ...others, purchase_token: token };
  });
  const { lines } = await judged.call(initiateOf.motor, purchaseOf('motor'));
  const told = lines.map((line) => line.replace(/, \{.*/, ''));
  expect(told.toSorted()).toEqual([
    "$.data.chasis_no: the contract's name chasis_no",
    "$.data.token: the contract's name token",
    expect.stringMatching(/^\$\.data\.vehicle_color: "/),
    "$.data.vehicle_color: the contract's name vehicle_color",
  ]);
});

describe('sent values are returned', () => {
  test('by the initiate of motor: every field of the policy', async () => {
    const judged = judgedSandbox();
    const sent = purchaseOf('motor');
    const { body } = await judged.call(initiateOf.motor, sent);
    const echoed = Object.keys(sent).filter((field) => Object.hasOwn(body.data, field));
    expect(echoed.length).toBeGreaterThan(20);
    const fields = [...echoed, 'vehicle_value', 'end_date', 'slug'];
    judged.change(({ body: { data } }) => {
      for (const field of fields) data[field] = altered(data[field]);
    });
    const paths = pathsOf(await judged.call(initiateOf.motor, sent));
    expect(paths).toEqual(expect.arrayContaining(fields.map((field) => `$.data.${field}`)));
  });

  test.each<[FamilyKey, string]>([
    [
      'micro_health',
      'product_id subscriptions_type recurring end_date start_date active_date updated_at subscriptions_no',
    ],
    [
      'motor',
      'vehicle_make contact_person_name duration start_date end_date policy_number merchant_id updated_at',
    ],
    [
      'group_life',
      'group_name first_person_phone start_date end_date product_id updated_at user.email user.date_of_birth group_life_members.*.next_of_kiln group_life_members.*.date_of_birth',
    ],
  ])('by the verify of %s: %s', async (family, fields) => {
    for (const field of fields.split(' ')) {
      const keys = field.split('.');
      const words: Record<string, string> = { monthly: 'quarterly' };
      const paths = await verifiedWith(family, (data) =>
        changeAt(data, keys, (parent, key) => {
          parent[key] = words[parent[key]] ?? altered(parent[key]);
        }),
      );
      expect(paths).toContain(pathOf(['data', ...keys]));
    }
  });

  test.each([
    ['validateMicroHealthPolicy', 'policy_no'],
    ['getMotorPolicyDetails', 'policy_number'],
    ['getGroupLifePolicyDetails', 'policy_number'],
  ])('by %s: the requested number', async (operationId, field) => {
    const { call, change, client } = judgedSandbox();
    const input = await acceptedInput(client, operationId);
    change(({ body: { data } }) => {
      data[field] = altered(data[field]);
    });
    expect(pathsOf(await call(operationId, input))).toContain(`$.data.${field}`);
  });
});

test.each([
  ['getMotorPolicyDetails', 'Policy_number', 'policy_number'],
  ['getGroupLifePolicyDetails', 'policy_number', 'policyNumber'],
])('of two numbers in %s, %s counts and not %s', async (operationId, one, other) => {
  const { call, client } = judgedSandbox();
  const [number] = Object.values(await acceptedInput(client, operationId));
  const found = await call(operationId, { [other]: ' another ', [one]: number });
  expect([found.status, found.lines]).toEqual([200, []]);
  const padded = await call(operationId, { [other]: number, [one]: ` ${number} ` });
  expect([padded.status, padded.lines]).toEqual([404, []]);
});

describe('dates', () => {
  test.each(['2026-01-31 10:00:00', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000000+01:00'])(
    'in another form are told: %s',
    async (created_at) => {
      const paths = await verifiedWith('micro_health', (data) =>
        Object.assign(data, { created_at }),
      );
      expect(paths).toContain('$.data.created_at');
    },
  );

  test.each([
    ['listMicroHealthSubscriptions', '$.data.data[].subscriptions.end_date'],
    ['listMotorPolicies', '$.data[].end_date'],
    ['listGroupLifePolicies', '$.data.data[].end_date'],
  ])('of each policy in %s are consistent', async (operationId, path) => {
    const judged = judgedSandbox();
    judged.change(({ body }) => {
      for (const item of body.data.data ?? body.data) {
        const record = item.subscriptions ?? item;
        record.end_date = altered(record.end_date);
      }
    });
    expect(new Set(pathsOf(await judged.call(operationId)))).toEqual(new Set([path]));
  });

  test.each([
    ['30 s', 'Sat, 31 Jan 2026 10:00:30 GMT', false, []],
    ['an hour', 'Sat, 31 Jan 2026 11:00:00 GMT', false, ['$.data.created_at', '$.data.updated_at']],
    ['an hour', 'Sat, 31 Jan 2026 11:00:00 GMT', true, []],
  ])('%s from the Date header: %s, by a sandbox: %s', async (_far, date, isSandbox, paths) => {
    const judged = judgedSandbox();
    const { body } = await judged.call(initiateOf.motor, purchaseOf('motor'));
    judged.change(({ headers }) => {
      headers.set('date', date);
      // The clock of a sandbox can show any time.
      if (!isSandbox) headers.delete('sandbox-request-id');
    });
    expect(pathsOf(await judged.call(verifyOf.motor, { token: body.data.token }))).toEqual(paths);
  });
});

describe('pages', () => {
  const listWith = async (change: (body: Json) => Json, input: object) => {
    const judged = judgedSandbox();
    judged.change((answer) => {
      answer.body = change(answer.body);
    });
    return pathsOf(await judged.call('listMicroHealthSubscriptions', input));
  };

  test.each([
    ['current_page', 3],
    ['last_page', 99],
    ['from', 1],
    ['to', 7],
    ['per_page', 4],
    ['next_page_url', null],
    ['prev_page_url', null],
    ['first_page_url', 'http://service/api/merchant/micro_health/all_subscriptions?page=1'],
    ['last_page_url', 'http://service/elsewhere?per_page=3&page=1'],
    ['path', 'http://service/elsewhere'],
  ])('are inconsistent with another %s', async (field, value) => {
    const change = ({ data, ...body }: Json) => ({ ...body, data: { ...data, [field]: value } });
    expect(await listWith(change, { per_page: 3, page: 2 })).toContain(`$.data.${field}`);
  });

  test('in another order are reported', async () => {
    const change = (body: Json) => {
      body.data.data.reverse();
      return body;
    };
    expect(await listWith(change, { per_page: 3, page: 2 })).toContain('$.data.data');
  });

  test('can have URLs of any host and path', async () => {
    const change = (body: Json) =>
      JSON.parse(JSON.stringify(body).replaceAll('//service/', '//api.provider.example/v1/'));
    expect(await listWith(change, { per_page: 3 })).toEqual([]);
  });
});

test('a local day of a profile is the day of a list', async () => {
  const { call, client } = judgedSandbox({ 'time-zone': 'Africa/Lagos' });
  client.merchant.clock.advance({ to: '2026-01-31T23:30:00Z' });
  const { body } = await call(initiateOf.micro_health, purchaseOf('micro_health'));
  const bought = await call(verifyOf.micro_health, { token: body.data.token });
  expect(bought.body.data.active_date).toBe('2026-02-01 00:30:00');
  expect(bought.lines).toEqual([]);
  const selections = [
    [{ start_date: '2026-02-01' }, 1],
    [{ start_date: '2026-02-01', end_date: '2026-02-01' }, 1],
    [{ start_date: '2026-01-31', end_date: '2026-01-31' }, 0],
    [{ period: 'day' }, 1],
  ] as const;
  for (const [selection, total] of selections) {
    const listed = await call('listMicroHealthSubscriptions', selection);
    expect(listed.body.data.total).toBe(total);
    expect(listed.lines).toEqual([]);
  }
});
