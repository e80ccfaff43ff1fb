import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Snapshot } from '../../src/index.ts';
import {
  type Client,
  createClient,
  createDemoClient,
  everythingOf,
  lists,
} from '../support/client.ts';
import { control } from '../support/control.ts';
import {
  buy,
  exampleOf,
  type FamilyKey,
  familyKeys,
  initiate,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { callsIn, withoutEvents } from '../support/snapshots.ts';
import { ownSystemTime } from '../support/timers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is broken freely
type Any = any;

/** A client whose World has every kind of content, and its snapshot. */
async function createScene() {
  const client = createDemoClient();
  const { sandbox, merchant } = client;
  await initiate(client, 'group_life');
  merchant.clock.advance('PT20M');
  for (const family of familyKeys) await initiate(client, family);
  await initiate(client, 'motor');
  await buy(client, 'micro_health');
  const match = { operation: 'getMotorQuote' } as const;
  merchant.faults.add({ match, stage: 'before', effect: { kind: 'drop' } });
  merchant.faults.add({ stage: 'after', effect: { kind: 'hang' }, probability: 0.1 });
  const put = (body: unknown) => control(sandbox, 'putSnapshot', { key: merchant.apiKey, body });
  return { client, merchant, put, saved: merchant.snapshot() as Any };
}

describe('a snapshot', () => {
  test('of a running clock continues from the moment it was taken', () => {
    const systemTime = ownSystemTime();
    const { merchant } = createClient({ clock: 'running', now: '2030-01-01T00:00:00Z' });
    const saved = merchant.snapshot();
    merchant.clock.advance('P1Y');
    merchant.restore(saved);
    systemTime.pass(5000);
    expect(merchant.clock.show()).toEqual({ now: '2030-01-01T00:00:05.000Z', mode: 'running' });
  });

  test('keeps the numbers of pending motor policies reserved', async () => {
    const client = createClient();
    const { random } = (client.merchant.snapshot() as Any).world.values;
    const first = await client.call('initiateMotorPolicy', purchaseOf('motor'));
    const saved = client.merchant.snapshot() as Any;
    const values = { ...saved.world.values, random };
    client.merchant.restore({ ...saved, world: { ...saved.world, values } });
    const second = await client.call('initiateMotorPolicy', purchaseOf('motor'));
    expect(second.body.data.policy_number).not.toBe(first.body.data.policy_number);
  });

  test('that counts fewer requests than its journal has gives no id twice', async () => {
    const client = createClient();
    await buy(client, 'motor');
    const saved = client.merchant.snapshot() as Any;
    const values = { ...saved.world.values, requests: 0 };
    client.merchant.restore({ ...saved, world: { ...saved.world, values } });
    await buy(client, 'motor');
    const ids = client.merchant.journal.list().map(({ id }) => id);
    expect(ids).toEqual(['req-3-4', 'req-3-3', 'req-3-2', 'req-3-1']);
  });

  test('is restored completely and shares nothing with the World', async () => {
    const { client, merchant, saved } = await createScene();
    const text = JSON.stringify(saved);
    merchant.restore(saved);
    await buy(client, 'group_life');
    merchant.clock.advance('PT1H');
    expect(JSON.stringify(saved)).toBe(text);
    merchant.restore(saved);
    saved.world['motor.policies'].length = 0;
    saved.world.faults[0].times = 9;
    const restored = JSON.stringify(withoutEvents(merchant.snapshot()));
    expect(restored).toBe(JSON.stringify(withoutEvents(JSON.parse(text))));
  });

  test('is put back with the same bytes in every answer, whatever the order of its keys', async () => {
    const { client, merchant, saved } = await createScene();
    const answers = async () => {
      const texts = [JSON.stringify(withoutEvents(merchant.snapshot()))];
      for (const { operationId } of lists) texts.push((await client.call(operationId)).text);
      for (const family of familyKeys) texts.push(JSON.stringify(merchant.records({ family })));
      return texts;
    };
    const before = await answers();
    merchant.restore(saved);
    expect(await answers()).toEqual(before);
    // As a program writes it that sorts keys.
    const policies = saved.world['motor.policies'].map((policy: Any) =>
      Object.fromEntries(Object.entries(policy).toSorted()),
    );
    merchant.restore({ ...saved, world: { ...saved.world, 'motor.policies': policies } });
    expect(await answers()).toEqual(before);
  });

  test('of another merchant keeps its calls, and later calls have ids of their own', async () => {
    const one = createClient();
    const other = one.as(one.sandbox.createMerchant());
    for (let calls = 0; calls < 3; calls++) await one.call('listMotorPolicies');
    for (let calls = 0; calls < 5; calls++) await other.call('listMotorPolicies');
    other.merchant.restore(one.merchant.snapshot());
    await one.call('listMotorPolicies');
    const { headers } = await other.call('listMotorPolicies');
    expect(headers.get('sandbox-request-id')).toBe('req-4-6');
    const idsOf = ({ merchant }: Client) => merchant.journal.list().map(({ id }) => id);
    expect(idsOf(one)).toEqual(['req-3-4', 'req-3-3', 'req-3-2', 'req-3-1']);
    expect(idsOf(other)).toEqual(['req-4-6', 'req-3-3', 'req-3-2', 'req-3-1']);
    one.merchant.restore(other.merchant.snapshot());
    const again = await one.call('listMotorPolicies');
    expect(again.headers.get('sandbox-request-id')).toBe('req-3-7');
    expect(new Set(idsOf(one)).size).toBe(5);
  });

  test('contains bodies of calls with any depth of nesting', async () => {
    const client = createDemoClient();
    await client.call('getMotorQuote', {}, { raw: `{"a":${'['.repeat(99)}${']'.repeat(99)}}` });
    const { apiKey: key } = client.merchant;
    const body = client.merchant.snapshot();
    expect((await control(client.sandbox, 'putSnapshot', { key, body })).status).toBe(200);
  });
});

/** The values of a table, changed. */
const rekeyed = (table: Any, change: () => unknown) =>
  Object.fromEntries(Object.keys(table).map((key) => [key, change()]));

const withDetails = (pending: Any, changes: object) =>
  Object.fromEntries(
    Object.entries<Any>(pending).map(([token, { details, ...purchase }]) => [
      token,
      { ...purchase, details: { ...details, ...changes } },
    ]),
  );

/** A place as keys. The names of the families' tables have a dot. */
const keysOf = (path: string): string[] =>
  path
    .replace(/^world\.(micro_health|motor|group_life)\./, 'world.$1 ')
    .split('.')
    .map((key) => key.replace(' ', '.'));

test.each([1, 3])('a snapshot of version %d is refused with that version', async (version) => {
  const { sandbox, merchant } = createClient();
  const body = { version, world: { merchant_id: 3 } };
  const refused = await control(sandbox, 'putSnapshot', { key: merchant.apiKey, body });
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    `version: this sandbox reads snapshots of version 2, not ${version}. Take a new snapshot.`,
  ]);
});

describe('an invalid snapshot', () => {
  // Refused calls change nothing, so one World is enough.
  let scene: Awaited<ReturnType<typeof createScene>>;
  beforeAll(async () => {
    scene = await createScene();
  });

  test.each<[path: string, problem: string, value: unknown]>([
    ['world', ': unknown "more"', (world: Any) => ({ ...world, more: 1 })],
    ['world', ': unknown "pets.pending"', (world: Any) => ({ ...world, 'pets.pending': {} })],
    ['world.values.clock.at', ': expected a number, got "soon"', 'soon'],
    ['world.values.clock.at', ': expected a time within the range of clocks', -1],
    ['world.values.clock.mode', ': expected "running" or "frozen", got "off"', 'off'],
    ['world.values.clock', ': is missing', undefined],
    ['world.values.time', ': is unknown', 1769853600000],
    ['world.values.mood', ': is unknown', 'fine'],
    ['world.values.random', ': expected a number other than 0', [0, 0, 0, 0]],
    ['world.values.random', ': expected exactly 4 elements', [1, 2, 3]],
    ['world.values.fault_random.1', ': expected a number, got "1"', '1'],
    ['world.values.merchant_id', ': expected at most', 2 ** 53 - 1],
    ['world.values.requests', ': expected at most', 2 ** 53 - 1],
    ['world.sequences.user', ': expected at most 1000000000000000, got 9', 2 ** 53 - 1],
    ['world.sequences.pets', ': is unknown', 1],
    ['world.expired', '.GLP', (world: Any) => rekeyed(world.expired, () => 'pets')],
    [
      'world.expired',
      ': expected at most 10000 elements',
      Object.fromEntries(Array.from({ length: 10_001 }, (_, place) => [`t${place}`, 'motor'])),
    ],
    [
      'world.assumed',
      ': expected at least 1, got 0',
      (world: Any) => rekeyed(world.assumed, () => 0),
    ],
    ['world.journal', ': expected at most 2000 elements', Array(2001).fill({})],
    [
      'world.journal',
      '.1: "req-1-1" is already used by world.journal.0',
      ({ journal }: Any) => {
        const [first, second, ...rest] = callsIn(journal);
        return [first, { ...second, id: first?.id }, ...rest];
      },
    ],
    ['world.journal.0.status', ': expected a number, got "200"', '200'],
    ['world.journal.2.at', ': expected a time like', 'then'],
    ['world.faults', ': expected at most 1000 elements', Array(1001).fill({})],
    [
      'world.faults',
      '.1: "fault-1" is already used by world.faults.0',
      ({ faults: [first, second] }: Any) => [first, { ...second, id: 'fault-1' }],
    ],
    ['world.faults.0.effect.kind', ': expected', 'explode'],
    ['world.values.price_list', ': is missing', undefined],
    [
      'world.values.price_list.products.1.id',
      ': 1 is already used by products.0',
      ({ values }: Any) => values.price_list.products[0].id,
    ],
    ['world.values.price_list.prices.motor.premium_rates.0.product_id', ': product 99', 99],
    ['world.motor.policies', ': expected an array, got nothing', undefined],
    ['world.motor.pending', ': expected an object, got [7]', [7]],
    [
      'world.motor.policies',
      '.1: "INS',
      (world: Any) => [world['motor.policies'][0], ...world['motor.policies']],
    ],
    [
      'world.motor.pending',
      '.details.vehicle_make: expected a string, got',
      (world: Any) => withDetails(world['motor.pending'], { vehicle_make: undefined }),
    ],
    [
      'world.motor.pending',
      '.details.product_id: product 99 is not',
      (world: Any) => withDetails(world['motor.pending'], { product_id: 99 }),
    ],
    ['world.motor.policies.0.product_id', ': product 99', 99],
  ])('is refused with its place and changes nothing: %s%s', async (path, problem, value) => {
    const { merchant, put, saved } = scene;
    const broken = structuredClone(saved);
    const keys = keysOf(path);
    const holder = keys.slice(0, -1).reduce((each, key) => each[key], broken);
    holder[keys.at(-1) as string] = typeof value === 'function' ? value(broken.world) : value;
    const { status, body } = await put(broken);
    expect(status).toBe(422);
    expect(body.detail).toContain(`Invalid snapshot, nothing was restored: ${path}`);
    expect(body.detail).toContain(problem);
    expect(merchant.snapshot()).toEqual(saved);
  });
});

describe('a reset or a restore', () => {
  test.each(['reset', 'restore'] as const)(
    'lets running calls finish in their old World: %s',
    async (how) => {
      const client = createClient();
      const { merchant } = client;
      const fresh = merchant.snapshot();
      const token = await initiate(client, 'motor');
      const headers = { 'sandbox-fault': 'before; delay; ms=20' };
      const under = client.call('verifyMotorPolicy', { token }, { headers });
      await new Promise((resolve) => setImmediate(resolve));
      if (how === 'reset') merchant.reset();
      else merchant.restore(fresh);
      expect((await under).status).toBe(200);
      expect(withoutEvents(merchant.snapshot())).toEqual(withoutEvents(fresh));
      const { body } = await client.call('verifyMotorPolicy', { token });
      expect(body.data.error).toEqual(['Invalid token']);
    },
  );

  test('sets a frozen clock to its start, even without a given time', () => {
    const systemTime = ownSystemTime();
    const sandbox = createSandbox({ clock: 'frozen' });
    const merchants = [sandbox.merchant('sk_sandbox_other'), sandbox.createMerchant()];
    const before = merchants.map((merchant) => merchant.clock.show());
    systemTime.pass(3_600_000);
    for (const merchant of merchants) merchant.reset();
    expect(merchants.map((merchant) => merchant.clock.show())).toEqual(before);
  });

  test('of all Worlds keeps created merchants', async () => {
    const client = createClient();
    const { sandbox } = client;
    const fresh = everythingOf(sandbox);
    await buy(client, 'motor');
    await buy(client.as(sandbox.merchant('sk_sandbox_demo')), 'motor');
    const { body } = await control(sandbox, 'resetAll');
    expect(body.data).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(everythingOf(sandbox)).toEqual(fresh);
  });
});

test('200 concurrent purchases create 200 policies with unique numbers', async () => {
  const client = createClient();
  const bought = await Promise.all(Array.from({ length: 200 }, () => buy(client, 'motor')));
  expect(new Set(bought.map(({ policy_number }) => policy_number)).size).toBe(200);
  expect(new Set(bought.map(({ id }) => id)).size).toBe(200);
});

const MAX_BYTES = 64 * 1024 * 1024;

test('a snapshot shows the moment of its request, even if the World changes while it is read', async () => {
  const client = createDemoClient();
  const { sandbox, merchant } = client;
  for (const family of familyKeys) await buy(client, family);
  const { policy_no } = await buy(client, 'micro_health');
  const token = await initiate(client, 'motor');
  merchant.faults.add({ stage: 'after', effect: { kind: 'drop' }, probability: 0 });
  const before = merchant.snapshot();
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const answer = await sandbox.fetch('/_sandbox/snapshot', { headers });
  await client.call('verifyMotorPolicy', { token });
  for (const family of familyKeys) await initiate(client, family);
  const renewal = exampleOf('topUpMicroHealthSubscription', { policy_no });
  expect((await client.call('topUpMicroHealthSubscription', renewal)).status).toBe(200);
  merchant.faults.clear();
  merchant.clock.advance('P1D');
  merchant.journal.clear();
  expect(await answer.json()).toEqual(before);
  expect(merchant.snapshot()).not.toEqual(before);
});

test.each([
  ['before any of it is read where it says how large it is', MAX_BYTES + 1, 2],
  ['once that much of it was read where it does not say', undefined, 70],
])('a snapshot over 64 MiB gets 413 %s', async (_, length, mostPieces) => {
  const { merchant, sandbox } = createDemoClient();
  const saved = merchant.snapshot();
  const piece = new Uint8Array(1024 * 1024).fill(0x20);
  let pieces = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      controller.enqueue(piece);
    },
  });
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    'content-type': 'application/json',
    ...(length !== undefined && { 'content-length': String(length) }),
  };
  const init = { method: 'PUT', headers, body, duplex: 'half' } as const;
  const answer = await sandbox.fetch('/_sandbox/snapshot', init);
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    detail: 'The request body must not be larger than 64 MiB.',
  });
  expect(pieces).toBeLessThan(mostPieces);
  expect(merchant.snapshot()).toEqual(saved);
});

const profile = {
  version: 1,
  decisions: { 'phone-digits': 'any', 'motor-images': 'any', 'frequency-words': 'any-case' },
};

const [MEMBER] = purchaseOf('group_life').members as object[];

/** Values that are refused without the profile, by family. */
const LOOSE: Readonly<Partial<Record<FamilyKey, Record<string, unknown>>>> = {
  micro_health: { phone_no: '+2348031234567', id_url: 'id.png', subscription_type: 'MONTHLY' },
  group_life: {
    phone_no: '0803123',
    first_person_phone: '0803124',
    second_person_phone: '+0803125',
    members: [{ ...MEMBER, phone_number: '0803126' }],
  },
  motor: { engine_img: 'engine.png', frequency_type: 'Annual' },
};

test.each(familyKeys)(
  'a %s purchase that a profile let in is put back whole, and goes on without the profile',
  async (family) => {
    const before = createClient({ profile });
    await buy(before, family, LOOSE[family]);
    const token = await initiate(before, family, LOOSE[family]);
    const saved = before.merchant.snapshot();
    for (const client of [createClient({ profile }), createClient()]) {
      client.merchant.restore(saved);
      expect(withoutEvents(client.merchant.snapshot())).toEqual(withoutEvents(saved));
      expect((await client.call(verifyOf[family], { token })).status).toBe(200);
    }
  },
);

test('the snapshot of a copied World has the same bytes, whatever its merchant is named', async () => {
  const sandbox = createSandbox({ clock: 'frozen' });
  const [ada, bo] = ['Ada', 'Bo'].map((name) => sandbox.createMerchant({ name }));
  await ada?.call('listMotorPolicies');
  const saved = ada?.snapshot() as Snapshot;
  bo?.restore(saved);
  const [one, other] = [saved, bo?.snapshot() as Snapshot].map(withoutEvents);
  expect(JSON.stringify(other)).toBe(JSON.stringify(one));
});
