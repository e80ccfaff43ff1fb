/* Replays what was recorded of a server on a twin, and compares the responses. */

import type { Operation } from '../../api/operation.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import type { ScenarioCall } from '../../scenarios/scenario.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { runCooperatively } from '../../world/clock.ts';
import { type Instant, isCalendarDay } from '../../world/time.ts';
import { fieldAssumptions } from './basis.ts';
import { compareAnswers } from './compare-answers.ts';
import { type Comparison, ofShape, WRITING_SLACK_MS } from './compare-values.ts';
import type { Finding, Located } from './differences.ts';
import { Links } from './links.ts';
import { reasonIn } from './problems.ts';
import type { RecordedStep, Recording } from './record.ts';
import { isolate, otherPage, relateLostPurchases, relatePages, relateRefusal } from './related.ts';
import { valueAssumptions } from './schemas.ts';
import { createTwin, hasOwnRecords, lengthOf, type TwinConfig } from './twin.ts';

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
 */
export async function play(
  recordings: readonly Recording[],
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
  /** What is wrong with records that the check did not buy, and the operations that list its own. */
  const ofOthers: { readonly findings: Located[]; readonly found: Located }[] = [];
  const listsOwn = new Set<string>();
  const refusedLookUps: { findings: Located[]; answer: ReceivedResponse }[] = [];
  for (const recording of recordings) {
    const links = new Links();
    const { name } = recording.scenario;
    let diverged: string | undefined;
    /** Whether a merchant of the scenario has records. */
    let hasRecords = false;
    const earlier = new Map<string, { readonly reason: string; readonly data: unknown[] }>();
    for await (const { recorded, answers } of twin.replay(recording, base)) {
      const step = recorded.step as ScenarioCall;
      const { operation, shows, about = [] } = step;
      const findings: Located[] = [];
      const request = { scenario: name, operation: operation.operationId, shows };
      const agreed = new Set<string>();
      const at = recording.steps.indexOf(recorded);
      const locate = (found: Finding): Located => ({ ...found, ...request, step: at });
      const add = (found: Finding) => findings.push(locate(found));
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
        namesOthers: recording.scenario.needs === 'records',
        add,
        isSelected: (record) => isSelected(record, step.input),
        addOfOthers: (found) => ofOthers.push({ findings, found: locate(found) }),
        listsOwn: () => listsOwn.add(operation.operationId),
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
      const shown = assumptionsShown(operation, answers[0], recorded.answers[0]);
      const assumptions = [...shown, ...assumptionsTried(step)];
      relatePages(findings);
      const [answer] = recorded.answers;
      const length = lengthOf(answer);
      // A list that leaves out another merchant's records shows it only if there are some.
      const rests = length >= 0 && step.by === 'other' && !hasRecords ? [] : (step.rests ?? []);
      hasRecords ||= length > 0 || (changesPolicies(operation) && !!answer && isAccepted(answer));
      const from = { recording, recorded };
      calls.push({ ...request, ...from, notAsked, findings, assumptions, rests, agreed });
    }
    links.tellConflicts();
  }
  for (const { findings, found } of ofOthers) {
    if (!listsOwn.has(found.operation)) findings.push(found);
  }
  relateLostPurchases(calls, refusedLookUps, unknown);
  return { calls, elsewhere };
}

/** Whether a record was created on the days that a list selects. */
function isSelected(record: unknown, { start_date, end_date }: ScenarioCall['input']): boolean {
  const at = valueAt(record, 'subscriptions.created_at') ?? valueAt(record, 'created_at');
  const created = String(at).slice(0, 10);
  if (!isCalendarDay(created)) return true;
  return !(created < String(start_date ?? created)) && !(created > String(end_date ?? created));
}

/** What a list shows of itself, whatever records are in it. */
const OF_LIST: readonly string[] = [
  'list-selection',
  'page-out-of-range',
  'page-urls',
  'success-messages',
];

/** The assumptions behind the twin's response that the server's can contradict, apart from single values. */
function assumptionsShown(
  { success }: Operation,
  twin: ReceivedResponse | undefined,
  server: ReceivedResponse | undefined,
): string[] {
  const said = twin?.headers.get('sandbox-assumptions')?.split(', ') ?? [];
  // That a field is there shows without its value.
  const values = valueAssumptions(success).filter((id) => ofShape([id]).length === 0);
  const shown = said.filter((id) => !values.includes(id as AssumptionId));
  const length = lengthOf(server);
  if (Number.isNaN(length) || hasOwnRecords(twin)) return shown;
  const isSeen = (id: string) => length > 0 && ofShape([id as AssumptionId]).length > 0;
  return shown.filter((id) => OF_LIST.includes(id) || isSeen(id));
}

/** The assumptions about the fields of a request, and about white space around their values. */
function assumptionsTried({ operation, about = [], input = {} }: ScenarioCall): AssumptionId[] {
  const isPadded = about.some((field) => {
    const sent = input[field];
    return typeof sent === 'string' && sent.trim() !== '' && sent.trim() !== sent;
  });
  return [...fieldAssumptions(operation, about), ...(isPadded ? ['text-trim' as const] : [])];
}

/** Whether an operation buys or renews. An initiate stores nothing that other operations return. */
const changesPolicies = ({ readOnly, errors }: Operation): boolean =>
  !readOnly && (errors.includes('token_unknown') || errors.includes('policy_unknown'));

/** All findings, in the order of the requests. */
export const findingsOf = ({ calls }: Pick<Played, 'calls'>): Located[] =>
  calls.flatMap(({ findings }) => findings);
