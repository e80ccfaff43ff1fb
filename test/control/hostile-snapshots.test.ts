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
