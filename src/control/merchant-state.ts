import { z } from '@hono/zod-openapi';
import { type FamilyKey, families } from '../products/index.ts';
import { anyFamilies, settledNow, stateOf } from '../products/world.ts';
import { countEntries } from '../world/journal.ts';
import { Clock, showClock } from './clock.ts';
import { EXAMPLE } from './fields.ts';
import type { MerchantAccount } from './merchant-store.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const policyCounts = Object.fromEntries(
  families.map(({ key, tag }) => [key, count(`${tag} policies.`)]),
) as Record<FamilyKey, ReturnType<typeof count>>;

const MerchantCounts = z
  .strictObject({
    ...policyCounts,
    pending: count('Purchases that were initiated and not yet verified.'),
    faults: count('Fault rules that will still act.'),
    exchanges: count('Entries of the journal.'),
  })
  .openapi('MerchantCounts')
  .meta({ description: 'How much a World holds.' });
type MerchantCounts = z.output<typeof MerchantCounts>;

export const MerchantState = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    api_key: z.string(),
    clock: Clock,
    counts: MerchantCounts,
  })
  .openapi('Merchant')
  .meta({
    description: 'A merchant, its key and its World at a glance.',
    examples: [
      {
        id: 3,
        name: 'Worker 3',
        api_key: 'sk_sandbox_6fd1c0a84be2937f5a8c1d0e94b7f263',
        clock: { now: EXAMPLE.now, mode: 'frozen' },
        counts: {
          ...Object.fromEntries(anyFamilies.map(({ key }) => [key, 0])),
          [EXAMPLE.familyKey]: 1,
          pending: 0,
          faults: 0,
          exchanges: 2,
        },
      },
    ],
  });
export type MerchantState = z.output<typeof MerchantState>;

/** A merchant, its key and its World at a glance. */
export function showMerchant({ id, name, api_key, world }: MerchantAccount): MerchantState {
  settledNow(world);
  const policies: Record<string, number> = {};
  let pending = 0;
  for (const family of anyFamilies) {
    const state = stateOf(world, family);
    policies[family.key] = family.policiesOf(state).list.length;
    pending += state.tokens.pending.size;
  }
  const counts: MerchantCounts = {
    ...(policies as Record<FamilyKey, number>),
    pending,
    faults: world.faults.size,
    exchanges: countEntries(world.journal),
  };
  return { id, name, api_key, clock: showClock(world), counts };
}
