/* Plays the scenarios on a server, and records its responses with their times. */

import type { Operation } from '../../api/operation.ts';
import { NetworkError, type ReceivedResponse, type Send } from '../../kit/receive.ts';
import { valueAt } from '../../scenarios/json.ts';
import { isAccepted, writtenMoment } from '../../scenarios/received.ts';
import { stepRequest } from '../../scenarios/requests.ts';
import { isCall, type Scenario, type ScenarioCall, type Step } from '../../scenarios/scenario.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../world/time.ts';
import { type CheckTime, dateOf } from './client.ts';
import type { CheckedMerchant } from './merchants.ts';
import { type NamedResponse, withContractNames } from './names.ts';

/** The result of a step on the server. */
export interface RecordedStep {
  readonly step: Step;
  /** The responses, successes first; several if it was sent twice, none if it was not sent. */
  readonly answers: readonly NamedResponse[];
  /** The time of the response, from its Date header; undefined without one. */
  readonly at: Instant | undefined;
  /** When it was sent, by the clock of this machine. */
  readonly sentAt: Instant;
  /** Why it was not sent. */
  readonly notAsked?: string;
}

/** A scenario with the server's responses. */
export interface Recording {
  readonly scenario: Scenario;
  readonly steps: readonly RecordedStep[];
  /** The merchant's time at the start; undefined if the check cannot move its clock. */
  readonly startsAt: Instant | undefined;
  /** Whether the merchant had no records before. */
  readonly isExclusive: boolean;
}

/** A scenario that was not played, and why. */
export interface Skipped {
  readonly scenario: Scenario;
  readonly reason: string;
}

/** The merchants of a scenario. */
export interface ScenarioMerchants {
  readonly merchant: CheckedMerchant;
  readonly other: CheckedMerchant | undefined;
}

/** Plays scenarios on a server. */
interface Recorder {
  readonly base: string;
  readonly send: Send;
  readonly time: CheckTime;
  readonly isSandbox: boolean;
  /** Why the check buys and renews nothing; undefined if it does. */
  readonly noPurchase: string | undefined;
  /** Whether clocks can be moved. */
  readonly hasClock: boolean;
  /** Whether to wait in real time otherwise. */
  readonly waitExpiry: boolean;
  merchantsFor(scenario: Scenario): Promise<ScenarioMerchants>;
  onProgress(what: string): void;
}

/** Plays scenarios one after the other. Those that wait start first and end last. */
export async function recordAll(
  recorder: Recorder,
  scenarios: readonly Scenario[],
): Promise<{ recordings: Recording[]; skipped: Skipped[] }> {
  const { time, onProgress } = recorder;
  const recordings: Recording[] = [];
  const skipped: Skipped[] = [];
  const waiting: { due: Instant; playing: AsyncGenerator<number, Recording> }[] = [];
  const total = scenarios.flatMap(({ steps }) => steps.filter(isCall)).length;
  let sent = 0;
  const onStep = ({ operation, shows }: ScenarioCall): void => {
    sent += 1;
    onProgress(`${sent} of ${total}  ${operation.operationId} ${shows}`);
  };
  const resume = async (playing: AsyncGenerator<number, Recording>): Promise<void> => {
    const { done, value } = await playing.next();
    if (done) recordings.push(value);
    else waiting.push({ due: time.now() + value, playing });
  };
  const waits = ({ needs }: Scenario) => Number(needs === 'wait');
  for (const scenario of scenarios.toSorted((a, b) => waits(b) - waits(a))) {
    if (isReplaced(scenario, recorder)) continue;
    if (scenario.needs === 'clock' && !recorder.hasClock) {
      const noClock = 'the server has no control plane to move the clock';
      skipped.push({ scenario, reason: recorder.noPurchase ?? noClock });
      continue;
    }
    const merchants = await recorder.merchantsFor(scenario);
    try {
      await resume(record(recorder, scenario, merchants, onStep));
    } finally {
      await merchants.merchant.done();
    }
  }
  for (let next = nextOf(waiting); next; next = nextOf(waiting)) {
    await waitUntil(recorder, next.due);
    await resume(next.playing);
  }
  return { recordings, skipped };
}

/** Whether another scenario replaces this one, or the user did not enable it. */
const isReplaced = ({ needs }: Scenario, { hasClock, waitExpiry }: Recorder): boolean =>
  needs === 'records' ? hasClock : needs === 'wait' && (hasClock || !waitExpiry);

/** Takes the item that is due first. */
function nextOf<T extends { due: Instant }>(waiting: T[]): T | undefined {
  waiting.sort((a, b) => a.due - b.due);
  return waiting.shift();
}

async function waitUntil({ time, onProgress }: Recorder, at: Instant): Promise<void> {
  for (let left = at - time.now(); left > 0; left = at - time.now()) {
    const seconds = Math.ceil(left / SECOND_MS);
    const rest = String(seconds % (MINUTE_MS / SECOND_MS)).padStart(2, '0');
    onProgress(`waiting ${Math.floor(seconds / 60)}:${rest} for tokens to expire`);
    await time.wait(Math.min(left, SECOND_MS));
  }
}

/** After so many requests without a response in a row, the check gives up. */
const MAX_UNANSWERED = 3;

/**
 * Plays a scenario on the server. Yields the milliseconds to wait before it continues, if the clock cannot be moved.
 */
async function* record(
  recorder: Recorder,
  scenario: Scenario,
  { merchant, other }: ScenarioMerchants,
  onStep: (step: ScenarioCall) => void,
): AsyncGenerator<number, Recording> {
  const { base, send, time } = recorder;
  const answers = new Map<string, unknown>();
  const steps: RecordedStep[] = [];
  let unanswered = 0;
  for (const step of scenario.steps) {
    const begun = () => ({ step, answers: [], at: undefined, sentAt: time.now() });
    const skip = (notAsked: string) => steps.push({ ...begun(), notAsked });
    if (!isCall(step)) {
      if ('rotateKey' in step) await merchant.rotateKey();
      else if (merchant.startsAt === undefined) yield step.advance;
      else await merchant.advance(step.advance);
      steps.push(begun());
      continue;
    }
    const sender = step.by === 'other' ? other : merchant;
    const reason = reasonNotToSend(step, recorder, sender);
    if (reason !== undefined || !sender) {
      skip(reason ?? NO_OTHER);
      continue;
    }
    const request = () => stepRequest({ ...sender, base }, step, answers);
    const first = request();
    if (typeof first === 'string') {
      skip(first);
      continue;
    }
    onStep(step);
    const sent = begun();
    const requests = step.twice ? [first, request() as Request] : [first];
    try {
      const received = await Promise.all(
        requests.map(async (each) => withContractNames(step.operation, await send(each))),
      );
      received.sort((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)));
      unanswered = 0;
      const [answer] = received as [NamedResponse];
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
  const isExclusive = merchant.isNew && other?.isNew !== false;
  return { scenario, steps, startsAt: merchant.startsAt, isExclusive };
}

const NO_OTHER = 'requires a second merchant; use --other-key';

function reasonNotToSend(
  { operation, sandboxOnly, rests }: ScenarioCall,
  { isSandbox, noPurchase }: Recorder,
  sender: CheckedMerchant | undefined,
): string | undefined {
  if (noPurchase !== undefined && !operation.readOnly) return noPurchase;
  if (!sender) return NO_OTHER;
  if (sandboxOnly && !isSandbox) return 'sent to sandboxes only';
  if (rests?.includes('key-issue') && sender.oldKey === undefined)
    return 'the key cannot be rotated';
  return undefined;
}

/** How far a server's clock may be from its Date header. */
export const DATE_SLACK_MS = 2 * MINUTE_MS;

/** The times to which the twin's clock is set for each step, to match the server's. */
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

/** The time between two steps. */
const passed = (steps: readonly RecordedStep[], from: number, to: number): number =>
  (steps[to] as RecordedStep).sentAt - (steps[from] as RecordedStep).sentAt;

/**
 * When the service wrote the record in the response to a verify or a renewal: the most frequent of its dates, or the
 * earliest of them on a tie.
 */
export function writtenAt(
  { errors }: Pick<Operation, 'errors'>,
  answer: ReceivedResponse | undefined,
): Instant | undefined {
  const isNew = errors.includes('token_unknown');
  const fields = isNew ? ['created_at', 'updated_at', 'active_date'] : ['updated_at'];
  const named = fields.flatMap((field) => {
    const moment = writtenMoment(String(valueAt(answer?.body, `data.${field}`)));
    return Number.isNaN(moment) ? [] : [moment];
  });
  const count = (moment: Instant) => named.filter((each) => each === moment).length;
  return named.toSorted((a, b) => count(b) - count(a) || a - b)[0];
}
