import { describe, expect, test } from 'vitest';
import { altered, changeAt, pathOf, placesOf, retyped } from '../check/mutants/mutate.ts';
import { lists, operations } from '../support/client.ts';
import {
  acceptedInput,
  familyKeys,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { type Answer, judgedSandbox, pathsOf } from './planted.ts';

describe.each(operations)(
  'an answer of $operationId is held against its form, both ways',
  (operation) => {
    const { operationId } = operation;
    const accepted = async () => {
      const judged = judgedSandbox();
      const input = lists.includes(operation)
        ? {}
        : await acceptedInput(judged.client, operationId);
      return { ...judged, input };
    };

    test('and shows no difference as it is', async () => {
      const { call, input } = await accepted();
      expect((await call(operationId, input)).lines).toEqual([]);
    });

    test('where any field is missing, too much, or of another type', async () => {
      const missed: string[] = [];
      const { call, change, input, client } = await accepted();
      const again = operation.readOnly ? input : undefined;
      for (const [turn, { keys, kind }] of placesOf(operation.success).entries()) {
        if (keys.length === 0) continue;
        const changes: readonly ((parent: never, key: string) => void)[] = [
          (parent, key) => void Reflect.deleteProperty(parent, key),
          (parent, key) => void Reflect.set(parent, key, retyped(parent[key])),
          ...(kind === 'object'
            ? [(parent: never, key: string) => void Reflect.set(parent[key], 'one_more', 1)]
            : []),
        ];
        // Each place in one of the ways; every way in a third of the places.
        const way = turn % changes.length;
        // What is gone from a list is one element less.
        if (keys.at(-1) === '*' && way === 0) continue;
        let isChanged = false;
        change(({ body }) =>
          changeAt(body, keys, (parent, key) => {
            // Null may be a number, where that is what else it may be.
            isChanged ||= parent[key] !== null;
            changes[way]?.(parent as never, key);
          }),
        );
        const found = await call(operationId, again ?? (await acceptedInput(client, operationId)));
        if (isChanged && found.differences.length === 0) missed.push(`${pathOf(keys)} ${way}`);
      }
      // As in the documents, some fields take a number and a text.
      expect(missed.filter((line) => !/duration 1$/.test(line))).toEqual([]);
    });

    test('with its status and its message', async () => {
      const { call, change, input, client } = await accepted();
      change((answer) => {
        answer.status = 201;
      });
      const first = await call(operationId, input);
      expect(first.differences).toMatchObject([
        { path: 'status', expected: '200', seen: '201', assumption: ['http-status'] },
      ]);
      change(({ body }) => {
        body[operation.envelope.messageKey] = 'Otherwise';
      });
      const second = await call(
        operationId,
        lists.includes(operation) ? {} : await acceptedInput(client, operationId),
      );
      expect(second.differences).toMatchObject([
        { path: `$.${operation.envelope.messageKey}`, assumption: ['success-messages'] },
      ]);
    });
  },
);

/** Buys, with the answer of verify changed. */
async function verifiedWith(family: (typeof familyKeys)[number], change: (data: never) => void) {
  const judged = judgedSandbox();
  const { body } = await judged.call(initiateOf[family], purchaseOf(family));
  judged.change((answer) => change(answer.body.data as never));
  return judged.call(verifyOf[family], { token: body.data.token });
}

describe('what is sent and answered again', () => {
  test('of a motor purchase is every field of the policy', async () => {
    const judged = judgedSandbox();
    const sent = purchaseOf('motor');
    const { body } = await judged.call(initiateOf.motor, sent);
    const echoed = Object.keys(sent).filter((field) => Object.hasOwn(body.data, field));
    expect(echoed.length).toBeGreaterThan(20);
    for (const field of [...echoed, 'vehicle_value', 'end_date', 'slug']) {
      judged.change(({ body }) => {
        body.data[field] = altered(body.data[field]);
      });
      const found = await judged.call(initiateOf.motor, sent);
      expect(pathsOf(found), field).toContain(`$.data.${field}`);
    }
  });

  test.each(familyKeys)('shows in verify of %s though initiate was sent it', async (family) => {
    const fields = {
      micro_health: [
        'product_id',
        'subscriptions_type',
        'recurring',
        'end_date',
        'start_date',
        'active_date',
        'updated_at',
        'subscriptions_no',
      ],
      motor: [
        'vehicle_make',
        'contact_person_name',
        'duration',
        'start_date',
        'end_date',
        'policy_number',
        'merchant_id',
        'updated_at',
      ],
      group_life: [
        'group_name',
        'first_person_phone',
        'start_date',
        'end_date',
        'product_id',
        'updated_at',
      ],
    }[family];
    for (const field of fields) {
      const words: Record<string, string> = { monthly: 'quarterly' };
      const found = await verifiedWith(family, (data) => {
        const before = Reflect.get(data, field);
        Reflect.set(data, field, words[before] ?? altered(before));
      });
      expect(pathsOf(found), field).toContain(`$.data.${field}`);
    }
  });

  test('of members and of the purchaser shows in verify of group life', async () => {
    for (const [keys, path] of [
      [['user', 'email'], '$.data.user.email'],
      [['user', 'date_of_birth'], '$.data.user.date_of_birth'],
      [['group_life_members', '0', 'next_of_kiln'], '$.data.group_life_members[].next_of_kiln'],
      [['group_life_members', '0', 'date_of_birth'], '$.data.group_life_members[].date_of_birth'],
    ] as const) {
      const found = await verifiedWith('group_life', (data) =>
        changeAt(data, keys, (parent, key) => {
          parent[key] = altered(parent[key]);
        }),
      );
      expect(pathsOf(found)).toContain(path);
    }
  });

  test('is the number of the policy that was asked for', async () => {
    for (const operationId of [
      'validateMicroHealthPolicy',
      'getMotorPolicyDetails',
      'getGroupLifePolicyDetails',
    ]) {
      const judged = judgedSandbox();
      const input = await acceptedInput(judged.client, operationId);
      const field = operationId.startsWith('validate') ? 'policy_no' : 'policy_number';
      judged.change(({ body }) => {
        body.data[field] = altered(body.data[field]);
      });
      expect(pathsOf(await judged.call(operationId, input))).toContain(`$.data.${field}`);
    }
  });

  test.each([
    ['getMotorPolicyDetails', 'Policy_number', 'policy_number'],
    ['getGroupLifePolicyDetails', 'policy_number', 'policyNumber'],
  ])(
    'is the number that counts where %s has two, under %s and %s',
    async (operationId, first, second) => {
      const judged = judgedSandbox();
      const [number] = Object.values(await acceptedInput(judged.client, operationId));
      const found = await judged.call(operationId, { [second]: ' another ', [first]: number });
      expect([found.status, found.lines]).toEqual([200, []]);
      const padded = await judged.call(operationId, { [second]: number, [first]: ` ${number} ` });
      expect([padded.status, padded.lines]).toEqual([404, []]);
    },
  );
});

describe('dates', () => {
  test.each(['2026-01-31 10:00:00', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000000+01:00'])(
    'in another form are told: %s',
    async (written) => {
      const found = await verifiedWith('micro_health', (data) =>
        Reflect.set(data, 'created_at', written),
      );
      expect(pathsOf(found)).toContain('$.data.created_at');
    },
  );

  test('of a policy that a list or a look-up shows follow from each other', async () => {
    const judged = judgedSandbox();
    judged.change(({ body }) => {
      for (const item of body.data.data ?? body.data) {
        const record = item.subscriptions ?? item;
        record.end_date = altered(record.end_date);
      }
    });
    for (const [operationId, path] of [
      ['listMicroHealthSubscriptions', '$.data.data[].subscriptions.end_date'],
      ['listMotorPolicies', '$.data[].end_date'],
      ['listGroupLifePolicies', '$.data.data[].end_date'],
    ] as const) {
      expect(new Set(pathsOf(await judged.call(operationId)))).toEqual(new Set([path]));
    }
  });

  test('of a service are near its Date header; the clock of a sandbox may be anywhere', async () => {
    const at = async (date: string, isSandbox: boolean) => {
      const judged = judgedSandbox();
      const { body } = await judged.call(initiateOf.motor, purchaseOf('motor'));
      judged.change(({ headers }) => {
        headers.set('date', date);
        if (!isSandbox) headers.delete('sandbox-request-id');
      });
      return pathsOf(await judged.call(verifyOf.motor, { token: body.data.token }));
    };
    expect(await at('Sat, 31 Jan 2026 10:00:30 GMT', false)).toEqual([]);
    expect(await at('Sat, 31 Jan 2026 11:00:00 GMT', false)).toEqual([
      '$.data.created_at',
      '$.data.updated_at',
    ]);
    expect(await at('Sat, 31 Jan 2026 11:00:00 GMT', true)).toEqual([]);
  });
});

describe('pages', () => {
  const listWith = async (
    change: (data: Answer['body']) => void,
    input: unknown = { per_page: 3, page: 2 },
  ) => {
    const judged = judgedSandbox();
    judged.change(({ body }) => change(body.data));
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
  ])('do not add up with another %s', async (field, value) => {
    const paths = await listWith((data) => {
      data[field] = value;
    });
    expect(paths).toContain(`$.data.${field}`);
  });

  test('in another order are told', async () => {
    expect(await listWith((data) => data.data.reverse())).toContain('$.data.data');
  });

  test('may be of any host and under any path', async () => {
    const judged = judgedSandbox();
    judged.change((answer) => {
      answer.body = JSON.parse(
        JSON.stringify(answer.body).replaceAll(
          'http://service/',
          'https://api.provider.example/v1/',
        ),
      );
    });
    expect((await judged.call('listMicroHealthSubscriptions', { per_page: 3 })).lines).toEqual([]);
  });
});
