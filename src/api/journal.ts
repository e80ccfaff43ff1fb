/* The middleware that records each call in the journal of its World. */

import { createMiddleware } from 'hono/factory';
import type { OperationId } from '../types/public.ts';
import { publish } from '../world/activity.ts';
import { stopwatch } from '../world/clock.ts';
import { entryPointOf } from '../world/history.ts';
import { addEntry, type StoredEntry, shareHeaders } from '../world/journal.ts';
import { keptBody } from '../world/json.ts';
import { causeOf } from '../world/token-cause.ts';
import { lastNowOf, type WorldCore } from '../world/world.ts';
import { endConnectionAfter, type MerchantContext, type MerchantEnv } from './context.ts';
import { announceBlockedPage } from './cors.ts';
import { headerText } from './header-text.ts';
import type { Operation } from './operation.ts';
import { NO_BODY } from './request.ts';

/** Shared, because most calls have none. */
const NONE: readonly never[] = [];

/** Records every call of an operation as received, with the response that was sent. */
export const journal = (operation: Operation | undefined) =>
  createMiddleware<MerchantEnv>(async (c, next) => {
    // A later middleware may replace the request.
    const headers = c.env.connection.rawHeaders ?? c.req.raw.headers;
    c.set('call', {
      operation,
      merchant: undefined,
      key: null,
      requestId: '',
      startedAt: 0,
      arrived: undefined,
      now: 0,
      since: stopwatch(),
      body: NO_BODY,
      headers,
      wantedFault: undefined,
      fault: undefined,
      claim: undefined,
      passes: undefined,
      hint: undefined,
      assumptions: NONE,
      problems: NONE,
      changes: NONE,
      response: undefined,
      recorded: false,
    });
    try {
      await next();
      const { merchant } = c.get('call');
      if (merchant) endConnectionAfter(c.env.connection, merchant);
    } finally {
      record(c);
    }
  });

/** Writes the entry of a call once: in the journal of its World, or in that of calls without a valid key. */
export function record(c: MerchantContext): void {
  const call = c.get('call');
  if (call.recorded) return;
  call.recorded = true;
  const { merchant } = call;
  const { activity, anonymous } = c.env.merchants;
  // A page that cannot read the response is told its origin, not that its browser sent no key.
  const hasKey = c.req.header('authorization') !== undefined;
  if ((!hasKey || activity.listeners.size > 0) && announceBlockedPage(c) && !hasKey) return;
  const world = merchant ? c.get('world') : anonymous;
  const entry = entryOf(c, world, ++activity.lastId);
  addEntry(world.journal, entry, c.env.merchants.maxJournalBytes);
  c.env.connection.onRecorded?.(entry);
  if (activity.listeners.size === 0) return;
  publish(activity, { kind: 'entry', id: entry.feedId, merchant, entry });
}

function entryOf(
  c: MerchantContext,
  world: Pick<WorldCore, 'journal' | 'clock' | 'time'>,
  feedId: number,
): StoredEntry {
  const call = c.get('call');
  const { operation, merchant, requestId, key, headers, body, fault, response } = call;
  const { startedAt, now } = merchant ? call : anonymousTimes(world);
  // The clock may have gone back while the call was running.
  const at = Math.min(startedAt, now);
  return {
    id: requestId,
    feedId,
    merchant: merchant ?? null,
    journal: world.journal,
    at,
    operation: (operation?.operationId as OperationId | undefined) ?? null,
    method: c.req.method,
    path: pathAndQuery(c.req.url),
    status: response?.status ?? null,
    duration_ms: now - at,
    received: call.since,
    elapsed_ms: stopwatch() - call.since,
    fault: fault ?? null,
    hint: call.hint === undefined ? null : headerText(call.hint),
    assumptions: call.assumptions,
    problems: call.problems,
    cause: causeOfRefusal(c),
    changes: call.changes,
    before: call.arrived ? entryPointOf(c.get('world'), call.arrived) : null,
    key,
    redacted: c.env.merchants.redact,
    request: { headers: shareHeaders(world.journal, headers), body: body.text },
    response: response
      ? {
          headers: response.headers,
          body: c.req.method === 'HEAD' ? null : keptBody(response.body),
        }
      : null,
  };
}

/** The rules that a token can break. */
const TOKEN_RULES: ReadonlySet<string> = new Set(['token_used', 'token_expired', 'token_unknown']);

/** Why the token of a call was refused. Null if it was not. */
function causeOfRefusal(c: MerchantContext): string | null {
  const { merchant, problems, body, now } = c.get('call');
  const rule = problems[0]?.rule ?? '';
  if (!merchant || !TOKEN_RULES.has(rule)) return null;
  const { token } = body.json as { readonly token?: unknown };
  return causeOf(c.get('world'), token, rule === 'token_unknown', now);
}

/** A call without a World takes no time. */
function anonymousTimes(anonymous: Pick<WorldCore, 'clock' | 'time'>) {
  const now = lastNowOf(anonymous);
  return { startedAt: now, now };
}

/** Cut out instead of parsed, to show it as it was sent. */
export const pathAndQuery = (url: string): string =>
  url.slice(url.indexOf('/', url.indexOf('://') + 3));
