import { readClock } from '../core/clock.ts';
import type { Fault } from '../core/faults.ts';
import { recordExchange } from '../core/journal.ts';
import type { Instant } from '../core/time.ts';
import type { Answered } from './answer.ts';
import { type Answer, sentBody } from './faulty.ts';
import type { Merchant } from './merchant.ts';
import type { Received } from './received.ts';

/** What the journal needs to know of a call. */
export interface Recorded extends Answered {
  readonly merchant: Merchant;
  readonly startedAt: Instant;
}

/** Writes an exchange into the journal as it was heard, and tells those who wait for it. */
export function record(
  { env, req }: Received,
  { world, operation, requestId, startedAt, merchant }: Recorded,
  text: string | null,
  fault: Fault | undefined,
  answered: Answer | undefined,
): void {
  recordExchange(world.journal, {
    id: requestId,
    at: startedAt,
    operation: operation?.operationId ?? null,
    method: req.method,
    path: pathAndQuery(req.url),
    status: answered?.status ?? null,
    duration_ms: readClock(world.clock) - startedAt,
    fault: fault ?? null,
    request: { headers: env?.rawHeaders ?? req.raw.headers, body: text },
    response: answered
      ? { headers: answered.headers, body: req.method === 'HEAD' ? null : sentBody(answered) }
      : null,
  });
  for (const watch of merchant.watchers) watch();
}

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3));
