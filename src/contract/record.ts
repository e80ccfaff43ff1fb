import type { Operation } from '../api/operation.ts';
import { type Instant, instantOf, MINUTE_MS, SECOND_MS } from '../world/time.ts';
import { NetworkError, type ReceivedResponse, type Send, type Time } from './client.ts';
import type { Merchant } from './control-client.ts';
import { type Json, valueAt } from './json.ts';
import { stepRequest } from './requests.ts';
import { type Call, isCall, type Scenario, type Step } from './scenarios/scenario.ts';

/** What became of a step on the server. */
export interface RecordedStep {
  readonly step: Step;
  /** The answers, an accepted one first; several where it was sent several times. None if it was not sent. */
  readonly answers: readonly ReceivedResponse[];
  /** When the server answered, by its own Date; undefined if it does not tell. */
  readonly at: Instant | undefined;
  /** When it was sent, by the clock of this check. */
  readonly sentAt: Instant;
  /** Why it was not sent. */
  readonly notAsked?: string;
}

/** A scenario as a server lived it. */
export interface Recording {
  readonly scenario: Scenario;
  readonly steps: readonly RecordedStep[];
  /** Where the merchant's clock stood; undefined for a clock that the check can't move. */
  readonly startsAt: Instant | undefined;
  /** Whether the merchant had nothing before. */
  readonly isExclusive: boolean;
}

/** Whose requests a scenario sends, and what it may do. */
export interface Cast {
  readonly merchant: Merchant;
  readonly other: Merchant | undefined;
  readonly isSandbox: boolean;
  /** Why nothing may be bought or renewed; undefined if it may. */
  readonly noPurchase: string | undefined;
}

interface Recorder {
  readonly base: string;
  readonly send: Send;
  readonly time: Time;
  /** Told every step that is sent. */
  onStep(step: Call): void;
}

/** A server that answers nothing this often in a row is gone. */
const MAX_UNANSWERED = 3;

/**
 * Plays a scenario on the server. Yields the milliseconds that have to pass before it goes on, where they are waited
 * for.
 */
export async function* record(
  recorder: Recorder,
  scenario: Scenario,
  cast: Cast,
): AsyncGenerator<number, Recording> {
  const answers = new Map<string, Json>();
  const steps: RecordedStep[] = [];
  const { merchant, other } = cast;
  const isHeld = merchant.startsAt !== undefined;
  let unanswered = 0;
  const begun = (step: Step): RecordedStep => ({
    step,
    answers: [],
    at: undefined,
    sentAt: recorder.time.now(),
  });
  for (const step of scenario.steps) {
    const skip = (notAsked: string) => steps.push({ ...begun(step), notAsked });
    if (!isCall(step)) {
      if ('advance' in step && !isHeld) yield step.advance;
      else await ('advance' in step ? merchant.advance(step.advance) : merchant.rotateKey());
      steps.push(begun(step));
      continue;
    }
    const reason = reasonNotToSend(step, cast);
    if (reason !== undefined) {
      skip(reason);
      continue;
    }
    const sender = (step.by === 'other' ? other : merchant) as Merchant;
    const requests = (step.twice ? [1, 2] : [1]).map(() =>
      stepRequest({ base: recorder.base, key: sender.key, oldKey: sender.oldKey }, step, answers),
    );
    const [first] = requests;
    if (typeof first === 'string') {
      skip(first);
      continue;
    }
    recorder.onStep(step);
    const sent = begun(step);
    try {
      const received = await Promise.all(
        (requests as Request[]).map((request) => recorder.send(request)),
      );
      received.sort((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)));
      unanswered = 0;
      const [answer] = received as [ReceivedResponse];
      if (step.as !== undefined && isAccepted(answer)) {
        answers.set(step.as, valueAt(answer.body, 'data'));
      }
      steps.push({ ...sent, answers: received, at: dateOf(answer) });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      unanswered += 1;
      if (unanswered >= MAX_UNANSWERED) throw error;
      skip(`the server ${error.message}`);
    }
  }
  return {
    scenario,
    steps,
    startsAt: merchant.startsAt,
    isExclusive: merchant.isNew && other?.isNew !== false,
  };
}

function reasonNotToSend(
  { operation, by, sandboxOnly, rests }: Call,
  { merchant, other, isSandbox, noPurchase }: Cast,
): string | undefined {
  if (noPurchase !== undefined && !operation.readOnly) return noPurchase;
  if (by === 'other' && !other) return 'no second merchant is known; --other-key names one';
  if (sandboxOnly && !isSandbox) return 'it is sent to sandboxes only';
  if (rests?.includes('key-issue') && merchant.oldKey === undefined)
    return 'no key can be replaced';
  return undefined;
}

/** Whether a response says that the call was done. */
export const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success === undefined && status < 400);
};

/** The moment of a server's Date; undefined where it gives none, or is a sandbox, whose clocks may be moved. */
export function dateOf({ headers }: Pick<ReceivedResponse, 'headers'>): Instant | undefined {
  const date = headers.has('sandbox-request-id')
    ? Number.NaN
    : Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** How far a server's clock may be from its Date header. */
export const DATE_SLACK_MS = 2 * MINUTE_MS;

/** The moments at which the twin has to live each step so that its clock shows what the server's showed. */
export function momentsOf({ steps }: Recording, fallback: Instant): Instant[] {
  const known = steps.map(({ step, answers: [answer], at }) => {
    const written =
      isCall(step) && !step.operation.readOnly ? writtenAt(step.operation, answer) : undefined;
    const isNear =
      written !== undefined && (at === undefined || Math.abs(written - at) < DATE_SLACK_MS);
    return isNear ? written : at;
  });
  const first = known.findIndex((moment) => moment !== undefined);
  const start = (first === -1 ? fallback : known[first]) as Instant;
  const moments: Instant[] = [];
  let last = first <= 0 ? start : start - passed(steps, 0, first);
  for (const [place, moment] of known.entries()) {
    const next = moment ?? last + (place === 0 ? 0 : passed(steps, place - 1, place));
    last = Math.max(last, next);
    moments.push(last);
  }
  return moments;
}

/** How long it took from one step to another. */
const passed = (steps: readonly RecordedStep[], from: number, to: number): number =>
  (steps[to] as RecordedStep).sentAt - (steps[from] as RecordedStep).sentAt;

/**
 * When the service wrote the record in the answer of a verify or a renewal: the moment that most of its dates name, the
 * earliest of as many.
 */
export function writtenAt(
  { errors }: Pick<Operation, 'errors'>,
  answer: ReceivedResponse | undefined,
): Instant | undefined {
  const isNew = errors.includes('token_unknown');
  const fields = isNew ? ['created_at', 'updated_at', 'active_date'] : ['updated_at'];
  const named = fields.flatMap((field) => {
    const text = String(valueAt(answer?.body, `data.${field}`)).replace(' ', 'T');
    const moment = instantOf(text);
    return Number.isNaN(moment) ? [] : [Math.floor(moment / SECOND_MS) * SECOND_MS];
  });
  const count = (moment: Instant) => named.filter((each) => each === moment).length;
  return named.toSorted((a, b) => count(b) - count(a) || a - b)[0];
}
