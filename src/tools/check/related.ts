/* Findings that follow from one thing, made one difference: isolation, lost purchases, refusals, pages. */

import type { ReceivedResponse } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { isReference, type ScenarioCall } from '../../scenarios/scenario.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { AnsweredCall } from './basis.ts';
import { MISSING_RECORD, ORDER, POSITIONS } from './compare.ts';
import { type Cause, causeOf, type Finding, isOfName, type Located } from './differences.ts';
import { shapeOf } from './forms.ts';
import { reasonIn } from './problems.ts';

/**
 * Tells which differences in a request with another merchant's token or policy are about isolation: it was accepted, a
 * record of the other merchant was listed, or it was refused otherwise than an unknown one.
 */
export function isolate(
  findings: Located[],
  { twin, server }: AnsweredCall,
  unknown: ReceivedResponse | undefined,
  assumptions: readonly AssumptionId[] = [],
): void {
  const wordsOf = ({ status, body }: ReceivedResponse) => `${status} ${reasonIn(body)}`;
  const isRefused = twin.code !== undefined && !isAccepted(server);
  const isAsUnknown = unknown === undefined || sameRefusal(unknown, server);
  for (const [place, found] of findings.entries()) {
    const isLeak = twin.code
      ? !isRefused || !isAsUnknown
      : found.cause?.key === POSITIONS.key || found.path.endsWith('.length');
    if (!isLeak) continue;
    // Records of other merchants matter more than anything else.
    const cause = {
      ...causeOf('isolation', isRefused),
      ...(!isRefused && { hides: true as const }),
    };
    const expected = isRefused
      ? `refused as an unknown one: ${wordsOf(unknown as ReceivedResponse)}`
      : found.expected;
    findings[place] = { ...found, assumptions, cause, expected };
  }
}

/** Whether two refusals differ only in numbers that belong to one call. */
const sameRefusal = (a: ReceivedResponse, b: ReceivedResponse): boolean =>
  a.status === b.status &&
  shapeOf(a.body) === shapeOf(b.body) &&
  reasonIn(a.body) === reasonIn(b.body);

/** Lets policies that the server refuses as unknown, or does not list, be one difference: purchases are not kept. */
export function relateLostPurchases(
  calls: readonly { readonly findings: readonly Located[] }[],
  lookUps: readonly { readonly findings: Located[]; readonly answer: ReceivedResponse }[],
  unknown: ReadonlyMap<string, ReceivedResponse>,
): void {
  const lost = lookUps.filter(({ findings: [found], answer }) => {
    const refusal = found && unknown.get(found.operation);
    return refusal !== undefined && !isAccepted(answer) && sameRefusal(refusal, answer);
  });
  const missing = calls.filter(({ findings }) =>
    findings.some(({ cause }) => cause?.key === MISSING_RECORD.key),
  );
  if (lost.length === 0 || missing.length === 0) return;
  for (const { findings } of [...lost, ...missing]) {
    for (const [place, found] of (findings as Located[]).entries()) {
      const isLost = found.path === '$.success' || found.cause?.key === MISSING_RECORD.key;
      if (isLost) (findings as Located[])[place] = { ...found, cause: LOST_PURCHASE };
    }
  }
}

const LOST_PURCHASE: Cause = {
  ...causeOf('lost purchase'),
  hides: true,
  shown: {
    path: '$.data',
    expected: 'the policy that was bought',
    seen: 'an unknown policy: purchases are not kept',
  },
};

/** Lets a request that the server always refuses hide what depends on it. */
export function relateRefusal(findings: Located[], reason: string): void {
  for (const [place, found] of findings.entries()) {
    if (found.path !== '$.success') continue;
    const cause = causeOf('refuses every request', found.operation, reason);
    findings[place] = { ...found, cause: { ...cause, hides: true } };
  }
}

/** Why a request for a page cannot be compared: the server and the twin were asked for different pages. */
export function otherPage(
  { follow, input: { page } = {} }: ScenarioCall,
  earlier: ReadonlyMap<string, { readonly reason: string; readonly data: unknown[] }>,
): string | undefined {
  const from = follow ?? page;
  const known = isReference(from) ? earlier.get(from.$step) : undefined;
  if (!known || !isReference(from)) return undefined;
  const [due, asked] = known.data.map((data) => pageIn(valueAt(data, from.$at)));
  return due === asked ? undefined : known.reason;
}

const PAGE = /([?&]page=)(\d+)/;

/** The number of a page, or in its URL. */
const pageIn = (value: unknown): string => PAGE.exec(String(value))?.[2] ?? String(value);

/** Which fields of a page follow from its size. */
const OF_PAGE = /^\$\.data\.(from|to|last_page|data|data\.length|(last|next|prev)_page_url)$/;

/** Whether a finding follows from another size of pages. */
function followsSize(found: Finding): boolean {
  const { path, expected, seen, cause } = found;
  if (cause?.key === ORDER.key || isOfName(found) || !OF_PAGE.test(path)) return false;
  if (!path.endsWith('_url')) return true;
  if (seen === undefined) return false;
  if (seen === null || expected === 'null') return !path.endsWith('.last_page_url');
  // The rest of the query of a page URL is a decision of its own.
  const [a, b] = [JSON.parse(expected), seen].map((url) => String(url).replace(PAGE, '$1'));
  return a === b;
}

/** Lets what follows from another page, page size or order be one difference. */
export function relatePages(findings: Located[]): void {
  const at = (field: string) =>
    findings.find((found) => found.path === `$.data.${field}` && !isOfName(found));
  const [page, size] = [at('current_page'), at('per_page')];
  const order = findings.find(({ cause }) => cause?.key === ORDER.key);
  for (const [place, found] of findings.entries()) {
    if (isOfName(found) || found.cause?.key.includes('isolation')) continue;
    const isPosition = found.cause?.key === POSITIONS.key || found === order;
    const followed = [
      page && (found === page || ON_PAGE.test(found.path)) ? page : undefined,
      size && (found === size || followsSize(found)) ? size : undefined,
      isPosition ? order : undefined,
    ];
    const reason = followed.find((each) => each !== undefined);
    if (!reason) continue;
    const { path, expected, seen, assumptions } = reason;
    const cause = causeOf(reason === order ? 'order' : path);
    const weight = reason === page ? { weight: Number(found === page) } : {};
    const related = { ...cause, shown: { path, expected, seen } };
    findings[place] = { ...found, assumptions, cause: related, ...weight };
  }
}

/** Which fields of a page follow from its number. */
const ON_PAGE = /^\$\.data\.(from|to|data|(next|prev)_page_url)\b/;
