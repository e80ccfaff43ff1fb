/* Records a call in the journal of its World: as it was received, with the response that was sent. */

import type { OperationId } from '../types/public.ts';
import { publish } from '../world/activity.ts';
import { stopwatch } from '../world/clock.ts';
import { entryPointOf } from '../world/history.ts';
import { addItem, type StoredEntry, shareHeaders } from '../world/journal.ts';
import { keptBody } from '../world/json.ts';
import { causeOf } from '../world/token-cause.ts';
import { lastNowOf } from '../world/world.ts';
import type { ReceivedCall } from './context.ts';
import { announceBlockedPage } from './cors.ts';
import { headerText } from './hints.ts';

/** Writes the entry of a call once: in the journal of its World, or in that of calls without a valid key. */
export function record(call: ReceivedCall): void {
  if (call.recorded) return;
  call.recorded = true;
  const { operation, req, env, merchant, arrived, problems, response } = call;
  const { activity, anonymous, maxJournalBytes, redact } = env.merchants;
  // A page that cannot read the response is told its origin, not that its browser sent no key.
  const hasKey = merchant !== undefined || req.header('authorization') !== undefined;
  if ((!hasKey || activity.listeners.size > 0) && announceBlockedPage(call) && !hasKey) return;
  const world = call.world ?? anonymous;
  const { journal } = world;
  // A call without a World takes no time.
  const now = merchant ? call.now : lastNowOf(world);
  // The clock may have gone back while the call was running.
  const at = merchant ? Math.min(call.startedAt, now) : now;
  const entry: StoredEntry = {
    id: call.requestId,
    feedId: ++activity.lastId,
    merchant: merchant ?? null,
    journal,
    at,
    operation: (operation?.operationId as OperationId | undefined) ?? null,
    method: req.method,
    path: pathAndQuery(req.url),
    status: response?.status ?? null,
    duration_ms: now - at,
    received: call.since,
    elapsed_ms: stopwatch() - call.since,
    fault: call.fault ?? null,
    hint: call.hint === undefined ? null : headerText(call.hint),
    assumptions: call.assumptions,
    problems,
    cause: problems.length === 0 ? null : causeOfRefusal(call),
    changes: call.changes,
    before: call.world && arrived ? entryPointOf(call.world, arrived) : null,
    key: call.key,
    redacted: redact,
    request: { headers: shareHeaders(journal, call.headers), body: call.body.text },
    response: response
      ? { headers: response.headers, body: req.method === 'HEAD' ? null : keptBody(response.body) }
      : null,
  };
  addItem(journal, entry, maxJournalBytes);
  env.connection.onRecorded?.(entry);
  if (activity.listeners.size > 0) {
    publish(activity, { kind: 'entry', id: entry.feedId, merchant, entry });
  }
}

/** The rules that a token can break. */
const TOKEN_RULES: ReadonlySet<string> = new Set(['token_used', 'token_expired', 'token_unknown']);

/** Why the token of a refused call was refused. Null if it was not. */
function causeOfRefusal({ world, problems, body, now }: ReceivedCall): string | null {
  const rule = problems[0]?.rule ?? '';
  if (!world || !TOKEN_RULES.has(rule)) return null;
  const { token } = body.json as { readonly token?: unknown };
  return causeOf(world, token, rule === 'token_unknown', now);
}

/** Cut out instead of parsed, to show it as it was sent. */
export const pathAndQuery = (url: string): string =>
  url.slice(url.indexOf('/', url.indexOf('://') + 3));
