import type { Catalogue } from '../catalogue.ts';
import type { PendingReview } from '../family.ts';
import { reviewDetails } from '../pending-review.ts';
import { checkPurchase, createDetails, type KeptInput } from './purchase.ts';
import { widestInitiateRequest } from './requests.ts';
import type { GroupLifeDetails } from './state.ts';

/** Holds pending policies to the rules of initiate, with the forms of fields that any profile takes. */
export function createPendingReview(catalogue: Catalogue): PendingReview<GroupLifeDetails> {
  const { status: _status, ...shape } = widestInitiateRequest().shape;
  return {
    problemsOf: (details, initiatedAt) =>
      reviewDetails<KeptInput, GroupLifeDetails>(details, {
        shape,
        sent: { ...details },
        check: (input, malformed) => checkPurchase(catalogue, input, initiatedAt, malformed),
        keep: createDetails,
      }),
  };
}
