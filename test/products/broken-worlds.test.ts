import { describe, expect, test } from 'vitest';
import { builtInFixtures } from '../../src/products/fixtures.ts';
import { EXAMPLE_REQUEST as GROUP } from '../../src/products/group-life/examples.ts';
import { presentPolicy } from '../../src/products/group-life/policies.ts';
import * as groupLife from '../../src/products/group-life/purchase.ts';
import type { GroupLifeWorld } from '../../src/products/group-life/records.ts';
import { GroupLifeInitiateRequest } from '../../src/products/group-life/requests.ts';
import { EXAMPLE_REQUEST as COUPLE } from '../../src/products/micro-health/examples.ts';
import { presentSubscription } from '../../src/products/micro-health/policies.ts';
import * as microHealth from '../../src/products/micro-health/purchase.ts';
import type { MicroHealthWorld } from '../../src/products/micro-health/records.ts';
import { renewSubscription } from '../../src/products/micro-health/renewal.ts';
import { MicroHealthInitiateRequest } from '../../src/products/micro-health/requests.ts';
import { presentVerified } from '../../src/products/motor/policies.ts';
import * as motor from '../../src/products/motor/purchase.ts';
import type { MotorWorld } from '../../src/products/motor/records.ts';
import { createWorld, DEFAULT_SETTINGS } from '../../src/products/world.ts';
import { createTime } from '../../src/world/clock.ts';
import { rowsOf, transact } from '../../src/world/tables.ts';
import { REQUEST as CAR } from './motor/world.ts';

/*
 * No snapshot brings about such Worlds, and nothing should: but whatever a World holds, a call that fails over it
 * leaves it as it was.
 */

const NOW = Date.parse('2026-01-31T10:00:00Z');

type AnyWorld = MicroHealthWorld & MotorWorld & GroupLifeWorld;

const create = (): AnyWorld =>
  createWorld(
    builtInFixtures(),
    builtInFixtures(),
    { settings: DEFAULT_SETTINGS, time: createTime() },
    { merchantId: 1, clock: { mode: 'frozen', now: NOW }, seed: 7, since: NOW },
    { merchantId: 1 },
  ) as AnyWorld;

/** What may stand where something else should. */
const RUBBISH: readonly unknown[] = [undefined, null, Number.NaN, 1e300, -5, 99, 'x', {}, [null]];

/** The same with one thing in it replaced, for every field and every piece of rubbish; and rubbish instead of it. */
const brokenFormsOf = (whole: object): readonly unknown[] => [
  ...RUBBISH,
  ...Object.keys(whole).flatMap((key) => RUBBISH.map((rubbish) => ({ ...whole, [key]: rubbish }))),
];

/** Runs a call over a World, and if it throws holds the World against what it was. Answers whether it threw. */
function throwsTracelessly(world: AnyWorld, call: () => unknown): boolean {
  const before = [...rowsOf(world.tables)];
  try {
    transact(world, call);
    return false;
  } catch {
    expect([...rowsOf(world.tables)]).toEqual(before);
    return true;
  }
}

interface Purchase {
  initiate(world: AnyWorld): string;
  verify(world: AnyWorld, token: string): unknown;
}

const purchases: Readonly<Record<'micro_health' | 'motor' | 'group_life', Purchase>> = {
  micro_health: {
    initiate: (world) =>
      microHealth.initiatePurchase(world, MicroHealthInitiateRequest.parse(COUPLE), NOW),
    verify: (world, token) =>
      presentSubscription(world, microHealth.verifyPurchase(world, token, NOW).subscriptions),
  },
  motor: {
    initiate: (world) => motor.initiatePurchase(world, CAR, NOW).token,
    verify: (world, token) => presentVerified(motor.verifyPurchase(world, token, NOW)),
  },
  group_life: {
    initiate: (world) =>
      groupLife.initiatePurchase(world, GroupLifeInitiateRequest.parse(GROUP), NOW),
    verify: (world, token) => presentPolicy(world, groupLife.verifyPurchase(world, token, NOW)),
  },
};

describe.each(Object.entries(purchases))('%s', (key, { initiate, verify }) => {
  test('leaves a World as it was where verify fails over what a purchase holds', () => {
    const world = create();
    const token = initiate(world);
    const { pending } = world[key as keyof typeof purchases].tokens;
    const details = pending.get(token)?.details ?? {};
    const thrown = brokenFormsOf(details).filter((broken) => {
      const other = create();
      initiate(other);
      // In place, as no rule does it: a table that is given such a purchase can't find it by its number.
      Object.assign(other[key as keyof typeof purchases].tokens.pending.get(token) ?? {}, {
        details: broken,
      });
      return throwsTracelessly(other, () => verify(other, token));
    });
    expect(thrown.length).toBeGreaterThan(0);
  });
});

test('a World is left as it was where top_up fails over what a subscription holds', () => {
  const world = create();
  const [subscriber] = world.micro_health.subscribers.list;
  if (!subscriber) throw new Error('The demo merchant has no subscriber');
  const { subscriptions } = subscriber;
  const broken = [
    ...brokenFormsOf(subscriber),
    ...brokenFormsOf(subscriptions).map((each) => ({ ...subscriber, subscriptions: each })),
  ];
  const thrown = broken.filter((each) => {
    const copy = create();
    if (typeof each !== 'object' || each === null) return false;
    copy.micro_health.subscribers.load(subscriber.policy_no, each as never);
    return throwsTracelessly(copy, () => {
      const renewed = renewSubscription(
        copy,
        {
          policy_no: subscriber.policy_no,
          subscription_type: subscriptions.subscriptions_type,
          amount: Number(subscriber.transactions[0]?.amount),
        },
        NOW,
      );
      return presentSubscription(copy, renewed);
    });
  });
  expect(thrown.length).toBeGreaterThan(0);
});
