/* The middleware that applies a fault before an operation, or to its response. */

import type { Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { happen } from '../world/activity.ts';
import { actAfter, readClock, wait } from '../world/clock.ts';
import { addDuration } from '../world/duration.ts';
import { refused } from '../world/errors.ts';
import { type FaultedResponse, faultKind, MAX_DELAY_MS } from '../world/fault-kinds.ts';
import {
  claimFault,
  describeFault,
  type Fault,
  maybeServed,
  noEffectReason,
  parseFault,
  spendClaim,
  tooLongReason,
} from '../world/faults.ts';
import { isJsonType } from '../world/json.ts';
import { onAbort } from '../world/platform.ts';
import { type Note, NotStoredError } from '../world/tables.ts';
import { MAX_INSTANT } from '../world/time.ts';
import { changedRows, lastNowOf, nowOf } from '../world/world.ts';
import { clockMoves, type WorldHappening } from '../world/world-events.ts';
import {
  ConnectionLost,
  type CutResponse,
  type MerchantContext,
  type MerchantEnv,
  type ResponseParts,
} from './context.ts';
import { record } from './journal.ts';
import { lastOfEach } from './request.ts';
import { respondInjected, toResponse } from './respond.ts';

/** Applies the fault of the observer, of the request header, or of the first matching rule, before or after the operation. */
export const faults = createMiddleware<MerchantEnv>((c, next) => {
  const requested = c.get('call').wantedFault ?? requestedFault(c);
  if (requested) return serveWithFault(c, next, requested);
  return c.get('world').faults.size === 0 ? next() : serveUnderRules(c, next);
});

async function serveUnderRules(c: MerchantContext, next: Next): Promise<void> {
  const call = c.get('call');
  const world = c.get('world');
  const claim = claimFault(world, {
    operation: call.operation?.operationId ?? null,
    body: call.body.json,
    query: lastOfEach(c.req.queries()),
  });
  call.claim = claim;
  try {
    await serveWithFault(c, next, claim.fault);
  } finally {
    world.fault_claims.delete(claim);
  }
}

async function serveWithFault(
  c: MerchantContext,
  next: Next,
  fault: Fault | undefined,
): Promise<void> {
  const call = c.get('call');
  const kind = fault && faultKind(fault.effect);
  const before = fault?.stage === 'before' ? kind?.before?.(fault.effect) : undefined;
  call.passes = before?.advanceBy;
  // Time that passes is stored with what the call then changes.
  const isStoredFirst = fault?.stage === 'before' && call.passes === undefined;
  if (isStoredFirst) {
    storeClaim(c);
    call.fault = fault;
  }
  const serves = maybeServed(fault);
  if (serves) {
    // Otherwise at once, so that no other call can move the clock before this one is handled.
    const delayMs = before?.delayMs;
    await (delayMs === undefined ? next() : serveAfter(delayMs, c, next));
  }
  if (!isStoredFirst) {
    // Nothing was done, so the fault has nothing to break.
    if (c.error instanceof NotStoredError) return;
    storeClaim(c);
    call.fault = fault;
  }
  if (!fault) return;
  if (fault.stage === 'after' || !serves) {
    await kind?.after?.(fault.effect, faultedResponse(c, fault));
  }
  replaceResponse(c, fault, call.response as ResponseParts);
}

/**
 * Runs the transaction of a call. It includes what the call takes from the fault rules, and the time that a fault lets
 * pass.
 */
export function transactCall<Result>(c: MerchantContext, work: () => Result): Result {
  const call = c.get('call');
  const world = c.get('world');
  const { claim, passes, now } = call;
  const onDone = (notes: readonly Note[]) => {
    call.changes = [...call.changes, ...changedRows(notes)];
  };
  if (!claim && passes === undefined) return world.tables.transact(work, { onDone });
  let moves: readonly WorldHappening[] = [];
  const spendAndWork = () => {
    if (claim) spendClaim(world, claim);
    if (passes !== undefined) moves = passTime(c, passes);
    return work();
  };
  try {
    const result = world.tables.transact(spendAndWork, { onDone });
    call.claim = undefined;
    call.passes = undefined;
    if (claim) world.fault_claims.delete(claim);
    // A World that was replaced meanwhile has no listeners.
    const { merchant } = call;
    if (merchant?.world !== world) return result;
    for (const move of moves) happen(c.env.merchants, merchant, world.journal, call.now, move);
    return result;
  } catch (error) {
    call.now = now;
    throw error;
  }
}

/** Moves the clock by a duration, at most to the end of clocks. The call goes on at that time. */
function passTime(c: MerchantContext, by: string): readonly WorldHappening[] {
  const world = c.get('world');
  const { clock, time } = world;
  const from = { now: readClock(clock, time.latest), mode: clock.mode };
  const to = { ...from, now: addDuration(from.now, by) ?? MAX_INSTANT };
  c.get('call').now = to.now;
  return clockMoves(from, to, c.env.merchants.moveClock(world, to.now, time.latest));
}

/** Stores what a call takes from the fault rules, if no transaction of its operation did. Throws `NotStoredError`. */
function storeClaim(c: MerchantContext): void {
  const { claim, passes } = c.get('call');
  if (!claim && passes === undefined) return;
  try {
    transactCall(c, () => undefined);
  } catch (error) {
    // Hono would add the headers of the response it replaces.
    c.res = undefined;
    throw error;
  }
}

function requestedFault(c: MerchantContext): Fault | undefined {
  const header = c.req.header('sandbox-fault');
  if (header === undefined) return undefined;
  const fault = parseFault(header);
  if (typeof fault === 'string') throw refused('malformed', fault);
  const refusalReason =
    noEffectReason(fault, c.env.merchants.breaksConnections) ??
    tooLongReason(fault.effect, c.get('call').now);
  if (refusalReason !== undefined) throw refused('malformed', refusalReason);
  return fault;
}

/**
 * Runs the operation later, even if its client has gone by then, as on a server: at the latest when the sandbox closes, the
 * merchant is removed or the process ends. Nothing can wait there, and operations are synchronous.
 */
async function serveAfter(ms: number, c: MerchantContext, next: Next): Promise<void> {
  const world = c.get('world');
  let served: Promise<void> | undefined;
  const run = async () => {
    c.get('call').now = nowOf(world);
    await next();
  };
  const serve = () => {
    if (served) return;
    served = run();
    // It may fail long before anybody waits for it.
    served.catch(() => {});
    record(c);
  };
  world.delayed.add(serve);
  await actAfter(ms, serve, c.env.connection.closing);
  world.delayed.delete(serve);
  await served;
}

/** A closing server ends a delay too, but its client still waits for the response. */
const isClientGone = (c: MerchantContext): boolean => c.req.raw.signal.aborted;

/** The signals that end a wait: the client gives up, or the server closes. */
const endsOf = (c: MerchantContext): readonly (AbortSignal | undefined)[] => [
  c.req.raw.signal,
  c.env.connection.closing,
];

/** The response of a call as a fault changes it: that of the operation, or one in its place if that did not run. */
function faultedResponse(c: MerchantContext, fault: Fault): FaultedResponse {
  const call = c.get('call');
  const served = call.response;
  const name = describeFault(fault);
  if (served) served.headers['sandbox-fault'] = name;
  /** Responds in place of the operation. */
  const inject = (status?: number): ResponseParts => {
    respondInjected(c, status);
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
      await wait(ms, ...endsOf(c));
      call.now = lastNowOf(c.get('world'));
      if (isClientGone(c)) lose();
    },
    async hang() {
      // The client may give up much later, so the journal shows the call now.
      record(c);
      await untilClientIsGone(c);
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
function untilClientIsGone(c: MerchantContext): Promise<void> {
  const ends = endsOf(c);
  // On some hosts the client's end is not reported. The host then ends the call.
  if (!c.env.merchants.breaksConnections) return wait(MAX_DELAY_MS, ...ends);
  return new Promise((resolve) => void onAbort(ends, resolve));
}

/** Sends the response with the header `Sandbox-Fault`. */
function replaceResponse(c: MerchantContext, fault: Fault, parts: ResponseParts): void {
  parts.headers['sandbox-fault'] = describeFault(fault);
  // Hono would add the headers of the response it replaces.
  c.res = undefined;
  c.res = toResponse(parts, c.env.connection);
}
