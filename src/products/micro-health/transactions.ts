import { amountText, nairaText } from '../../world/money.ts';
import { type Instant, timestamp } from '../../world/time.ts';
import { nextId } from '../../world/world.ts';
import { commissionsOf } from './pricing.ts';
import type { MicroHealthListedSubscription, MicroHealthTransaction } from './schemas.ts';
import type { MicroHealthWorld } from './state.ts';

/** The record of a premium paid for one period of a subscription. */
export function createTransaction(
  world: MicroHealthWorld,
  subscription: MicroHealthListedSubscription,
  amount: number,
  now: Instant,
): MicroHealthTransaction {
  const written = timestamp(now);
  const commissions = commissionsOf(world, subscription.product_id, amount);
  return {
    id: nextId(world, 'transaction'),
    user_id: subscription.user_id,
    amount: amountText(amount),
    product_id: subscription.product_id,
    status: 'successful',
    type: 'credit',
    subscriptions_id: subscription.id,
    merchant_user_id: world.merchant_id,
    created_at: written,
    updated_at: written,
    partner_commission: nairaText(commissions.partner),
    merchant_commission: nairaText(commissions.merchant),
    total_commission: nairaText(commissions.total),
  };
}
