import type { Catalogue } from '../catalogue.ts';
import type { PendingReview, RecordProblem } from '../family.ts';
import { reviewDetails } from '../pending-review.ts';
import { checkPurchase, createDetails, type KeptInput } from './purchase.ts';
import { widestInitiateRequest } from './requests.ts';
import type { MotorState, PurchaseDetails } from './state.ts';

/**
 * Holds pending purchases to the rules of initiate, with the forms of fields that any profile takes, and the numbers
 * they were given to be theirs alone.
 */
export function createPendingReview(
  catalogue: Catalogue,
  { policies }: Pick<MotorState, 'policies'>,
): PendingReview<PurchaseDetails> {
  const {
    first_name: _first,
    last_name: _last,
    phone_number: _phone,
    email: _email,
    gender: _gender,
    tracker_value: _tracker,
    diagnostic_cost: _cost,
    ...shape
  } = widestInitiateRequest().shape;
  /** The numbers of the purchases reviewed, each with the place of the first that has it. */
  const given = new Map<string, number>();
  let place = 0;
  const numberProblems = (number: string): RecordProblem[] => {
    const path = ['policy_number'];
    if (!/^INS\d{13}$/.test(number)) return [{ path, message: 'must be INS and 13 digits.' }];
    const [policy, pending] = [policies.positionOf(number), given.get(number)];
    given.set(number, pending ?? place);
    const first =
      policy === undefined ? pending !== undefined && `pending.${pending}` : `policies.${policy}`;
    return first ? [{ path, message: `policy number ${number} is also that of ${first}` }] : [];
  };
  return {
    problemsOf: (details, initiatedAt) => {
      const { slug: _slug, end_date: _end, policy_number, vehicle_value, ...fields } = details;
      const problems = reviewDetails<KeptInput, PurchaseDetails>(details, {
        shape,
        sent: { ...fields, sum_insured: vehicle_value },
        check: (input) => checkPurchase(catalogue, input, initiatedAt),
        keep: (input) => createDetails(policy_number, input),
        places: { sum_insured: ['vehicle_value'] },
      });
      problems.push(...numberProblems(policy_number));
      place++;
      return problems;
    },
  };
}
