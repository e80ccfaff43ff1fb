import * as z from 'zod/mini';
import { ALTERNATIVES } from '../control/alternatives.ts';
import type { AssumptionId } from '../core/assumptions.ts';
import { DEFAULT_SETTINGS } from '../core/settings.ts';
import { anyFamilies } from '../products/world.ts';
import { same } from './probe.ts';
import type { Report } from './report.ts';
import type { Tally } from './tally.ts';

type Seen = (decision: AssumptionId, key?: string) => readonly unknown[];

/** How the values a server was seen with are said in a profile, by decision. */
const READERS: Readonly<Partial<Record<AssumptionId, (seen: Seen, tally: Tally) => unknown>>> = {
  'amount-check': (seen) => eitherWay(seen('amount-check', 'refused'), 'exact', 'ignore'),
  'token-boundary': (seen) =>
    eitherWay(seen('token-boundary', 'refused'), 'exclusive', 'inclusive'),
  'list-order': (seen) => usual(seen('list-order')),
  'subscriptions-key': (seen) => usual(seen('subscriptions-key')),
  'list-selection': (seen) => {
    const pageSize = usual(seen('list-selection', 'per_page'));
    return pageSize === undefined ? undefined : { per_page: pageSize };
  },
  'error-code-type': codeType,
  'http-status': (seen, tally) => byKey(seen, tally, 'http-status', DEFAULT_SETTINGS.statuses),
  'success-messages': (seen, tally) => byKey(seen, tally, 'success-messages', publishedMessages()),
  'auth-failure': (seen) => messageOf(seen, 'auth-failure'),
  'token-expired': (seen) => messageOf(seen, 'token-expired'),
  'token-unknown': (seen) => messageOf(seen, 'token-unknown'),
  'token-used': (seen) => messageOf(seen, 'token-used'),
};

/** The profile that makes a sandbox take its decisions as a server was seen to, as far as it can. */
export function profileOf(tally: Tally): Pick<Report, 'profile' | 'not_in_profile'> {
  const seen: Seen = (decision, key) =>
    tally.observed
      .filter((each) => each.decision === decision && (key === undefined || each.key === key))
      .map(({ value }) => value)
      .filter((value) => value !== undefined);
  const decisions: Record<string, unknown> = {};
  const contradicted = new Set(tally.differed.keys());
  for (const [id, alternative] of Object.entries(ALTERNATIVES)) {
    const decision = id as AssumptionId;
    const value = READERS[decision]?.(seen, tally);
    if (value === undefined || !z.safeParse(alternative.form(), value).success) continue;
    if (same(value, alternative.read(DEFAULT_SETTINGS))) continue;
    decisions[decision] = value;
    contradicted.delete(decision);
  }
  return {
    profile: { version: 1, decisions },
    not_in_profile: [...contradicted],
  };
}

const eitherWay = (refused: readonly unknown[], ifRefused: string, ifNot: string) => {
  const most = usual(refused);
  return most === undefined ? undefined : most ? ifRefused : ifNot;
};

/** The value seen most often, the first of those that were seen equally often. */
function usual(values: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most: unknown;
  for (const [value, count] of counts) if (count > (counts.get(most) ?? 0)) most = value;
  return most;
}

function messageOf(seen: Seen, decision: AssumptionId): unknown {
  const message = usual(seen(decision, 'message'));
  return message === undefined ? undefined : { message };
}

const publishedMessages = (): Record<string, string> =>
  Object.fromEntries(
    anyFamilies.flatMap(({ operations }) =>
      operations.map(({ operationId, message }) => [operationId, message]),
    ),
  );

/** What was seen under each key that a decision has, where it is not what is published. */
function byKey(
  seen: Seen,
  tally: Tally,
  decision: AssumptionId,
  published: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const own = tally.observed.filter((each) => each.decision === decision);
  const keys = [...new Set(own.map(({ key }) => key))].filter((key) =>
    Object.hasOwn(published, key),
  );
  const values = keys.map((key) => [key, usual(seen(decision, key))] as const);
  const other = values.filter(([key, value]) => value !== undefined && value !== published[key]);
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** One type everywhere, where the families are not seen to differ as they are supposed to. */
function codeType(seen: Seen): unknown {
  const supposedTexts = usual(seen('error-code-type', 'string'));
  const supposedIntegers = usual(seen('error-code-type', 'integer'));
  const types = new Set([supposedTexts, supposedIntegers].filter((type) => type !== undefined));
  if (types.size > 1) return supposedTexts === 'string' ? 'by-family' : undefined;
  if (supposedTexts === 'number') return 'integer';
  if (supposedIntegers === 'string') return 'string';
  return 'by-family';
}
