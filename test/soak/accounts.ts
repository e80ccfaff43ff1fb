import { anyFamilies } from '../../src/products/world.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { tokenMessage } from '../../src/world/tokens.ts';
import { type FamilyKey, familyKeys } from '../support/requests.ts';
import type { Reply } from './http.ts';

/* What the clients of a merchant know about its World from the responses. */

export interface Policy {
  readonly family: FamilyKey;
  readonly number: string;
  /** The last look-up; undefined if the policy may have changed since. */
  shown: string | undefined;
  /** Whether a request that changes it is in progress. */
  isBusy: boolean;
}

export interface Account {
  readonly key: string;
  /** Tokens from initiate that are not sent yet. */
  readonly pending: Map<string, FamilyKey>;
  /** Tokens in a verify that is in progress. */
  readonly sent: Map<string, FamilyKey>;
  /** Tokens that were sent without a response that shows the outcome. */
  readonly doubtful: Map<string, FamilyKey>;
  readonly policies: Policy[];
  /** The number of policies by family whose response was lost. */
  readonly unseen: Record<FamilyKey, number>;
  renewals: number;
  /** Renewals without a response, which may or may not have happened. */
  doubtfulRenewals: number;
  /** The request ids of purchases. */
  readonly requestIds: Set<string>;
}

export const openAccount = (key: string): Account => ({
  key,
  pending: new Map(),
  sent: new Map(),
  doubtful: new Map(),
  policies: [],
  unseen: { micro_health: 0, motor: 0, group_life: 0 },
  renewals: 0,
  doubtfulRenewals: 0,
  requestIds: new Set(),
});

/** Records that a token is sent. */
export function noteSent({ pending, sent }: Account, token: string, family: FamilyKey): void {
  pending.delete(token);
  sent.set(token, family);
}

/** Records that the outcome of a token is unknown. */
export function noteDoubtful({ sent, doubtful }: Account, token: string): void {
  doubtful.set(token, sent.get(token) as FamilyKey);
  sent.delete(token);
}

/** Schedules tokens with an unknown outcome to be sent again. */
export function retryDoubtful({ pending, doubtful }: Account): void {
  for (const [token, family] of doubtful) pending.set(token, family);
  doubtful.clear();
}

const tokenUsed = tokenMessage('token_used', PUBLISHED);
const tokenExpired = tokenMessage('token_expired', PUBLISHED);

/** Records the response to verify. Returns the policy, if there is one. */
export function noteVerified(account: Account, token: string, reply: Reply): Policy | undefined {
  if (reply.fault !== undefined && (reply.status >= 500 || reply.body === undefined)) {
    noteDoubtful(account, token);
    return undefined;
  }
  const family = account.sent.get(token) as FamilyKey;
  account.sent.delete(token);
  if (reply.status === 200) {
    noteRequest(account, reply);
    const { policy_no, policy_number } = reply.body.data;
    const policy = { family, number: policy_no ?? policy_number, shown: undefined, isBusy: false };
    account.policies.push(policy);
    return policy;
  }
  if (reply.text.includes(tokenUsed)) account.unseen[family]++;
  else if (!reply.text.includes(tokenExpired)) {
    throw new Error(`The token ${token} of ${family} returned ${reply.status}: ${reply.text}`);
  }
  return undefined;
}

/** Records the request id of a purchase, which must be unique. */
export function noteRequest({ requestIds }: Account, { requestId }: Reply): void {
  if (requestId === undefined) throw new Error('A response has no request id');
  if (requestIds.has(requestId)) throw new Error(`${requestId} was used before`);
  requestIds.add(requestId);
}

interface SnapshotDocument {
  readonly world: Readonly<Record<string, readonly object[]>>;
}

/** Compares a World with its account. Returns a line for each difference. */
export function auditWorld(account: Account, { world }: SnapshotDocument): string[] {
  const wrong: string[] = [];
  for (const { key: family } of anyFamilies) {
    const records = world[`${family}.policies`] ?? [];
    const known = account.policies.filter((policy) => policy.family === family);
    const expected = known.length + account.unseen[family as FamilyKey];
    if (records.length !== expected) {
      wrong.push(`${account.key}: ${records.length} of ${family}, ${expected} were bought`);
    }
    const numbers = new Set(known.map(({ number }) => number));
    if (numbers.size !== known.length) wrong.push(`${account.key}: a number of ${family} twice`);
  }
  const subscribers = world['micro_health.policies'] as readonly {
    readonly transactions: readonly object[];
  }[];
  const paid = subscribers.reduce((sum, { transactions }) => sum + transactions.length, 0);
  const least = subscribers.length + account.renewals;
  if (paid < least || paid > least + account.doubtfulRenewals) {
    wrong.push(`${account.key}: ${paid} premiums, ${least} were paid`);
  }
  return wrong;
}

/** The number of known policies in all accounts. */
export const countPolicies = (accounts: readonly Account[]): number =>
  accounts.reduce(
    (sum, { policies, unseen }) =>
      sum + policies.length + familyKeys.reduce((more, family) => more + unseen[family], 0),
    0,
  );
