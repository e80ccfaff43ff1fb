/* Replays what was recorded of a server on a twin, and compares the responses. */

import type { Operation } from '../../api/operation.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { isCall, isReference, type ScenarioCall } from '../../scenarios/scenario.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { runCooperatively } from '../../world/clock.ts';
import type { Instant } from '../../world/time.ts';
import { MISSING_RECORD, ORDER, POSITIONS } from './compare.ts';
import {
  type AnsweredCall,
  compareAnswers,
  fieldAssumptions,
  reasonIn,
} from './compare-answers.ts';
import { type Comparison, ofShape, WRITING_SLACK_MS } from './compare-values.ts';
import { type Cause, causeOf, type Finding, type Located } from './differences.ts';
import { shapeOf } from './forms.ts';
import { Links } from './links.ts';
import type { RecordedStep, Recording } from './record.ts';
import { valueAssumptions } from './schemas.ts';
import { createTwin, type TwinConfig } from './twin.ts';

/** A request of a scenario, and its result. */
export interface PlayedCall {
  /** Where it is recorded; undefined if its scenario was not played. */
  readonly recording?: Recording;
  readonly recorded?: RecordedStep;
  readonly scenario: string;
  readonly operation: string;
  readonly shows: string;
  /** Why it was not sent or compared; undefined if it was. */
  readonly notAsked: string | undefined;
  readonly findings: readonly Located[];
  /** The assumptions behind the twin's response, and those about the tried fields. */
  readonly assumptions: readonly string[];
  /** Assumptions that only this kind of request can confirm. */
  readonly rests: readonly string[];
  /** The assumptions behind values of the response that agree. */
  readonly agreed: ReadonlySet<string>;
}

export interface Played {
  readonly calls: readonly PlayedCall[];
  /** Origins of page URLs that point to another host. */
  readonly elsewhere: ReadonlySet<string>;
}

/**
 * Replays recordings on a twin, and compares each response with the server's.
 *
 * @param bought the numbers of all policies that the check has bought
 */
export async function play(
  recordings: readonly Recording[],
  bought: ReadonlySet<unknown>,
  config: TwinConfig,
  base: string,
  fallback: Instant,
): Promise<Played> {
  const twin = createTwin(config, fallback);
  const calls: PlayedCall[] = [];
  const elsewhere = new Set<string>();
  /** The server's refusals of unknown tokens and policies, by operation. */
  const unknown = new Map<string, ReceivedResponse>();
  /** Why the server refused a request that tries nothing in particular, by operation: others say no more. */
  const refused = new Map<string, { readonly reason: string; readonly shows: string }>();
  const refusedLookUps: { findings: Located[]; answer: ReceivedResponse }[] = [];
  for (const recording of recordings) {
    const links = new Links();
    const { name } = recording.scenario;
    let diverged: string | undefined;
    const earlier = new Map<string, { readonly reason: string; readonly data: unknown[] }>();
    for await (const { recorded, answers } of twin.replay(recording, base)) {
      const step = recorded.step as ScenarioCall;
      const { operation, shows, about = [] } = step;
      const findings: Located[] = [];
      const request = { scenario: name, operation: operation.operationId, shows };
      const agreed = new Set<string>();
      const add = (found: Finding) => findings.push({ ...found, ...request });
      let notAsked =
        recorded.notAsked ??
        (answers.length === 0
          ? 'the sandbox refused an earlier request that it depends on'
          : (diverged ?? otherPage(step, earlier)));
      const context: Comparison = {
        operation: operation.operationId,
        links,
        slackMs: recording.startsAt === undefined ? WRITING_SLACK_MS : 0,
        base,
        isExclusive: recording.isExclusive,
        bought,
        namesOthers: recording.scenario.needs === 'records',
        add,
        agrees: (ids) => {
          for (const id of ids) agreed.add(id);
        },
        elsewhere: (origin) => elsewhere.add(origin),
      };
      if (notAsked === undefined) {
        for (const [place, answer] of recorded.answers.entries()) {
          const expected = answers[place];
          if (!expected) continue;
          const call = {
            operation: twin.operationOf(operation),
            about,
            shows,
            rests: step.by === 'other' ? [] : (step.rests ?? []),
            twin: expected,
            server: answer,
          };
          const reason = isAccepted(answer) ? undefined : reasonIn(answer.body);
          const known = refused.get(operation.operationId);
          if (reason !== undefined && reason === known?.reason) {
            notAsked = `depends on the difference in ${operation.operationId} ${known.shows}`;
            continue;
          }
          await runCooperatively(compareAnswers(call, context));
          const isPlain = isAccepted(expected) && about.length === 0 && known === undefined;
          if (isPlain && reason !== undefined) {
            refused.set(operation.operationId, { reason, shows });
            relateRefusal(findings, reason);
          }
          if (isAccepted(expected) && operation.errors.includes('policy_unknown')) {
            refusedLookUps.push({ findings, answer });
          }
          const isForeign = step.by === 'other';
          if (isForeign) isolate(findings, call, unknown.get(operation.operationId), step.rests);
          else if (expected.code === 'policy_unknown' || expected.code === 'token_unknown') {
            unknown.set(operation.operationId, answer);
          }
          // From here on the server and the twin have different policies.
          if (changesPolicies(operation) && isAccepted(answer) !== isAccepted(expected)) {
            diverged = `depends on the difference in ${operation.operationId} ${shows}`;
          }
        }
      }
      if (step.as !== undefined) {
        const reason = `depends on the difference in ${operation.operationId} ${shows}`;
        const data = [answers[0], recorded.answers[0]].map((each) => valueAt(each?.body, 'data'));
        earlier.set(step.as, { reason, data });
      }
      const said = answers[0]?.headers.get('sandbox-assumptions')?.split(', ') ?? [];
      // That a field is there shows without its value.
      const values = valueAssumptions(operation.success).filter((id) => ofShape([id]).length === 0);
      const assumptions = [
        ...said.filter((id) => !values.includes(id as AssumptionId)),
        ...assumptionsTried(step),
      ];
      relatePages(findings);
      const rests = step.rests ?? [];
      const from = { recording, recorded };
      calls.push({ ...request, ...from, notAsked, findings, assumptions, rests, agreed });
    }
    links.tellConflicts();
  }
  relateLostPurchases(calls, refusedLookUps, unknown);
  return { calls, elsewhere };
}

/**
 * Tells which differences in a request with another merchant's token or policy are about isolation: it was accepted, a
 * record of the other merchant was listed, or it was refused otherwise than an unknown one.
 */
function isolate(
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
function relateLostPurchases(
  calls: readonly PlayedCall[],
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
function relateRefusal(findings: Located[], reason: string): void {
  for (const [place, found] of findings.entries()) {
    if (found.path !== '$.success') continue;
    const cause = causeOf('refuses every request', found.operation, reason);
    findings[place] = { ...found, cause: { ...cause, hides: true } };
  }
}

/** Why a request for a page cannot be compared: the server and the twin were asked for different pages. */
function otherPage(
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
function followsSize({ path, expected, seen, cause }: Finding): boolean {
  if (cause?.key === ORDER.key || !OF_PAGE.test(path)) return false;
  if (!path.endsWith('_url')) return true;
  if (seen === undefined) return false;
  if (seen === null || expected === 'null') return !path.endsWith('.last_page_url');
  // The rest of the query of a page URL is a decision of its own.
  const [a, b] = [JSON.parse(expected), seen].map((url) => String(url).replace(PAGE, '$1'));
  return a === b;
}

/** Lets what follows from another page, page size or order be one difference. */
function relatePages(findings: Located[]): void {
  const other = findings.find(({ path }) => path === '$.data.current_page');
  if (other) {
    const { path, expected, seen, assumptions } = other;
    const cause = { ...causeOf('page'), shown: { path, expected, seen } };
    for (const [place, found] of findings.entries()) {
      const isOnPage = /^\$\.data\.(from|to|data|(next|prev)_page_url)\b/.test(found.path);
      const weight = Number(found === other);
      if (isOnPage || weight > 0) findings[place] = { ...found, assumptions, cause, weight };
    }
    return;
  }
  const size = findings.find(({ path }) => path === '$.data.per_page');
  const order = findings.find(({ cause }) => cause?.key === ORDER.key);
  for (const [place, found] of findings.entries()) {
    const isPosition = found.cause?.key === POSITIONS.key || found === order;
    const reason = size && (found === size || followsSize(found)) ? size : isPosition && order;
    if (!reason || found.cause?.key.includes('isolation')) continue;
    const { path, expected, seen, assumptions } = reason;
    const cause = causeOf(reason === size ? 'page size' : 'order');
    findings[place] = {
      ...found,
      assumptions,
      cause: { ...cause, shown: { path, expected, seen } },
    };
  }
}

/** The assumptions about the fields of a request, and about white space around their values. */
function assumptionsTried({ operation, about = [], input = {} }: ScenarioCall): AssumptionId[] {
  const isPadded = about.some((field) => {
    const sent = input[field];
    return typeof sent === 'string' && sent.trim() !== '' && sent.trim() !== sent;
  });
  return [...fieldAssumptions(operation, about), ...(isPadded ? ['text-trim' as const] : [])];
}

/** The numbers of the policies that were bought, or reserved, in these recordings. */
export const policiesIn = (recordings: readonly Recording[]): ReadonlySet<unknown> => {
  const answers = recordings.flatMap(({ steps }) =>
    steps.flatMap(({ step, answers: received }) =>
      isCall(step) && !step.operation.readOnly ? received : [],
    ),
  );
  const numbers = answers.flatMap(({ body }) =>
    ['policy_no', 'policy_number'].map((field) => valueAt(body, `data.${field}`)),
  );
  return new Set(numbers.filter((number) => number !== undefined));
};

/** Whether an operation buys or renews. An initiate stores nothing that other operations return. */
const changesPolicies = ({ readOnly, errors }: Operation): boolean =>
  !readOnly && (errors.includes('token_unknown') || errors.includes('policy_unknown'));

/** All findings, in the order of the requests. */
export const findingsOf = ({ calls }: Pick<Played, 'calls'>): Located[] =>
  calls.flatMap(({ findings }) => findings);
