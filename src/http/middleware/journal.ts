import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { readClock } from '../../core/clock.ts';
import { addEntry, type StoredEntry, shareHeaders } from '../../core/journal.ts';
import { type MerchantContext, type MerchantEnv, NO_BODY } from '../context.ts';
import { notifyListeners } from '../merchant.ts';
import type { Operation } from '../operation.ts';
import { sentBody } from '../respond.ts';

/** Records every call of a merchant as it was received, with what really left. */
export const journal = (operations: readonly Operation[]) =>
  createMiddleware<MerchantEnv>(async (c, next) => {
    // What a later middleware puts in the place of the request would not be what was received.
    const headers = c.env.connection.rawHeaders ?? c.req.raw.headers;
    c.set('call', {
      operation: operationOf(c, operations),
      noted: [],
      merchant: undefined,
      key: null,
      requestId: '',
      startedAt: 0,
      body: NO_BODY,
      headers,
      fault: undefined,
      input: undefined,
      response: undefined,
      recorded: false,
    });
    try {
      await next();
    } finally {
      record(c);
    }
  });

/** The operation whose path was asked for; where another method of it was, that one. */
function operationOf(c: MerchantContext, operations: readonly Operation[]): Operation | undefined {
  const path = routePath(c, -1);
  const method = c.req.method === 'HEAD' ? 'get' : c.req.method.toLowerCase();
  let atPath: Operation | undefined;
  for (const operation of operations) {
    if (operation.path !== path) continue;
    if (operation.method === method) return operation;
    atPath ??= operation;
  }
  return atPath;
}

/** Writes the entry of a call, once. A call without a valid key belongs to no World. */
export function record(c: MerchantContext): void {
  const call = c.get('call');
  const { merchant, operation, response, startedAt } = call;
  if (!merchant || call.recorded) return;
  call.recorded = true;
  const world = c.get('world');
  const added: StoredEntry = {
    id: call.requestId,
    at: startedAt,
    operation: operation?.operationId ?? null,
    method: c.req.method,
    path: pathAndQuery(c.req.url),
    status: response?.status ?? null,
    duration_ms: readClock(world.clock) - startedAt,
    fault: call.fault ?? null,
    key: call.key,
    request: { headers: shareHeaders(world.journal, call.headers), body: call.body.text },
    response: response
      ? { headers: response.headers, body: c.req.method === 'HEAD' ? null : sentBody(response) }
      : null,
  };
  const dropped = addEntry(world.journal, added);
  // A call that began in a World which was replaced meanwhile is in no journal that anybody can read.
  if (merchant.world === world) notifyListeners(merchant, { added, dropped });
}

const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3));
