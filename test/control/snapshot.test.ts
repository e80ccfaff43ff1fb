import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { createClient, createDemoClient, everythingOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, familyKeys, initiate, purchaseOf } from '../support/requests.ts';
import { ownSystemTime } from '../support/timers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is broken freely
type Any = any;

/** A client whose World has something of everything, and its snapshot. */
async function createScene() {
  const client = createDemoClient();
  await initiate(client, 'group_life');
  client.merchant.clock.advance('PT20M');
  await initiate(client, 'motor');
  await initiate(client, 'motor');
  await buy(client, 'micro_health');
  client.merchant.faults.add({
    match: { operation: 'getMotorQuote' },
    stage: 'before',
    effect: { kind: 'drop' },
  });
  client.merchant.faults.add({ stage: 'after', effect: { kind: 'hang' }, probability: 0.1 });
  return { client, saved: client.merchant.snapshot() as Any };
}

describe('a snapshot', () => {
  test('is put back whole, over HTTP too', async () => {
    const { client, saved } = await createScene();
    const { sandbox, merchant } = client;
    merchant.reset();
    const answer = await control(sandbox, 'putSnapshot', { key: merchant.apiKey, body: saved });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.counts).toMatchObject({ pending: 2, faults: 2, exchanges: 5 });
    expect((await control(sandbox, 'getSnapshot', { key: merchant.apiKey })).body).toEqual(saved);
  });

  test('of a running clock goes on from the moment it was taken', () => {
    const systemTime = ownSystemTime();
    const { merchant } = createClient({ clock: 'running', now: '2030-01-01T00:00:00Z' });
    const saved = merchant.snapshot();
    merchant.clock.advance('P1Y');
    merchant.restore(saved);
    systemTime.pass(5000);
    expect(merchant.clock.show()).toEqual({ now: '2030-01-01T00:00:05.000Z', mode: 'running' });
  });

  test('keeps the numbers of pending motor policies from being given again', async () => {
    const client = createClient();
    const { chance } = (client.merchant.snapshot() as Any).world;
    const first = await client.call('initiateMotorPolicy', purchaseOf('motor'));
    const saved = client.merchant.snapshot() as Any;
    client.merchant.restore({ ...saved, world: { ...saved.world, chance } });
    const second = await client.call('initiateMotorPolicy', purchaseOf('motor'));
    expect(second.body.data.policy_number).not.toBe(first.body.data.policy_number);
  });

  test('shares nothing with the World, before or after', async () => {
    const { client, saved } = await createScene();
    const text = JSON.stringify(saved);
    client.merchant.restore(saved);
    await buy(client, 'group_life');
    client.merchant.clock.advance('PT1H');
    expect(JSON.stringify(saved)).toBe(text);
    client.merchant.restore(saved);
    saved.world.families.motor.records.policies.length = 0;
    saved.world.faults[0].times = 9;
    expect(JSON.stringify(client.merchant.snapshot())).toBe(text);
  });

  test('holds the bodies of calls, however deep they were nested', async () => {
    const client = createClient();
    await client.call('getMotorQuote', {}, { raw: `{"a":${'['.repeat(99)}${']'.repeat(99)}}` });
    const saved = client.merchant.snapshot();
    const { sandbox, merchant } = client;
    const answer = await control(sandbox, 'putSnapshot', { key: merchant.apiKey, body: saved });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['version: expected number, got nothing', () => ({})],
    ['the document: expected object, got []', () => []],
    [
      'version: this sandbox reads snapshots of version 1, not 2; take a new one.',
      (saved: Any) => ({ ...saved, version: 2 }),
    ],
    ['world: expected object, got nothing', ({ version }: Any) => ({ version })],
    [
      'the document: unknown "more"; known: version, world',
      (saved: Any) => ({ ...saved, more: 1 }),
    ],
  ])('that is none is refused: %s', async (message, spoil) => {
    const { client, saved } = await createScene();
    expect(() => client.merchant.restore(spoil(saved))).toThrow(message);
    expect(client.merchant.snapshot()).toEqual(saved);
  });

  const spoiled: Readonly<Record<string, (world: Any) => void>> = {
    'world.clock.now: expected a moment like': (world) => {
      world.clock.now = 'soon';
    },
    'world.clock.mode: expected "running" or "frozen", got "off"': (world) => {
      world.clock.mode = 'off';
    },
    'world: unknown "more"': (world) => {
      world.more = 1;
    },
    'world.chance.state: expected a number other than 0': (world) => {
      world.chance.state = [0, 0, 0, 0];
    },
    'world.chance.state: expected exactly 4 elements': (world) => {
      world.chance.state.pop();
    },
    'world.fault_chance.state.1: expected number, got "1"': (world) => {
      world.fault_chance.state[1] = '1';
    },
    'world.sequences.request: expected at least 5': (world) => {
      world.sequences.request = 4;
    },
    'world.sequences.fault: expected at least 2': (world) => {
      world.sequences.fault = 0;
    },
    'world.sequences.user: expected at least': (world) => {
      delete world.sequences.user;
    },
    'world.expired_tokens.0.1: expected': (world) => {
      world.expired_tokens[0][1] = 'pets';
    },
    'world.expired_tokens.1.0: "GLP': (world) => {
      world.expired_tokens.push(world.expired_tokens[0]);
    },
    'world.families.micro_health.used.1: "': (world) => {
      world.families.micro_health.used.push(world.families.micro_health.used[0]);
    },
    'world.assumed.1.0: "': (world) => {
      world.assumed[1][0] = world.assumed[0][0];
    },
    'world.journal.1.id: "req-1-5" is also that of journal.0': (world) => {
      world.journal[0].id = 'req-1-5';
      world.journal[1].id = 'req-1-5';
    },
    'world.journal.0.operation: there is no operation "pay"': (world) => {
      world.journal[0].operation = 'pay';
    },
    'world.faults.1.id: "fault-1" is also that of faults.0': (world) => {
      world.faults[1].id = 'fault-1';
    },
    'world.faults.0.match.operation: there is no operation "get"': (world) => {
      world.faults[0].match.operation = 'get';
    },
    'world.faults.0.effect.kind: expected': (world) => {
      world.faults[0].effect.kind = 'explode';
    },
    'world.journal.2.at: expected a moment like': (world) => {
      world.journal[2].at = 'then';
    },
    'world.journal.0.status: expected number, got "200"': (world) => {
      world.journal[0].status = '200';
    },
    'world.assumed.0.1: expected at least 1, got 0': (world) => {
      world.assumed[0][1] = 0;
    },
    [`world.products.1.family: expected ${familyKeys.join(', ')}; got "pets"`]: (world) => {
      world.products[1].family = 'pets';
    },
    'world.products.1.id: 1 is also that of products.0': (world) => {
      world.products[1].id = world.products[0].id;
    },
    'world.families: unknown "pets"': (world) => {
      world.families.pets = {};
    },
    'world.families.motor: expected object, got nothing': (world) => {
      delete world.families.motor;
    },
    'world.families.motor.pending.1.token:': (world) => {
      world.families.motor.pending[1].token = world.families.motor.pending[0].token;
    },
    'world.families.motor.pending.0.token:': (world) => {
      world.families.motor.used.push(world.families.motor.pending[0].token);
    },
    'world.families.motor.pending.0.initiated_at:': (world) => {
      world.families.motor.pending[0].initiated_at = '2027-01-01T00:00:00.000Z';
    },
    'world.families.motor.pending.0.details.vehicle_make: expected string, got nothing': (
      world,
    ) => {
      delete world.families.motor.pending[0].details.vehicle_make;
    },
    'world.families.motor.records.policies.0.product_id: product 99': (world) => {
      world.families.motor.records.policies[0].product_id = 99;
    },
    'world.families.micro_health.records.subscribers.0.policy_no:': (world) => {
      world.families.micro_health.records.subscribers[0].policy_no = 7;
    },
    'world.families.micro_health.records.subscribers.1.subscriptions.created_at': (world) => {
      world.families.micro_health.records.subscribers.reverse();
    },
  };

  test.each(Object.keys(spoiled))(
    'that is broken changes nothing and names the place: %s',
    async (place) => {
      const { client, saved } = await createScene();
      const { sandbox, merchant } = client;
      const broken = structuredClone(saved);
      spoiled[place]?.(broken.world);
      const answer = await control(sandbox, 'putSnapshot', { key: merchant.apiKey, body: broken });
      expect(answer.status).toBe(422);
      expect(answer.body.errors.join('\n')).toContain(place);
      expect(answer.body.detail).toBe(
        `The snapshot is broken, nothing was restored: ${answer.body.errors[0]}`,
      );
      expect(merchant.snapshot()).toEqual(saved);
    },
  );
});

describe('a World that is reset or replaced', () => {
  test.each(['reset', 'restore'] as const)(
    'lets calls under way finish in the World they began with: %s',
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
      expect(merchant.snapshot()).toEqual(fresh);
      expect((await client.call('verifyMotorPolicy', { token })).body.data.error).toEqual([
        'Invalid token',
      ]);
    },
  );

  test('starts a clock that stands still where it stood, also without a moment given', () => {
    const systemTime = ownSystemTime();
    const sandbox = createSandbox({ clock: 'frozen' });
    const merchants = [sandbox.merchant('sk_sandbox_other'), sandbox.createMerchant()];
    const before = merchants.map((merchant) => merchant.clock.show());
    systemTime.pass(3_600_000);
    for (const merchant of merchants) merchant.reset();
    expect(merchants.map((merchant) => merchant.clock.show())).toEqual(before);
  });

  test('is its own: reset_all resets every World and keeps minted merchants', async () => {
    const client = createClient();
    const { sandbox } = client;
    const fresh = everythingOf(sandbox);
    await buy(client, 'motor');
    await buy(client.as(sandbox.merchant('sk_sandbox_demo')), 'motor');
    const answer = await control(sandbox, 'resetAll');
    expect(answer.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
    expect(everythingOf(sandbox)).toEqual(fresh);
  });
});
