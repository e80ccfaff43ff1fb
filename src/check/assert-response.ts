import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { assertRefusal } from './assert-refusal.ts';
import { type Json, jsonPath, valueAt } from './assertions.ts';
import type { ReceivedResponse } from './client.ts';
import { schemaMismatches } from './contract.ts';
import {
  contradiction,
  type Finding,
  type Held,
  is,
  type Outcome,
  type Outcomes,
  outcome,
  statusIs,
} from './outcomes.ts';
import type { Memory, Observation, Probe } from './probe.ts';

/** What a response is held against, besides its probe. */
export interface AssertionContext {
  /** The assumptions as they are expected to be taken. */
  readonly settings: Settings;
  readonly memory: Memory;
}

/** What one response tells. */
export interface AssertionResult {
  /** One for each place. */
  readonly findings: readonly Finding[];
  /** The assumptions it agrees with, one for each time it does. */
  readonly confirmed: readonly AssumptionId[];
  readonly held: readonly Held[];
  readonly observed: readonly Observation[];
}

/** Holds the response to a probe against what the probe, the contract and the assumptions say. */
export function assertResponse(
  probe: Probe,
  response: ReceivedResponse,
  context: AssertionContext,
): AssertionResult {
  const findings = new Map<string, Finding>();
  const confirmed: AssumptionId[] = [];
  const held: Held[] = [];
  const observed: Observation[] = [];
  for (const each of assertBody(probe, response, context)) {
    if (!('holds' in each)) observed.push(each);
    else if (each.holds) {
      confirmed.push(...each.assumptions);
      if (each.value !== undefined) held.push(each);
    } else findings.set(each.path, merge(findings.get(each.path), each));
  }
  // Where it has not that form was told already.
  if (findings.size > 1 && findings.get('$.data')?.expected === UNFIT) findings.delete('$.data');
  return { findings: [...findings.values()], confirmed, held, observed };
}

const UNFIT = 'data of the declared form';

/** A place is named once; what else is found there only adds the assumptions it contradicts. */
const merge = (first: Finding | undefined, { holds: _differs, ...next }: Outcome): Finding =>
  first
    ? { ...next, ...first, assumptions: [...new Set([...first.assumptions, ...next.assumptions])] }
    : next;

function* assertBody(
  probe: Probe,
  response: ReceivedResponse,
  context: AssertionContext,
): Outcomes {
  const { status, headers, text, body } = response;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const seen = `${status} ${headers.get('content-type') ?? 'no type'}: ${text}`;
    yield outcome(false, '$', 'a JSON object', seen, 'error-envelope');
    return;
  }
  const { refused: code, assumptions = [], shows } = probe;
  const success = valueAt(body, 'success');
  if (success === undefined && status >= 500) {
    // A server that fails has neither accepted nor refused: that confirms nothing.
    const due = code ? inWords(code, context.settings) : '200';
    yield outcome(false, 'status', due, { status, body }, 'http-status');
    return;
  }
  const refused = success === false || (success === undefined && status >= 400);
  if (shows) {
    const { assumption, ifRefused, ifAccepted } = shows;
    yield { assumption, value: refused ? ifRefused : ifAccepted };
  }
  const expected = code ? `false: ${inWords(code, context.settings)}` : 'true';
  const seen = contradiction(status, refused) ?? (code ? success : { status, body });
  yield outcome(refused === Boolean(code), '$.success', expected, seen, ...assumptions);
  if (code && refused) yield* assertRefusal(probe, code, response, context.settings);
  if (!code && !refused) yield* assertSuccess(probe, response, context);
}

const inWords = (code: ErrorCode | 'unknown', { statuses }: Settings): string =>
  code === 'unknown' ? 'refused' : `refused with ${statuses[code]}`;

function* assertSuccess(
  probe: Probe,
  { status, body }: ReceivedResponse,
  { settings, memory }: AssertionContext,
): Outcomes {
  const { operationId, envelope } = probe.operation;
  const success = probe.operation.successUnder(settings);
  yield statusIs(200, status, false);
  for (const mismatch of schemaMismatches(success, body)) yield { ...mismatch, holds: false };
  const message = valueAt(body, envelope.messageKey);
  const expected = settings.messages.success[operationId] ?? envelope.message;
  yield { assumption: 'success-messages', key: operationId, value: message };
  yield is(`$.${envelope.messageKey}`, expected, message, 'success-messages');
  yield* assertData(probe, valueAt(body, 'data'), memory);
}

/** What a probe has to say of the data; data too far from its form says nothing more. */
function* assertData(probe: Probe, data: Json, memory: Memory): Outcomes {
  try {
    yield* probe.observe?.(data ?? {}, memory) ?? [];
    for (const assertion of probe.assertions?.(data ?? {}, memory) ?? []) {
      const { path, expected, assumptions, value, disputed } = assertion;
      const seen = valueAt(data, path);
      const holds = assertion.holds(seen);
      const place = jsonPath(['data', ...(path === '' ? [] : path.split('.'))]);
      // A page has hundreds of such places: spreading one object into another takes most of the time.
      yield { holds, path: place, expected, seen, assumptions, value, disputed };
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield outcome(false, '$.data', UNFIT, data ?? {});
  }
}
