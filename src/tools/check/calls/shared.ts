/* What the calls of all families share: made-up customers, the purchase in two calls, and reading lists. */

import { type Instant, instantOf, MINUTE_MS } from '../../../world/time.ts';
import {
  type Answer,
  call,
  type Fields,
  type ProbeCall,
  type ProbeCalls,
  type Setup,
  varied,
} from '../call.ts';

/* Reserved numbers and the name "Sandbox Check", so that nobody mistakes a test customer for a real one. */

export const FIRST_NAME = 'Contract';
export const SURNAME = 'Sandbox Check';
/** Names as customers have them: services often escape, fold or cut what is in them. */
export const REAL_FIRST_NAME = 'Zoë-Ann';
export const REAL_SURNAME = "McÀdé-O'Neil & Ọṣun Sandbox Check";
/** A number that no network uses: mobile numbers start with 070, 080, 081, 090 or 091. */
export const PHONE = '09990000000';
export const SECOND_PHONE = '09990000001';
/** An identity number that is not assigned. */
export const IDENTITY_NUMBER = '99999999999';
export const BORN = '1990-04-12';
export const FILE = 'https://example.com/sandbox-check';
export const emailOf = ({ run }: Setup): string => `sandbox-check-${run}@example.com`;
export const mixedEmailOf = ({ run }: Setup): string => `Sandbox-Check-${run}@example.com`;

/** The lifetime of a token (specification "Limits"). */
const LIFETIME_MS = 15 * MINUTE_MS;

export const TOKEN = 'data.token';

/** What is the same in the purchases of all families. */
export interface FamilyCalls extends FamilyDefinition {
  /** The list while the purchase waits for its verify. */
  readonly pendingList: ProbeCall;
  readonly verify: ProbeCall;
  readonly again: ProbeCall;
  /** The first renewal of the policy. */
  readonly renewed: ProbeCall | undefined;
  readonly lookup: ProbeCall;
  /** A second purchase of the same customer, with names as customers have them. */
  readonly initiateSecond: ProbeCall;
  readonly second: ProbeCall;
  /** The list after both purchases: its first page, and its last. */
  readonly list: ProbeCall;
  readonly lastPage: ProbeCall;
  readonly unknownToken: ProbeCall;
  readonly unknownPolicy: ProbeCall;
  /** Verifies in the last millisecond of a token, at its end, and after it. */
  readonly early: ProbeCall;
  readonly boundary: ProbeCall;
  readonly late: ProbeCall;
  readonly usedLate: ProbeCall;
  /** Two verifies of one token at the same time. */
  readonly atOnce: readonly [ProbeCall, ProbeCall];
}

interface FamilyDefinition {
  /** The key of the family in profiles and flags. */
  readonly key: string;
  /** In ids of probes. */
  readonly id: string;
  /** In titles. */
  readonly title: string;
  readonly operations: { readonly verify: string; readonly lookup: string; readonly list: string };
  readonly initiate: ProbeCall;
  /** What the second purchase has instead, and the calls that it needs for that. */
  readonly secondPurchase: Parameters<typeof varied>[2];
  readonly secondNeeds?: ProbeCalls;
  /** Where a policy number is in a policy. */
  readonly number: string;
  /** The input of a look-up of this number. */
  readonly lookupInput: (number: unknown) => Fields;
  /** Calls about the purchase before its verify. */
  readonly beforeVerify?: readonly ProbeCall[];
  /** The renewal of a policy, if the family has one. */
  readonly renewal?: (verify: ProbeCall) => ProbeCall;
  /** The policy number of an item of the list. */
  readonly listedNumber: string;
  readonly isPaged: boolean;
  /** The product of an item of the list, if the item says it. */
  readonly listedProduct?: (item: Fields) => unknown;
  /** The id in the samples of the specification. */
  readonly published: number;
  /** The quote that tells whether a product is sold. */
  readonly quotes?: (product: number) => ProbeCall;
}

/** The purchase of a family, and what follows from it. */
export function familyCalls(definition: FamilyDefinition): FamilyCalls {
  const { operations, initiate, secondPurchase, lookupInput, number, isPaged } = definition;
  type Options = Parameters<typeof call<{ initiated: ProbeCall }>>[2];
  const verifyOf = (what: string, initiated: ProbeCall, options: Options = {}) =>
    call(
      operations.verify,
      what,
      { ...options, needs: { initiated, ...options.needs } },
      (needs) => ({ token: needs.initiated.get(TOKEN) }),
    );
  const lookupOf = (what: string, policy: ProbeCall, after: readonly ProbeCall[]) =>
    call(operations.lookup, what, { needs: { policy }, after }, (needs) =>
      lookupInput(needs.policy.get(number)),
    );

  const pendingList = call(operations.list, 'before verify', { after: [initiate] });
  const verify = verifyOf('as specified', initiate, {
    after: [pendingList, ...(definition.beforeVerify ?? [])],
  });
  const repeated = (what: string, options: Options) =>
    call(
      operations.verify,
      what,
      { refusal: 'token_used', ...options, needs: { initiated: verify } },
      (needs) => needs.initiated.sent,
    );
  const again = repeated('with the same token again', {});
  const renewed = definition.renewal?.(verify);
  const initiateSecond = varied(initiate, 'for a second purchase', secondPurchase, {
    needs: definition.secondNeeds ?? {},
    after: [verify],
  });
  const second = verifyOf('of a second purchase', initiateSecond, {
    after: [again, ...(renewed ? [renewed] : [])],
  });
  const list = call(operations.list, 'after the purchases', { after: [verify, second] }, () =>
    isPaged ? { per_page: 100 } : {},
  );
  const lastPage = isPaged
    ? call(
        operations.list,
        'at the last page',
        { needs: { list }, sameAs: (needs) => (lastPageIn(needs.list) > 1 ? undefined : list) },
        (needs) => ({ page: lastPageIn(needs.list), per_page: 100 }),
      )
    : list;

  /** A verify at a moment of the life of a token. */
  const timed = (what: string, afterEnd: number, options: Options = {}) =>
    verifyOf(what, varied(initiate, `to verify ${what}`, {}, { after: [list] }), {
      after: [verify],
      ...options,
      moment: (needs) => needs.initiated.at + LIFETIME_MS + afterEnd,
    });
  const twice = varied(initiate, 'to verify twice at once', {}, { after: [list] });
  const other = verifyOf('twice at once', twice, { refusal: 'token_used' });
  return {
    ...definition,
    pendingList,
    verify,
    again,
    renewed,
    lookup: lookupOf('of the policy', verify, [second]),
    initiateSecond,
    second,
    list,
    lastPage,
    unknownToken: call(
      operations.verify,
      'with an unknown token',
      { needs: { verify }, refusal: 'token_unknown' },
      () => ({ token: 'sandbox-check' }),
    ),
    unknownPolicy: call(
      operations.lookup,
      'of an unknown policy',
      { refusal: 'policy_unknown' },
      () => lookupInput('0000000000'),
    ),
    early: timed('in its last millisecond', -1),
    boundary: timed('at exactly 15 minutes', 0),
    late: timed('after 15 minutes', 1, { refusal: 'token_expired', canWait: true }),
    usedLate: repeated('with a used token after 15 minutes', {
      after: [again],
      canWait: true,
      moment: (needs) => needs.initiated.at + LIFETIME_MS + 1,
    }),
    atOnce: [{ ...other, together: other }, other],
  };
}

const lastPageIn = (list: Answer): number => Number(list.get('data.last_page') ?? 1);

/** The policy of a family with this number in its lists. */
export const findListed = (
  { listedNumber }: FamilyCalls,
  lists: readonly Answer[],
  number: unknown,
): Fields | undefined =>
  lists.flatMap(({ items }) => items).find((policy) => policy[listedNumber] === number);

/** The moment of a timestamp, a date with a time or a day of an answer; NaN if it is none. */
export const momentOf = (written: unknown): Instant =>
  typeof written === 'string' && /^\d{4}-\d{2}-\d{2}/.test(written)
    ? instantOf(written.length === 10 ? `${written}T00:00:00` : written.replace(' ', 'T'))
    : Number.NaN;
