import { anyFamilies } from '../../src/products/world.ts';
import { SHARED_SETTINGS } from '../../src/world/settings.ts';
import { type FamilyKey, familyKeys } from '../support/requests.ts';
import type { Reply } from './http.ts';

/* What the clients of a merchant know of its World, by what they were answered. */

export interface Policy {
  readonly family: FamilyKey;
  readonly number: string;
  /** How it was shown last; undefined while it may look otherwise by now. */
  shown: string | undefined;
  /** Whether a call is under way that changes it. */
  isBusy: boolean;
}

export interface Account {
  readonly key: string;
  /** Tokens that initiate answered and nobody has sent yet. */
  readonly pending: Map<string, FamilyKey>;
  /** Tokens that are on their way. */
  readonly sent: Map<string, FamilyKey>;
  /** Tokens that were sent, to which no answer says what became of them. */
  readonly doubtful: Map<string, FamilyKey>;
  readonly policies: Policy[];
  /** How many policies there are by family whose answer was lost. */
  readonly unseen: Record<FamilyKey, number>;
  renewals: number;
  /** Renewals without an answer: each was made, or not. */
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

/** Notes that a token is on its way. */
export function noteSent({ pending, sent }: Account, token: string, family: FamilyKey): void {
  pending.delete(token);
  sent.set(token, family);
}

/** Notes that nobody knows what became of a token that was sent. */
export function noteDoubtful({ sent, doubtful }: Account, token: string): void {
  doubtful.set(token, sent.get(token) as FamilyKey);
  sent.delete(token);
}

/** Makes tokens in doubt such as are to be sent again. */
export function retryDoubtful({ pending, doubtful }: Account): void {
  for (const [token, family] of doubtful) pending.set(token, family);
  doubtful.clear();
}

const { tokenUsed, tokenExpired } = SHARED_SETTINGS.messages;

/** Notes what verify said of a token: the policy it became, or undefined. */
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
    throw new Error(`The token ${token} of ${family} is answered ${reply.status}: ${reply.text}`);
  }
  return undefined;
}

/** No two purchases may have the same number, whatever came between. */
export function noteRequest({ requestIds }: Account, { requestId }: Reply): void {
  if (requestId === undefined) throw new Error('An answer has no request id');
  if (requestIds.has(requestId)) throw new Error(`${requestId} was answered before`);
  requestIds.add(requestId);
}

interface SnapshotDocument {
  readonly world: {
    readonly families: Readonly<
      Record<string, { readonly records: Readonly<Record<string, readonly object[]>> }>
    >;
  };
}

/** What is wrong with a World, by what is known of it: nothing, or lines that say so. */
export function auditWorld(account: Account, { world }: SnapshotDocument): string[] {
  const wrong: string[] = [];
  for (const { key: family, policyList } of anyFamilies) {
    const records = world.families[family]?.records[policyList] ?? [];
    const known = account.policies.filter((policy) => policy.family === family);
    const expected = known.length + account.unseen[family as FamilyKey];
    if (records.length !== expected) {
      wrong.push(`${account.key}: ${records.length} of ${family}, ${expected} were bought`);
    }
    const numbers = new Set(known.map(({ number }) => number));
    if (numbers.size !== known.length) wrong.push(`${account.key}: a number of ${family} twice`);
  }
  const subscribers = world.families.micro_health?.records.subscribers as readonly {
    readonly transactions: readonly object[];
  }[];
  const paid = subscribers.reduce((sum, { transactions }) => sum + transactions.length, 0);
  const least = subscribers.length + account.renewals;
  if (paid < least || paid > least + account.doubtfulRenewals) {
    wrong.push(`${account.key}: ${paid} premiums, ${least} were paid`);
  }
  return wrong;
}

/** How many policies are known of, over all accounts. */
export const countPolicies = (accounts: readonly Account[]): number =>
  accounts.reduce(
    (sum, { policies, unseen }) =>
      sum + policies.length + familyKeys.reduce((more, family) => more + unseen[family], 0),
    0,
  );
