/* Applies a fault before an operation, or to its response. */

import { happen } from '../world/activity.ts';
import { actAfter, readClock, wait } from '../world/clock.ts';
import { addDuration } from '../world/duration.ts';
import { refused } from '../world/errors.ts';
import { type FaultedResponse, faultKind, MAX_DELAY_MS } from '../world/fault-kinds.ts';
import {
  claimFault,
  describeFault,
  type Fault,
  hasEndingRule,
  maybeServed,
  noEffectReason,
  parseFault,
  spendClaim,
  tooLongReason,
} from '../world/faults.ts';
import { isJsonType } from '../world/json.ts';
import type { MerchantOf } from '../world/merchant.ts';
import { onAbort } from '../world/platform.ts';
import type { Note } from '../world/tables.ts';
import { MAX_INSTANT } from '../world/time.ts';
import { changedRows, lastNowOf, nowOf, type WorldCore } from '../world/world.ts';
import type { WorldHappening } from '../world/world-events.ts';
import {
  type Connection,
  ConnectionLost,
  type CutResponse,
  type MerchantCall,
  type ResponseParts,
} from './context.ts';
import { record } from './journal.ts';
import { lastOfEach } from './request.ts';
import { renderRefusal, respondInjected, toResponse } from './respond.ts';

/** Runs the operation of a call, or throws its refusal. */
export type Run = (call: MerchantCall) => Response;

/** Runs an operation with the fault of the observer, of the request header, or of the first matching rule. */
export function serveUnderFaults(call: MerchantCall, run: Run): Response | Promise<Response> {
  const header = call.req.header('sandbox-fault');
  const requested =
    call.wantedFault ?? (header === undefined ? undefined : requestedFault(call, header));
  if (requested) return serveWithFault(call, run, requested);
  return call.world.faults.size === 0 ? run(call) : serveUnderRules(call, run);
}

async function serveUnderRules(call: MerchantCall, run: Run): Promise<Response> {
  const { world } = call;
  const claim = claimFault(world, {
    operation: call.operation?.operationId ?? null,
    body: call.body.json,
    query: lastOfEach(call.req.queries()),
  });
  call.claim = claim;
  try {
    return await serveWithFault(call, run, claim.fault);
  } finally {
    world.fault_claims.delete(claim);
  }
}

async function serveWithFault(
  call: MerchantCall,
  run: Run,
  fault: Fault | undefined,
): Promise<Response> {
  const kind = fault && faultKind(fault.effect);
  const before = fault?.stage === 'before' ? kind?.before?.(fault.effect) : undefined;
  call.passes = before?.advanceBy;
  // Time that passes is stored with what the call then changes.
  const isStoredFirst = fault?.stage === 'before' && call.passes === undefined;
  if (isStoredFirst) {
    storeClaim(call);
    call.fault = fault;
  }
  const serves = maybeServed(fault);
  let response: Response | undefined;
  if (serves) {
    // Otherwise at once, so that no other call can move the clock before this one is handled.
    const delayMs = before?.delayMs;
    response = delayMs === undefined ? runOrRefuse(call, run) : await runAfter(delayMs, call, run);
  }
  if (!isStoredFirst) {
    // Nothing was done, so the fault has nothing to break.
    if (response && call.problems[0]?.rule === 'not_saved') return response;
    storeClaim(call);
    call.fault = fault;
  }
  if (!fault) return response as Response;
  if (fault.stage === 'after' || !serves) {
    await kind?.after?.(fault.effect, faultedResponse(call, fault));
  }
  const parts = call.response as ResponseParts;
  parts.headers['sandbox-fault'] = describeFault(fault);
  return toResponse(parts, call.env.connection);
}

/** Returns a refusal too, because a fault acts on it as on a success. */
function runOrRefuse(call: MerchantCall, run: Run): Response {
  try {
    return run(call);
  } catch (error) {
    return renderRefusal(call, error);
  }
}

/**
 * Runs the transaction of a call. It includes what the call takes from the fault rules, and the time that a fault lets
 * pass.
 */
export function transactCall<Result>(call: MerchantCall, work: () => Result): Result {
  const { world, claim, passes, now } = call;
  const onDone = (notes: readonly Note[]) => {
    call.changes = [...call.changes, ...changedRows(notes)];
  };
  if (!claim && passes === undefined) return world.tables.transact(work, { onDone });
  let moves: readonly WorldHappening[] = [];
  const spendAndWork = () => {
    if (claim) spendClaim(world, claim);
    if (passes !== undefined) moves = passTime(call, passes);
    return work();
  };
  try {
    const result = world.tables.transact(spendAndWork, { onDone });
    call.claim = undefined;
    call.passes = undefined;
    if (claim) world.fault_claims.delete(claim);
    // A World that was replaced meanwhile has no listeners.
    const { merchant } = call;
    if (merchant.world !== world) return result;
    for (const move of moves) happen(call.env.merchants, merchant, world.journal, call.now, move);
    return result;
  } catch (error) {
    call.now = now;
    throw error;
  }
}

/** Moves the clock by a duration, at most to the end of clocks. The call goes on at that time. */
function passTime(call: MerchantCall, by: string): readonly WorldHappening[] {
  const { world } = call;
  const { latest } = world.time;
  call.now = addDuration(readClock(world.clock, latest), by) ?? MAX_INSTANT;
  return call.env.merchants.moveClock(world, call.now, latest).happened;
}

/** Stores what a call takes from the fault rules, if no transaction of its operation did. Throws `NotStoredError`. */
function storeClaim(call: MerchantCall): void {
  if (call.claim || call.passes !== undefined) transactCall(call, () => undefined);
}

function requestedFault({ env, now }: MerchantCall, header: string): Fault {
  const fault = parseFault(header);
  if (typeof fault === 'string') throw refused('malformed', fault);
  const refusalReason =
    noEffectReason(fault, env.merchants.breaksConnections) ?? tooLongReason(fault.effect, now);
  if (refusalReason !== undefined) throw refused('malformed', refusalReason);
  return fault;
}

/**
 * Runs the operation later, even if its client has gone by then, as on a server: at the latest when the sandbox closes, the
 * merchant is removed or the process ends. Nothing can wait there, and operations are synchronous.
 */
async function runAfter(ms: number, call: MerchantCall, run: Run): Promise<Response> {
  const { world, env } = call;
  let response: Response | undefined;
  const serve = () => {
    if (response) return;
    response = runOrRefuse(call, () => {
      call.now = nowOf(world);
      return run(call);
    });
    record(call);
  };
  world.delayed.add(serve);
  await actAfter(ms, serve, env.connection.closing);
  world.delayed.delete(serve);
  return response as unknown as Response;
}

/** A closing server ends a delay too, but its client still waits for the response. */
const isClientGone = ({ req }: MerchantCall): boolean => req.raw.signal.aborted;

/** The signals that end a wait: the client gives up, or the server closes. */
const endsOf = ({ req, env }: MerchantCall): readonly (AbortSignal | undefined)[] => [
  req.raw.signal,
  env.connection.closing,
];

/** The response of a call as a fault changes it: that of the operation, or one in its place if that did not run. */
function faultedResponse(call: MerchantCall, fault: Fault): FaultedResponse {
  const served = call.response;
  const name = describeFault(fault);
  if (served) served.headers['sandbox-fault'] = name;
  /** Responds in place of the operation. */
  const inject = (status?: number): ResponseParts => {
    respondInjected(call, status);
    const parts = call.response as ResponseParts;
    parts.headers['sandbox-fault'] = name;
    return parts;
  };
  const lose = (cut?: CutResponse): never => {
    throw new ConnectionLost(`fault: ${name}`, cut);
  };
  return {
    replace(status, headers = {}, body) {
      const parts = inject(status);
      for (const [header, value] of Object.entries(headers)) {
        parts.headers[header.toLowerCase()] = value;
      }
      if (body === undefined || parts.body === null) return;
      call.response = { ...parts, body: bodyText(body, parts) };
    },
    breakBody() {
      const parts = served ?? inject();
      call.problems = [];
      // Every body is an object. This one continues after its last field, and ends.
      const body = `${parts.body?.slice(0, -1)},`;
      call.response = { ...parts, status: 200, body };
    },
    async wait(ms) {
      await wait(ms, ...endsOf(call));
      call.now = lastNowOf(call.world);
      if (isClientGone(call)) lose();
    },
    async hang() {
      // The client may give up much later, so the journal shows the call now.
      record(call);
      await untilClientIsGone(call);
      lose();
    },
    lose() {
      const parts = served ?? inject();
      call.response = served;
      return lose({ sent: 'nothing', parts });
    },
    loseHalf: () => lose({ sent: 'half', parts: served ?? inject() }),
  };
}

/** The text of a fault's body: JSON, unless it is a text of another Content-Type, such as the HTML page of a gateway. */
const bodyText = (body: unknown, { headers }: ResponseParts): string =>
  typeof body === 'string' && !isJsonType(headers['content-type']) ? body : JSON.stringify(body);

/** Waits until the client gives up. */
function untilClientIsGone(call: MerchantCall): Promise<void> {
  const ends = endsOf(call);
  // On some hosts the client's end is not reported. The host then ends the call.
  if (!call.env.merchants.breaksConnections) return wait(MAX_DELAY_MS, ...ends);
  return new Promise((resolve) => void onAbort(ends, resolve));
}

/**
 * Lets a connection serve no other call while its World has a rule that ends connections. A client that uses one again
 * may send a lost call again by itself, and nobody would see the loss.
 */
export function endConnectionAfter(
  { endAfterResponse }: Connection,
  { world }: MerchantOf<WorldCore>,
): void {
  if (endAfterResponse && hasEndingRule(world)) endAfterResponse();
}
