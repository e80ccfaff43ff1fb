/* The middleware that applies a fault before an operation, or to its response. */

import type { Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { announce } from '../world/activity.ts';
import { clockAt, readClock, wait, waitUnheld } from '../world/clock.ts';
import { addDuration } from '../world/duration.ts';
import { refused } from '../world/errors.ts';
import {
  claimFault,
  describeFault,
  type Fault,
  MAX_DELAY_MS,
  maybeServed,
  noEffectReason,
  parseFault,
  spendClaim,
  tooLongReason,
} from '../world/faults.ts';
import { isJsonType, joinBody } from '../world/json.ts';
import { onAbort } from '../world/platform.ts';
import { type Note, NotStoredError } from '../world/tables.ts';
import { type Instant, MAX_INSTANT } from '../world/time.ts';
import { changedRows, lastNowOf, nowOf, type WorldCore } from '../world/world.ts';
import {
  ConnectionLost,
  type CutResponse,
  type MerchantContext,
  type MerchantEnv,
  type ResponseParts,
} from './context.ts';
import { record } from './journal.ts';
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
  const claim = claimFault(world, call.operation?.operationId ?? null, call.body.json);
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
  if (fault?.effect.kind === 'advance') call.passes = fault.effect.by;
  // Time that passes is stored with what the call then changes.
  const isStoredFirst = fault?.stage === 'before' && call.passes === undefined;
  if (isStoredFirst) {
    storeClaim(c);
    call.fault = fault;
  }
  const serves = maybeServed(fault);
  if (serves) {
    // Otherwise at once, so that no other call can move the clock before this one is handled.
    if (fault?.stage === 'before' && fault.effect.kind === 'delay') await delay(c, fault.effect.ms);
    await next();
  }
  if (!isStoredFirst) {
    // Nothing was done, so the fault has nothing to break.
    if (c.error instanceof NotStoredError) return;
    storeClaim(c);
    call.fault = fault;
  }
  if (!fault) return;
  if (fault.stage === 'after' || !serves) await applyFault(c, fault);
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
  const spendAndWork = () => {
    if (claim) spendClaim(world, claim);
    if (passes !== undefined) call.now = moveClock(world, passes);
    return work();
  };
  try {
    const result = world.tables.transact(spendAndWork, { onDone });
    call.claim = undefined;
    call.passes = undefined;
    if (claim) world.fault_claims.delete(claim);
    if (passes !== undefined) announceClock(c);
    return result;
  } catch (error) {
    call.now = now;
    throw error;
  }
}

/** Moves the clock by a duration, at most to the end of clocks. Returns the new time. */
function moveClock(world: WorldCore, by: string): Instant {
  const { clock, time } = world;
  const to = addDuration(readClock(clock, time.latest), by) ?? MAX_INSTANT;
  world.clock = clockAt(clock.mode, to, time.latest);
  return to;
}

/** Tells listeners that the clock moved. */
function announceClock(c: MerchantContext): void {
  const { merchant } = c.get('call');
  // A World that was replaced meanwhile has no listeners.
  if (merchant?.world !== c.get('world')) return;
  announce(c.env.merchants.activity, { kind: 'world', merchant, change: 'clock' });
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

/** Waits before the operation, which then runs even if its client has gone, as on a server. */
async function delay(c: MerchantContext, ms: number): Promise<void> {
  await waitUnheld(ms, c.env.connection.closing);
  c.get('call').now = nowOf(c.get('world'));
}

/** A closing server ends a delay too, but its client still waits for the response. */
const isClientGone = (c: MerchantContext): boolean => c.req.raw.signal.aborted;

/** The signals that end a wait: the client gives up, or the server closes. */
const endsOf = (c: MerchantContext): readonly (AbortSignal | undefined)[] => [
  c.req.raw.signal,
  c.env.connection.closing,
];

/** Changes the response, injects one if the operation did not run, or ends the connection. */
async function applyFault(c: MerchantContext, fault: Fault): Promise<void> {
  const { effect } = fault;
  const call = c.get('call');
  const served = call.response;
  if (effect.kind === 'respond' || !served) respondInjected(c, effect);
  const parts = call.response as ResponseParts;
  parts.headers['sandbox-fault'] = describeFault(fault);
  const lose = (sent?: CutResponse['sent']): never => {
    throw new ConnectionLost(`fault: ${describeFault(fault)}`, sent && { sent, parts });
  };
  switch (effect.kind) {
    case 'delay':
      await wait(effect.ms, ...endsOf(c));
      call.now = lastNowOf(c.get('world'));
      if (!isClientGone(c)) return;
      call.response = served;
      lose();
      return;
    case 'respond':
      for (const [name, value] of Object.entries(effect.headers ?? {})) {
        parts.headers[name.toLowerCase()] = value;
      }
      if (effect.body !== undefined && parts.body !== null) {
        call.response = { ...parts, body: bodyText(effect.body, parts) };
      }
      return;
    case 'malformed':
      call.problems = [];
      // Every body is an object. This one continues after its last field, and ends.
      call.response = {
        ...parts,
        status: 200,
        body: `${joinBody(parts.body).slice(0, -1)},`,
      };
      return;
    case 'truncate':
      lose('half');
      return;
    case 'hang':
      call.response = served;
      // The client may give up much later, so the journal shows the call now.
      record(c);
      await hang(c);
      lose();
      return;
    case 'drop':
      call.response = served;
      lose('nothing');
  }
}

/** The text of a fault's body: JSON, unless it is a text of another Content-Type, such as the HTML page of a gateway. */
const bodyText = (body: unknown, { headers }: ResponseParts): string =>
  typeof body === 'string' && !isJsonType(headers['content-type']) ? body : JSON.stringify(body);

/** Waits until the client gives up. */
function hang(c: MerchantContext): Promise<void> {
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
