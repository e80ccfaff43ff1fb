import type { Settings } from '../core/settings.ts';
import type { Instant } from '../core/time.ts';
import { type AssertionResult, assertResponse } from './assert-response.ts';
import { valueAt } from './assertions.ts';
import { buildRequest, NetworkError, type ReceivedResponse, type Send } from './client.ts';
import {
  advanceClock,
  type CallControl,
  readClock,
  rotateKey,
  type SecondMerchant,
} from './control-client.ts';
import { addResult, type Coverage } from './coverage.ts';
import type { Difference } from './differences.ts';
import type { Memory, Probe, ProbeRequest } from './probe.ts';
import { type ProbeResult, showValue, truncateLine } from './report.ts';
import type { MaskSecrets } from './secrets.ts';

/** A check under way. */
export interface ProbeContext {
  readonly base: string;
  readonly key: string;
  readonly settings: Settings;
  readonly readOnly: boolean;
  /** Whether the server has the control plane of a sandbox. */
  readonly controlled: boolean;
  readonly send: Send;
  readonly control: CallControl;
  readonly mask: MaskSecrets;
  /** What is hidden in everything that is reported. */
  readonly secrets: Set<string>;
  second: SecondMerchant | undefined;
  readonly memory: Memory;
  readonly coverage: Coverage;
  /** Requests in a row that got no response. */
  unanswered: number;
}

/** A server that answers nothing this often in a row is gone. */
const MAX_UNANSWERED = 3;
/** How far a server's clock may be from its Date header. */
const DATE_SLACK_MS = 120_000;

/** Sends a probe, holds the response against it, and remembers what later probes need. */
export async function runProbe(context: ProbeContext, probe: Probe): Promise<ProbeResult> {
  const request = requestOf(context, probe);
  if (typeof request === 'string') return skip(context, probe, request);
  const hindrance = await prepareSecond(context, probe);
  if (hindrance !== undefined) return skip(context, probe, hindrance);

  const { operationId } = probe.operation;
  const results = await assertResponses(context, probe, request);
  for (const result of results) addResult(context.coverage, result);
  const differences = results.flatMap(({ findings }) =>
    findings.map(
      ({ path, expected, seen, assumptions }): Difference => ({
        operation: operationId,
        path,
        expected: truncateLine(context.mask(expected)),
        seen: showValue(context.mask(seen)),
        decisions: assumptions,
      }),
    ),
  );
  const outcome = differences.length > 0 ? 'differs' : 'agrees';
  return { name: probe.name, operation: operationId, outcome, differences };
}

function skip({ coverage }: ProbeContext, probe: Probe, reason: string): ProbeResult {
  const { name, operation, assumptions = [] } = probe;
  for (const id of assumptions) coverage.skipped.set(id, reason);
  return { name, operation: operation.operationId, outcome: 'skipped', reason, differences: [] };
}

/** A probe's request, or why it can't be sent: it is not for this check, or earlier responses lack what it needs. */
function requestOf(context: ProbeContext, probe: Probe): ProbeRequest | string {
  const { readOnly, controlled, second, memory } = context;
  if (readOnly && (probe.needs || !probe.operation.readOnly)) {
    return '--read-only sends no purchase';
  }
  if (probe.needs && !controlled) {
    return "needs a sandbox's control plane, to move its clock and make a second merchant";
  }
  if (probe.needs === 'merchant' && second?.merchantId === undefined) {
    return 'needs a second merchant, and the control plane lets this caller make none';
  }
  try {
    return probe.request(memory);
  } catch (error) {
    if (error instanceof TypeError) return 'an earlier answer lacks what it needs';
    throw error;
  }
}

/** Moves the clock or changes the key of the second merchant, as a probe wants it; answers why that can't be done. */
async function prepareSecond(context: ProbeContext, probe: Probe): Promise<string | undefined> {
  const { control, second, memory, secrets } = context;
  if (!second) return undefined;
  if (probe.advanceBy && !(await advanceClock(control, second, probe.advanceBy))) {
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

async function assertResponses(
  context: ProbeContext,
  probe: Probe,
  probed: ProbeRequest,
): Promise<AssertionResult[]> {
  const { base, control, memory } = context;
  const key = (probe.needs && context.second?.key) ?? context.key;
  const request = buildRequest(base, probe.operation, key, probed);
  if (typeof request === 'string') {
    return [unsent('an address of this server', `${String(probed.url)} ${request}`)];
  }
  const before = probe.timed ? await readClock(control, key) : undefined;
  const responses = await sendAll(context, probe.twice ? [request, request.clone()] : [request]);
  if (responses instanceof NetworkError) {
    return [unsent('an answer', `the server ${responses.message}`)];
  }
  // Of two at once, either may be the one that is accepted.
  const [first, other] = responses.toSorted(
    (a, b) => Number(succeeded(b)) - Number(succeeded(a)),
  ) as [ReceivedResponse, ReceivedResponse?];
  if (probe.timed) {
    const after = before === undefined ? undefined : await readClock(control, key);
    memory.between =
      before === undefined || after === undefined ? dateHeaderOf(first) : [before, after];
  }
  if (probe.saveAs && succeeded(first)) memory[probe.saveAs] = valueAt(first.body, 'data');
  const results = [assertResponse(probe, first, context)];
  if (other && probe.twice) {
    const { assertions: _accepted, ...refused } = probe;
    results.push(assertResponse({ ...refused, refused: probe.twice }, other, context));
  }
  return results;
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

const unsent = (expected: string, seen: string): AssertionResult => ({
  findings: [{ path: '$', expected, seen, assumptions: [] }],
  confirmed: [],
  observed: [],
});
