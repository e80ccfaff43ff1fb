import type { Catalogue } from '../catalogue.ts';
import type { PendingReview } from '../family.ts';
import { reviewDetails } from '../pending-review.ts';
import { checkPurchase, createDetails, type KeptInput } from './purchase.ts';
import { BENEFICIARY_FIELDS, widestInitiateRequest } from './requests.ts';
import type { MicroHealthState, SubscriptionDetails } from './state.ts';

/** The fields of a request that name beneficiaries, in the places where the details keep the names. */
const places = Object.fromEntries(
  BENEFICIARY_FIELDS.map((field, place) => [field, ['beneficiaries', place]]),
);

/**
 * Holds pending subscriptions to the rules of initiate. Whether an amount was compared with the premium
 * (`amount-check`), and which forms its fields have, is a setting of the sandbox that initiated, not of the one
 * that reads.
 */
export function createPendingReview(
  { products }: Catalogue,
  micro_health: Pick<MicroHealthState, 'prices'>,
): PendingReview<SubscriptionDetails> {
  const {
    nin_number: _nin,
    id_url: _id,
    profile_url: _profile,
    ...shape
  } = widestInitiateRequest().shape;
  const scope = { products, micro_health, settings: { amountCheck: 'ignore' } } as const;
  return {
    problemsOf: (details, initiatedAt) => {
      const { beneficiaries, ...fields } = details;
      const names = beneficiaries.map((name, place) => [BENEFICIARY_FIELDS[place], name]);
      return reviewDetails<KeptInput, SubscriptionDetails>(details, {
        shape,
        sent: { ...fields, ...Object.fromEntries(names) },
        check: (input, malformed) => checkPurchase(scope, input, initiatedAt, malformed),
        keep: createDetails,
        places,
      });
    },
  };
}
