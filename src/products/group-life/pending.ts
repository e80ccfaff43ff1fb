import type { Catalogue } from '../catalogue.ts';
import type { PendingReview } from '../family.ts';
import { reviewDetails } from '../pending-review.ts';
import { checkPurchase, createDetails, type KeptInput } from './purchase.ts';
import { GroupLifeInitiateRequest } from './requests.ts';
import type { GroupLifeDetails } from './state.ts';

const { status: _status, ...shape } = GroupLifeInitiateRequest.shape;

/** Holds pending policies to the rules of initiate. */
export const createPendingReview = (catalogue: Catalogue): PendingReview<GroupLifeDetails> => ({
  problemsOf: (details, initiatedAt) =>
    reviewDetails<KeptInput, GroupLifeDetails>(details, {
      shape,
      sent: { ...details },
      check: (input, malformed) => checkPurchase(catalogue, input, initiatedAt, malformed),
      keep: createDetails,
    }),
});
