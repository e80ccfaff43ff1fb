import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Merchant } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { type FamilyKey, familyKeys, purchaseOf, verifyOf } from '../support/requests.ts';
import { rewindablePart } from '../support/snapshots.ts';
import { asKilled, newStateFile, openKept } from '../support/state.ts';

const worldOf = (merchant: Merchant) => rewindablePart(merchant.snapshot().world);

const lastId = ({ merchant }: Client): string => merchant.journal.list()[0]?.id as string;

/** Calls that change a World in every way. */
const step = fc.oneof(
  fc.constantFrom(...familyKeys).map((family) => ({ kind: 'initiate', family }) as const),
  fc.nat(9).map((place) => ({ kind: 'verify', place }) as const),
  fc.constantFrom('PT1M', 'PT10M', 'PT20M').map((by) => ({ kind: 'advance', by }) as const),
  fc.nat(9).map((place) => ({ kind: 'renew', place }) as const),
  fc.integer({ min: 1, max: 3 }).map((times) => ({ kind: 'fault', times }) as const),
  fc.constantFrom({ kind: 'clear' }, { kind: 'refused' }, { kind: 'list' } as const),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Takes a step, and collects the tokens of purchases. */
async function take(client: Client, tokens: (readonly [FamilyKey, string])[], each: Step) {
  const { merchant, call } = client;
  switch (each.kind) {
    case 'initiate': {
      const { body } = await call(
        `initiate${{ micro_health: 'MicroHealthSubscription', motor: 'MotorPolicy', group_life: 'GroupLifePolicy' }[each.family]}`,
        purchaseOf(each.family),
      );
      if (body.data) tokens.push([each.family, body.data.token]);
      return;
    }
    case 'verify': {
      const [family, token] = tokens[each.place] ?? ['motor', 'none'];
      await call(verifyOf[family], { token });
      return;
    }
    case 'renew': {
      const { data } = merchant.records({ family: 'micro_health' });
      const policy_no = data[each.place]?.policy_no;
      await call('topUpMicroHealthSubscription', { ...purchaseOf('micro_health'), policy_no });
      return;
    }
    case 'advance':
      merchant.clock.advance(each.by);
      return;
    case 'fault':
      merchant.faults.add({
        stage: 'before',
        effect: { kind: 'respond', status: 503 },
        times: each.times,
        probability: 0.5,
      });
      return;
    case 'clear':
      merchant.faults.clear();
      return;
    case 'refused':
      await call('initiateMotorPolicy', {});
      return;
    default:
      await call('listMotorPolicies');
  }
}

test('after any calls, every call can be rewound to, also in a restored snapshot and after a crash', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.array(step, { maxLength: 8 }),
      fc.nat(),
      async (steps, more, chosen) => {
        const file = newStateFile();
        const kept = await openKept(file);
        const { client } = kept;
        const { merchant } = client;
        const tokens: (readonly [FamilyKey, string])[] = [];
        const worlds = new Map<string, unknown>();
        for (const each of steps) {
          const before = worldOf(merchant);
          const calls = merchant.journal.list().length;
          await take(client, tokens, each);
          if (merchant.journal.list().length > calls) worlds.set(lastId(client), before);
        }
        const ids = [...worlds.keys()];
        const id = ids[chosen % ids.length];
        if (id === undefined) return;

        const other = client.as(client.sandbox.createMerchant());
        other.merchant.restore(merchant.snapshot());
        const expected = worlds.get(id);
        other.merchant.rewind(id);
        expect(worldOf(other.merchant)).toEqual(expected);
        merchant.rewind(id);
        expect(worldOf(merchant)).toEqual(expected);

        for (const each of more) await take(client, tokens, each);
        const killed = await openKept(asKilled(file));
        const { journal: _, history: __, values: now, ...rows } = worldOf(killed.client.merchant);
        const { journal: ___, history: ____, values: then, ...live } = worldOf(merchant);
        expect(JSON.stringify(rows)).toBe(JSON.stringify(live));
        expect(now).toEqual({ ...(then as object), steps: 0 });
      },
    ),
    runsOf({ sample: 30, ci: 200, all: 2000 }),
  );
});
