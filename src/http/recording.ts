import { readClock } from '../core/clock.ts';
import type { Fault } from '../core/faults.ts';
import { recordExchange } from '../core/journal.ts';
import type { Instant } from '../core/time.ts';
import type { Answered } from './answer.ts';
import { type Merchant, tellWatchers } from './merchant.ts';
import type { Received } from './received.ts';
import { type Answer, sentBody } from './sending.ts';

/** What the journal needs to know of a call. */
export interface Recorded extends Answered {
  readonly received: Received;
  readonly merchant: Merchant;
  readonly startedAt: Instant;
  /** The body of the request; null where there is none, or it could not be read. */
  readonly text: string | null;
}

/** Writes an exchange into the journal as it was heard, and tells those who wait for it. */
export function record(
  { received, world, operation, requestId, startedAt, merchant, text }: Recorded,
  fault: Fault | undefined,
  answered: Answer | undefined,
): void {
  const { env, req } = received;
  recordExchange(world.journal, {
    id: requestId,
    at: startedAt,
    operation: operation?.operationId ?? null,
    method: req.method,
    path: pathAndQuery(req.url),
    status: answered?.status ?? null,
    duration_ms: readClock(world.clock) - startedAt,
    fault: fault ?? null,
    request: { headers: env.rawHeaders ?? req.raw.headers, body: text },
    response: answered
      ? { headers: answered.headers, body: req.method === 'HEAD' ? null : sentBody(answered) }
      : null,
  });
  tellWatchers(merchant);
}

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3));
