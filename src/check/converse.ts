import type { Settings } from '../core/settings.ts';
import { unknownRouteEnvelope } from '../http/envelope.ts';
import type { Operation } from '../http/operation.ts';
import { anyFamilies } from '../products/world.ts';
import { NoReply, type Reply, type Send } from './connection.ts';
import { type Ask, type Control, letPass, readMoment, rotate } from './control.ts';
import { judge } from './judge.ts';
import type { Call, Json, Memory, Probe } from './probe.ts';
import type { Redact } from './redact.ts';
import type { Difference, ProbeResult } from './report.ts';
import { requestOf } from './requests.ts';
import { shortly, show } from './show.ts';
import { count, type Tally } from './tally.ts';
import type { Verdict } from './verdict.ts';

/** A check under way. */
export interface Conversation {
  readonly base: string;
  readonly key: string;
  readonly settings: Settings;
  readonly readOnly: boolean;
  readonly controlled: boolean;
  readonly send: Send;
  readonly ask: Ask;
  readonly redact: Redact;
  /** What is hidden in everything that is told. */
  readonly secrets: Set<string>;
  second: Control | undefined;
  readonly memory: Memory;
  readonly tally: Tally;
  /** Requests in a row that got no answer. */
  silent: number;
}

/** A server that keeps silent this often in a row is gone. */
const MOST_SILENT = 3;
/** How far a server's clock may be from its Date header. */
const DATE_SLACK_MS = 120_000;

/** The name that calls of no operation are told under. */
export const UNKNOWN_ROUTE = 'unknownRoute';

const operations = anyFamilies.flatMap((family) => family.operations);

function operationOf(operationId: string): Operation {
  const known = operations.find((operation) => operation.operationId === operationId);
  if (known) return known;
  const path = '/api/merchant/sandbox_check_no_such_route';
  const [any] = operations as [Operation];
  return {
    ...any,
    operationId,
    path,
    method: 'get',
    readOnly: true,
    envelope: unknownRouteEnvelope,
  };
}

/** Sends a probe, judges the answer, and remembers what later probes need. */
export async function runProbe(talk: Conversation, probe: Probe): Promise<ProbeResult> {
  const { name, operation: operationId } = probe;
  const skip = (reason: string): ProbeResult => {
    for (const id of probe.decisions ?? []) talk.tally.skipped.set(id, reason);
    return { name, operation: operationId, outcome: 'skipped', reason, differences: [] };
  };
  const reason = unfit(talk, probe);
  if (reason) return skip(reason);
  const call = callOf(probe, talk.memory);
  if (typeof call === 'string') return skip(call);
  if (probe.advance && talk.second && !(await letPass(talk.ask, talk.second, probe.advance))) {
    return skip('the clock of the control plane did not move');
  }
  if (probe.rotate && talk.second) {
    const renewed = await rotate(talk.ask, talk.second);
    if (!renewed) return skip('the control plane gave no new key');
    talk.memory.oldKey = talk.second.key;
    talk.second = renewed;
    talk.secrets.add(renewed.key);
  }

  const key = probe.as ? (talk.second?.key ?? talk.key) : talk.key;
  const operation = operationOf(operationId);
  const request = requestOf(talk.base, operation, key, call);
  const verdicts =
    typeof request === 'string'
      ? [lost(`an address of this server`, `${String(call.url)} ${request}`)]
      : await verdictsOf(talk, probe, operation, request, key);
  for (const verdict of verdicts) count(talk.tally, verdict);
  const differences = verdicts.flatMap(({ findings }) =>
    findings.map(
      ({ path, expected, seen, decisions }): Difference => ({
        operation: operationId,
        path,
        expected: shortly(talk.redact(expected)),
        seen: show(talk.redact(seen)),
        decisions,
      }),
    ),
  );
  return {
    name,
    operation: operationId,
    outcome: differences.length > 0 ? 'differs' : 'agrees',
    differences,
  };
}

/** Why a probe is not for this server, or not for this check. */
function unfit({ readOnly, controlled, second }: Conversation, probe: Probe): string | undefined {
  if (readOnly && (probe.as || !operationOf(probe.operation).readOnly)) {
    return '--read-only sends no purchase';
  }
  if (!probe.as || probe.as === 'own') return undefined;
  if (!controlled)
    return "needs a sandbox's control plane, to move its clock and make a second merchant";
  if (probe.as === 'minted' && second?.merchantId === undefined) {
    return 'needs a second merchant, and the control plane lets this caller make none';
  }
  return undefined;
}

/** A probe's request; what it needs of earlier answers may be missing from them. */
function callOf(probe: Probe, memory: Memory): Call | string {
  try {
    return probe.call(memory);
  } catch (error) {
    if (error instanceof TypeError) return 'an earlier answer lacks what it needs';
    throw error;
  }
}

async function verdictsOf(
  talk: Conversation,
  probe: Probe,
  operation: Operation,
  request: Request,
  key: string,
): Promise<Verdict[]> {
  const { settings, memory } = talk;
  const bench = { operation, settings, memory };
  const before = probe.timed ? await readMoment(talk.ask, key) : undefined;
  const again = probe.twice ? request.clone() : undefined;
  let replies: Reply[];
  try {
    replies = await Promise.all([talk.send(request), ...(again ? [talk.send(again)] : [])]);
    talk.silent = 0;
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    talk.silent += 1;
    if (talk.silent >= MOST_SILENT) throw error;
    return [lost('an answer', `the server ${error.message}`)];
  }
  replies.sort((a, b) => Number(succeeded(b)) - Number(succeeded(a)));
  const [first, other] = replies as [Reply, Reply | undefined];
  if (probe.timed) {
    const after = before === undefined ? undefined : await readMoment(talk.ask, key);
    memory.between = after === undefined ? byDateHeader(first) : [before, after];
  }
  if (probe.keep && succeeded(first)) memory[probe.keep] = (first.body as Json).data;
  const verdicts = [judge(probe, first, bench)];
  if (other && probe.twice) {
    const { claims: _claims, ...rest } = probe;
    verdicts.push(judge({ ...rest, refused: probe.twice }, other, bench));
  }
  return verdicts;
}

const succeeded = ({ body }: Reply): boolean => (body as Json)?.success === true;

function byDateHeader({ headers }: Reply): readonly [number, number] | undefined {
  const at = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? undefined : [at - DATE_SLACK_MS, at + DATE_SLACK_MS];
}

const lost = (expected: string, seen: string): Verdict => ({
  findings: [{ path: '$', expected, seen, decisions: [] }],
  confirmed: [],
  observed: [],
});
