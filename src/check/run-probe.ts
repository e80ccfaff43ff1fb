import type { Settings } from '../core/settings.ts';
import type { Instant } from '../core/time.ts';
import { type AssertionResult, assertResponse } from './assert-response.ts';
import { type Json, valueAt } from './assertions.ts';
import { corrected, type Sent } from './blame.ts';
import {
  buildRequest,
  DATE_SLACK_MS,
  NetworkError,
  type ReceivedResponse,
  type Send,
  type Time,
} from './client.ts';
import {
  advanceClock,
  type CallControl,
  msToDayEnd,
  readClock,
  rotateKey,
  type SecondMerchant,
} from './control-client.ts';
import { addResult, type Coverage } from './coverage.ts';
import type { Memory, Probe, ProbeRequest } from './probe.ts';
import type { MaskSecrets } from './secrets.ts';

/** A check under way. */
export interface ProbeContext {
  readonly base: string;
  readonly key: string;
  /** The key of another merchant, which the user named. */
  readonly otherKey: string | undefined;
  readonly settings: Settings;
  /** Why nothing is bought or renewed; undefined where it is. */
  readonly noPurchase: string | undefined;
  /** Whether the server has the control plane of a sandbox. */
  readonly controlled: boolean;
  readonly time: Time;
  readonly send: Send;
  readonly control: CallControl;
  readonly mask: MaskSecrets;
  /** What is hidden in everything that is reported. */
  readonly secrets: Set<string>;
  /** What there is to say that is no difference. */
  readonly notes: Set<string>;
  second: SecondMerchant | undefined;
  readonly memory: Memory;
  /** When what is in memory was answered, by the clock of this check. */
  readonly answeredAt: Map<string, number>;
  readonly coverage: Coverage;
  /** Requests in a row that got no response. */
  unanswered: number;
}

/** A server that answers nothing this often in a row is gone. */
const MAX_UNANSWERED = 3;

/** A probe that was sent, or why it was not. */
export type ProbeRun = { readonly probe: Probe } & ({ readonly skipped: string } | Sent);

/** Sends a probe, holds the response against it, and remembers what later probes need. */
export async function runProbe(context: ProbeContext, probe: Probe): Promise<ProbeRun> {
  const request = requestOf(context, probe);
  if (typeof request === 'string') return skip(context, probe, request);
  const hindrance = await prepareSecond(context, probe);
  if (hindrance !== undefined) return skip(context, probe, hindrance);

  const { results, data } = await assertResponses(context, probe, request);
  for (const { confirmed, observed } of results) addResult(context.coverage, confirmed, observed);
  const findings = results.flatMap((result) => result.findings);
  if (probe.saveAs && data !== undefined) {
    context.memory[probe.saveAs] = corrected(data, findings);
    context.answeredAt.set(probe.saveAs, context.time.now());
  }
  const held = results.flatMap((result) => result.held);
  const { operationId: operation } = probe.operation;
  return { probe, operation, input: request.input, data, findings, held };
}

function skip({ coverage }: ProbeContext, probe: Probe, reason: string): ProbeRun {
  for (const id of probe.assumptions ?? []) coverage.skipped.set(id, reason);
  return { probe, skipped: reason };
}

/** A probe's request, or why it can't be sent: it is not for this check, or earlier responses lack what it needs. */
function requestOf(context: ProbeContext, probe: Probe): ProbeRequest | string {
  const unfit = whyNot(context, probe);
  if (unfit !== undefined) return unfit;
  try {
    return probe.request(context.memory);
  } catch (error) {
    if (error instanceof TypeError) return 'an earlier answer lacks what it needs';
    throw error;
  }
}

/** Why a check as this one does not send a probe. */
function whyNot(context: ProbeContext, { needs, operation, after }: Probe): string | undefined {
  const { noPurchase, controlled, second, otherKey, time, answeredAt } = context;
  const own = needs === 'clock' || needs === 'merchant';
  if (noPurchase !== undefined && (own || !operation.readOnly)) return noPurchase;
  if (needs === 'control' && !controlled) {
    return 'could change something, so that only a sandbox is asked';
  }
  if (own && !controlled) {
    return "needs a sandbox's control plane, to move its clock and make a second merchant";
  }
  const isMinted = second?.merchantId !== undefined;
  if (needs === 'merchant' && !isMinted) {
    return 'needs a second merchant, and the control plane lets this caller make none';
  }
  if (needs === 'other' && otherKey === undefined && !isMinted) {
    return 'needs another merchant: --other-key, or a control plane that lets this caller make one';
  }
  if (
    after?.before !== undefined &&
    time.now() > (answeredAt.get(after.saved) ?? 0) + after.before
  ) {
    return 'came too late to show anything';
  }
  return undefined;
}

/** Moves the clock or changes the key of the second merchant, as a probe wants it; answers why that can't be done. */
async function prepareSecond(context: ProbeContext, probe: Probe): Promise<string | undefined> {
  const { control, second, memory, secrets } = context;
  if (!second) return undefined;
  const by = probe.atDayEnd ? await msToDayEnd(control, second) : probe.advanceBy;
  if (by && !(await advanceClock(control, second, by))) {
    return 'the clock of the control plane did not move';
  }
  if (!probe.rotateKey) return undefined;
  const renewed = await rotateKey(control, second);
  if (!renewed) return 'the control plane gave no new key';
  memory.oldKey = second.key;
  context.second = renewed;
  secrets.add(renewed.key);
  return undefined;
}

interface Asserted {
  readonly results: readonly AssertionResult[];
  /** The data of its success. */
  readonly data: Json;
}

async function assertResponses(
  context: ProbeContext,
  probe: Probe,
  probed: ProbeRequest,
): Promise<Asserted> {
  const { base, control, memory } = context;
  const key = keyOf(context, probe);
  const request = buildRequest(base, probe.operation, key, probed);
  if (typeof request === 'string') {
    return unsent('an address of this server', `${String(probed.url)} ${request}`);
  }
  if (probed.url !== undefined) noteHost(context, probed.url);
  const before = probe.timed ? await readClock(control, key) : undefined;
  const responses = await sendAll(context, probe.twice ? [request, request.clone()] : [request]);
  if (responses instanceof NetworkError)
    return unsent('an answer', `the server ${responses.message}`);
  // Of two at once, either may be the one that is accepted.
  const [first, other] = responses.toSorted(
    (a, b) => Number(succeeded(b)) - Number(succeeded(a)),
  ) as [ReceivedResponse, ReceivedResponse?];
  if (probe.timed) {
    const after = before === undefined ? undefined : await readClock(control, key);
    memory.between =
      before === undefined || after === undefined ? dateHeaderOf(first) : [before, after];
  }
  const data = succeeded(first) ? valueAt(first.body, 'data') : undefined;
  if (probe.saveAs && data !== undefined) memory[probe.saveAs] = data;
  if (probe.saveRefusalAs) memory[probe.saveRefusalAs] = valueAt(first.body, 'data.error');
  const results = [assertResponse(probe, first, context)];
  if (other && probe.twice) {
    const { assertions: _accepted, ...refused } = probe;
    results.push(assertResponse({ ...refused, refused: probe.twice }, other, context));
  }
  return { results, data };
}

/** The key of the merchant a probe is sent by. */
function keyOf({ key, otherKey, second }: ProbeContext, { needs }: Probe): string {
  if (needs === 'other') return otherKey ?? (second as SecondMerchant).key;
  return needs === 'clock' || needs === 'merchant' ? (second as SecondMerchant).key : key;
}

/** An address with another host than the one that is checked is no difference: there may be a proxy between. */
function noteHost({ base, notes }: ProbeContext, address: string): void {
  const { origin } = new URL(address);
  if (origin === new URL(base).origin) return;
  notes.add(
    `Page URLs lead to ${origin}: they were followed by path and query on the address given.`,
  );
}

async function sendAll(context: ProbeContext, requests: readonly Request[]) {
  try {
    const responses = await Promise.all(requests.map(context.send));
    context.unanswered = 0;
    return responses;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    context.unanswered += 1;
    if (context.unanswered >= MAX_UNANSWERED) throw error;
    return error;
  }
}

const succeeded = ({ body }: ReceivedResponse): boolean => valueAt(body, 'success') === true;

function dateHeaderOf({ headers }: ReceivedResponse): readonly [Instant, Instant] | undefined {
  const at = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? undefined : [at - DATE_SLACK_MS, at + DATE_SLACK_MS];
}

const unsent = (expected: string, seen: string): Asserted => ({
  results: [
    {
      findings: [{ path: '$', expected, seen, assumptions: [] }],
      confirmed: [],
      held: [],
      observed: [],
    },
  ],
  data: undefined,
});
