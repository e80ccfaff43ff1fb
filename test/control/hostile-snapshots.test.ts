import { describe, expect, test } from 'vitest';
import { createClient, createDemoClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is broken freely
type Any = any;

/** A World with a pending purchase of each family and a policy of each, and its snapshot. */
async function createScene() {
  const client = createDemoClient();
  for (const family of familyKeys) {
    await buy(client, family);
    await initiate(client, family);
  }
  const saved = client.merchant.snapshot() as Any;
  const put = (body: unknown) =>
    control(client.sandbox, 'putSnapshot', { key: client.merchant.apiKey, body });
  return { client, saved, put };
}

describe('a pending purchase of a snapshot is held to the rules of initiate', () => {
  const spoiled: Readonly<Record<string, (families: Any) => void>> = {
    'micro_health.pending.0.details.product_id': ({ micro_health }) => {
      micro_health.pending[0].details.product_id = 99;
    },
    'motor.pending.0.details.product_id': ({ motor }) => {
      motor.pending[0].details.product_id = 1;
    },
    'group_life.pending.0.details.product_id': ({ group_life }) => {
      group_life.pending[0].details.product_id = 4;
    },
    'micro_health.pending.0.details.date_of_birth': ({ micro_health }) => {
      micro_health.pending[0].details.date_of_birth = '';
    },
    'group_life.pending.0.details.dob': ({ group_life }) => {
      group_life.pending[0].details.dob = '2026-02-30';
    },
    'group_life.pending.0.details.members.0.date_of_birth': ({ group_life }) => {
      group_life.pending[0].details.members[0].date_of_birth = '2030-01-01';
    },
    'micro_health.pending.0.details.amount': ({ micro_health }) => {
      micro_health.pending[0].details.amount = -5;
    },
    'motor.pending.0.details.vehicle_value': ({ motor }) => {
      motor.pending[0].details.vehicle_value = 1e300;
    },
    'micro_health.pending.0.details.': ({ micro_health }) => {
      micro_health.pending[0].details.beneficiaries = Array(50).fill('Ada Obi');
    },
    'micro_health.pending.0.details.phone_no': ({ micro_health }) => {
      micro_health.pending[0].details.phone_no = 'x';
    },
    'group_life.pending.0.details.email': ({ group_life }) => {
      group_life.pending[0].details.email = 'x';
    },
    'motor.pending.0.details.policy_number': ({ motor }) => {
      motor.pending[0].details.policy_number = motor.records.policies[0].policy_number;
    },
    'motor.pending.1.details.policy_number': ({ motor }) => {
      motor.pending.push({ ...motor.pending[0], token: 'CMP1' });
    },
    'motor.pending.0.token': ({ motor }) => {
      motor.pending[0].token = '';
    },
  };

  test.each(Object.keys(spoiled))('%s', async (place) => {
    const { client, saved, put } = await createScene();
    const broken = structuredClone(saved);
    spoiled[place]?.(broken.world.families);
    const answer = await put(broken);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.join('\n')).toContain(`world.families.${place}`);
    expect(client.merchant.snapshot()).toEqual(saved);
  });
});

describe('a snapshot that would break the World later', () => {
  test.each([
    ['sequences.user', 2 ** 53 - 1],
    ['sequences.request', 2 ** 53 - 1],
    ['merchant_id', 2 ** 53 - 1],
  ])('is refused: %s = %s', async (place, value) => {
    const { saved, put } = await createScene();
    const [part, name] = place.split('.') as [string, string | undefined];
    if (name === undefined) saved.world[part] = value;
    else saved.world[part][name] = value;
    const answer = await put(saved);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain(`world.${place}: expected at most`);
  });

  test('is refused where it names a sequence there is not', async () => {
    const { saved, put } = await createScene();
    saved.world.sequences.x = 1;
    expect((await put(saved)).body.detail).toContain('world.sequences: unknown "x"');
  });

  test.each([
    ['45,000 pending purchases', ({ families }: Any) => families.motor.pending, 45_000],
    ['1,000 journal entries', ({ journal }: Any) => journal, 1000],
    ['1,000 faults', ({ faults }: Any) => faults, 1000],
    ['300,000 used tokens', ({ families }: Any) => families.group_life.used, 300_000],
  ])('is refused with at most fifty problems told: %s of nothing', async (_, listIn, count) => {
    const { client, saved, put } = await createScene();
    const broken = structuredClone(saved);
    listIn(broken.world).splice(0, Number.POSITIVE_INFINITY, ...Array(1000).fill({}));
    const list = listIn(broken.world);
    while (list.length < count) list.push({});
    const answer = await put(broken);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveLength(50);
    expect(client.merchant.snapshot()).toEqual(saved);
  });

  test.each([
    ['journal', 1001],
    ['faults', 1001],
    ['expired_tokens', 10_001],
  ])('is refused where its %s is longer than a World lets it become', async (list, count) => {
    const { saved, put } = await createScene();
    saved.world[list] = Array(count).fill({});
    expect((await put(saved)).body.errors).toEqual([
      expect.stringContaining(`world.${list}: expected at most ${count - 1} elements`),
    ]);
  });

  test('is refused, in a text that is no JSON, no UTF-8, or nested too deep', async () => {
    const { client, saved } = await createScene();
    const { sandbox, merchant } = client;
    for (const [body, detail] of [
      ['{"version":1,', 'must be valid JSON'],
      ['{"version":1,"world":{"a":x}}', 'must be valid JSON'],
      [`{"version":1,"world":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested deeper than 150'],
      [new Uint8Array([0x22, 0xff, 0x22]), 'UTF-8'],
      ['', 'must be valid JSON'],
    ] as const) {
      const answer = await sandbox.fetch(
        new Request('http://sandbox/_sandbox/snapshot', {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${merchant.apiKey}`,
            'content-type': 'application/json',
          },
          body,
        }),
      );
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as Any).detail).toContain(detail);
    }
    expect(merchant.snapshot()).toEqual(saved);
  });
});

describe('two hundred calls at once', () => {
  test.each(familyKeys)('that verify one %s purchase make one policy', async (family) => {
    const client = createClient();
    const token = await initiate(client, family);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => client.call(verifyOf[family], { token })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(199);
    expect(client.merchant.show().counts[family]).toBe(1);
  });

  test('that verify as many purchases make as many policies, no number twice', async () => {
    const client = createClient();
    const bought = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const initiated = await client.call('initiateMotorPolicy', purchaseOf('motor'));
        const { token } = initiated.body.data;
        return (await client.call(verifyOf.motor, { token })).body.data;
      }),
    );
    expect(new Set(bought.map(({ policy_number }) => policy_number)).size).toBe(200);
    expect(new Set(bought.map(({ id }) => id)).size).toBe(200);
  });
});
