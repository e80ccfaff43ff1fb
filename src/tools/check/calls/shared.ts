/* What the calls of all families share: made-up customers, the purchase in two calls, and reading lists. */

import type { Operation, Role } from '../../../api/operation.ts';
import { operations } from '../../../products/world.ts';
import { MINUTE_MS, SECOND_MS } from '../../../world/time.ts';
import type { Answer } from '../answer.ts';
import { type Changes, call, type ProbeCall, type Setup, varied } from '../call.ts';
import type { Fields } from '../values.ts';

/* Reserved numbers and the name "Sandbox Check", so that nobody mistakes a test customer for a real one. */

export const CUSTOMER = {
  firstName: 'Contract',
  surname: 'Sandbox Check',
  email: ({ run }: Setup): string => `sandbox-check-${run}@example.com`,
  born: '1990-04-12',
  /** A number that no network uses: mobile numbers start with 070, 080, 081, 090 or 091. */
  phone: '09990000000',
  secondPhone: '09990000001',
  /** An identity number that is not assigned. */
  identityNumber: '99999999999',
  file: 'https://example.com/sandbox-check',
};
/** Names as customers have them: services often escape, fold or cut what is in them. */
export const REAL_CUSTOMER = {
  firstName: 'Zoë-Ann',
  surname: "McÀdé-O'Neil & Ọṣun Sandbox Check",
  email: ({ run }: Setup): string => `Sandbox-Check-${run}@example.com`,
};

/** The lifetime of a token (specification "Limits"). */
const LIFETIME_MS = 15 * MINUTE_MS;

/** The clock of another machine may be a little ahead or behind, and a response may take its time. */
const MARGIN_MS = 5 * SECOND_MS;

export const TOKEN = 'data.token';

interface FamilyDefinition {
  /** The key of the family in profiles and flags. */
  readonly key: string;
  /** The product in the samples of the specification. */
  readonly sampleProduct: number;
  /** The quote of what is bought, if the family has quotes. */
  readonly quote?: ProbeCall;
  readonly initiate: ProbeCall;
  /** What the second purchase has instead, and the calls that it needs for that. */
  readonly secondPurchase: Changes;
  readonly secondNeeds?: readonly ProbeCall[];
  /** Where a policy number is in the answer about a policy. */
  readonly number: string;
  /** The input of a look-up of this number. */
  readonly lookupInput: (number: unknown) => Fields;
  /** Calls about the purchase before its verify. */
  readonly beforeVerify?: readonly ProbeCall[];
  /** Other purchases that the list shows. */
  readonly beforeList?: readonly ProbeCall[];
  /** The renewal of a policy, if the family has one. */
  readonly renewal?: (verify: ProbeCall) => ProbeCall;
}

const verifyOperations: readonly Operation[] = operations.filter(({ role }) => role === 'verify');

/** The purchase of a family, and what follows from it. */
export function familyCalls(definition: FamilyDefinition) {
  const { key, initiate, secondPurchase, lookupInput, number, beforeList = [] } = definition;
  const inRole = (role: Role) =>
    operations.find(
      (each) => each.role === role && each.tag === initiate.operation.tag,
    ) as Operation;
  const [verifies, looksUp, lists] = [inRole('verify'), inRole('lookup'), inRole('list')];
  const isPaged = lists.input !== undefined;
  type Options = Parameters<typeof call>[2];
  const verifyOf = (what: string, initiated: ProbeCall, options: Options = {}) =>
    call(verifies, what, { ...options, needs: [initiated] }, (_, answer) => ({
      token: answer.get(TOKEN),
    }));

  const pendingList = call(lists, 'before verify', { after: [initiate] });
  const verify = verifyOf('as specified', initiate, {
    after: [pendingList, ...(definition.beforeVerify ?? [])],
  });
  /** A verify with the token of the first one. */
  const repeated = (what: string, options: Options) =>
    call(verifies, what, { ...options, needs: [verify] }, (_, { sent }) => sent);
  const again = repeated('with the same token again', { refusal: 'token_used' });
  const renewed = definition.renewal?.(verify);
  const initiateSecond = varied(initiate, 'for a second purchase', secondPurchase, {
    needs: definition.secondNeeds ?? [],
    after: [verify],
  });
  /** While the second purchase waits: its token with the key of another merchant, and at another family. */
  const verifyOther = verifyOf('with a token of another merchant', initiateSecond, {
    ...{ key: 'other', refusal: 'token_unknown' },
  });
  const place = verifyOperations.indexOf(verifies) + 1;
  const elsewhere = verifyOperations[place % verifyOperations.length];
  const verifyElsewhere: ProbeCall = {
    ...verifyOf('with a token of another family', initiateSecond, { refusal: 'token_unknown' }),
    operation: elsewhere as Operation,
  };
  const initiateThird = varied(
    initiate,
    'while another purchase waits',
    {},
    {
      after: [initiateSecond],
    },
  );
  const second = verifyOf('of a second purchase', initiateSecond, {
    after: [again, ...(renewed ? [renewed] : []), verifyOther, verifyElsewhere, initiateThird],
  });
  const whole = isPaged ? { per_page: 100 } : {};
  const list = call(
    lists,
    'after the purchases',
    { after: [verify, second, ...beforeList] },
    () => whole,
  );
  const lastPage = isPaged
    ? call(lists, 'at the last page', { needs: [list] }, (_, first) => ({
        page: first.get('data.last_page') ?? 1,
        per_page: 100,
      }))
    : list;
  const lookup = call(looksUp, 'of the policy', { needs: [verify], after: [second] }, (_, bought) =>
    lookupInput(bought.get(number)),
  );

  const atEnd = (phase: number, afterEnd: number, margin?: number) => ({
    time: {
      phase,
      moment: ({ at }: Answer) => at + LIFETIME_MS + afterEnd,
      ...(margin !== undefined && { margin }),
    },
  });
  const initiateTimed = (what: string) =>
    varied(initiate, `to verify ${what}`, {}, { after: [list] });
  /** A verify at a moment of the life of a token. */
  const timed = (what: string, options: Options, initiated = initiateTimed(what)) =>
    verifyOf(what, initiated, { after: [verify], ...options });
  return {
    ...definition,
    /** In ids and titles of probes. */
    id: key.replaceAll('_', '-'),
    isPaged,
    /** The list while the purchase waits for its verify. */
    pendingList,
    verify,
    again,
    /** The first renewal of the policy. */
    renewed,
    lookup,
    /** A second purchase of the same customer, with names as customers have them. */
    initiateSecond,
    /** Initiates another purchase while the second one waits. */
    initiateThird,
    second,
    /** The verifies of all purchases that the list shows. */
    purchases: [verify, second, ...beforeList],
    /** The list after both purchases: its first page, and its last. */
    list,
    lastPage,
    /** The list as another merchant has it. */
    listOther: call(lists, 'as another merchant', { key: 'other', after: [lookup] }, () => whole),
    verifyOther,
    verifyElsewhere,
    unknownToken: call(
      verifies,
      'with an unknown token',
      { needs: [verify], refusal: 'token_unknown' },
      () => ({ token: 'sandbox-check' }),
    ),
    unknownPolicy: call(looksUp, 'of an unknown policy', { refusal: 'policy_unknown' }, () =>
      lookupInput('0000000000'),
    ),
    /** Verifies just before the end of a token, at its end, and after it. */
    early: timed('just before 15 minutes', atEnd(1, -1, -MARGIN_MS)),
    boundary: timed('at exactly 15 minutes', atEnd(2, 0), initiateThird),
    late: timed('after 15 minutes', { refusal: 'token_expired', ...atEnd(3, 1, MARGIN_MS) }),
    usedLate: repeated('with a used token after 15 minutes', {
      ...{ after: [again], refusal: 'token_used', ...atEnd(4, 1, MARGIN_MS) },
    }),
  };
}

export type FamilyCalls = ReturnType<typeof familyCalls>;

/** The policy that an answer shows, in the lists of its family. */
export function findListed(
  { number }: FamilyCalls,
  lists: readonly Answer[],
  bought: Answer,
): Fields | undefined {
  const field = number.replace('data.', '');
  return lists.flatMap(({ items }) => items).find((policy) => policy[field] === bought.get(number));
}
