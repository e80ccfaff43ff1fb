import type { Endpoint } from '../api/endpoint.ts';
import { failure } from '../api/envelope.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies } from '../products/world.ts';

/*
 * What the examples of the control plane have in common. They tell one story: a merchant buys a policy,
 * and the response of its verify is lost. The policy is of the family whose expired token the contract shows.
 */

const isOfTheStory = ({ errors, envelope }: Endpoint): boolean =>
  errors.includes('token_expired') && envelope.integerCode;

const family = anyFamilies.find(({ operations }) => operations.some(isOfTheStory)) as ProductFamily;

/** The call that completes the purchase of the story. */
const verify = family.operations.find(isOfTheStory) as Endpoint;

/** What that call takes: the token of the purchase. */
const [purchase] = verify.input?.meta()?.examples ?? [];

export const EXAMPLE = {
  now: '2026-01-31T10:00:00.000Z',
  /** When the pending purchase is over. */
  later: '2026-01-31T10:15:00.000Z',
  familyKey: family.key,
  initiate: family.initiateOperation,
  verify: verify.operationId,
  verifyPath: verify.path,
  /** The beginning of what the API answers of a policy of the family. */
  policy: { id: 1, product_id: 2, policy_number: 'IN59810802' },
  token: (purchase as { readonly token: string }).token,
  /** The body of the refusal of a verify that comes too late. */
  expired: failure(verify.envelope, 400, ['Token has expired'], 'by-family'),
} as const;
