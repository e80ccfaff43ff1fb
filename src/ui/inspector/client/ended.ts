/* What ended when the page moved a clock: pending purchases that expired, and covers. */

import type { AdvancedClock, PendingPurchase } from '../../../public.ts';
import { answerOf, control } from './api.ts';
import { type PolicyRecord, readPart } from './policy.ts';
import { contract } from './store.ts';
import type { EndedByMove, EndedThing } from './timeline.ts';

/** How many are listed. Each policy is looked up for its holder. */
const MAX_LISTED = 20;

/** @param pending the pending purchases before the move */
export async function readEnded(
  { effects, more }: Pick<AdvancedClock, 'effects' | 'more'>,
  pending: readonly PendingPurchase[],
): Promise<EndedByMove> {
  const listed = effects.slice(0, MAX_LISTED);
  const things = await Promise.all(
    listed.map(async (effect): Promise<EndedThing> => {
      const at = Date.parse(effect.at);
      if (effect.kind === 'cover_ended') {
        const { family, policy_number: policy } = effect;
        return { at, family, policy, holder: await holderOf(family, policy) };
      }
      const purchase = pending.find(({ token }) => token === effect.token);
      const family = contract.families.find(({ initiate }) => initiate === effect.operation)?.key;
      return { at, family: family ?? '', policy: undefined, holder: purchase?.holder ?? '' };
    }),
  );
  return { things, more: more + effects.length - listed.length, isUnfolded: false };
}

async function holderOf(family: string, policy: string): Promise<string> {
  try {
    const query = { family, policy_number: policy, per_page: 1 };
    const { data } = await answerOf(control.records.$get({ query }));
    return String(readPart(data[0] as PolicyRecord | undefined, 'holder') ?? '');
  } catch {
    // The policy is named by its number alone.
    return '';
  }
}
