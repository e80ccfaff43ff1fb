import type { LoggedRequest } from '../core/change-log.ts';
import { readTime } from '../core/clock.ts';
import type { RawHeaders } from '../core/journal.ts';
import type { MerchantContext } from './context.ts';

/**
 * Writes a call down before its fault is used up, before its rule runs, or, where it came to neither, when
 * it is over: what a World remembers is then what its lines make of it again. Throws `NotStoredError`.
 */
export function logCall(c: MerchantContext, step: 'fault' | 'rule' | 'lost'): void {
  const { log } = c.env.merchants;
  const call = c.get('call');
  const { merchant } = call;
  // A call that goes on in a World which was replaced meanwhile changes nothing that is kept.
  if (!log || !merchant || !c.env.merchants.holds(merchant, c.get('world'))) return;
  const { logged } = call;
  // Where this line can't be written nothing is done, so that there is none to write later either.
  call.logged = 'whole';
  const settledAt = step === 'rule' ? call.settledAt : undefined;
  log.append({
    at: settledAt ?? readTime(c.get('world').time),
    merchant: merchant.id,
    call: call.number,
    request: requestOf(c),
    ...(step === 'fault' && mayWrite(c) && { fault: true }),
    ...(logged === 'fault' && { met: call.fault ?? null }),
    ...(step === 'lost' && { lost: true }),
  });
  if (step === 'fault') call.logged = 'fault';
}

/** Whether the call is one of an operation that may change what the service remembers. */
export function mayWrite(c: MerchantContext): boolean {
  const { operation } = c.get('call');
  return operation?.readOnly === false && operation.method === c.req.method.toLowerCase();
}

function requestOf(c: MerchantContext): LoggedRequest {
  const { headers, body, startedAt } = c.get('call');
  return {
    came: startedAt,
    method: c.req.method,
    url: c.req.url,
    headers: listOf(headers),
    body: body.text,
  };
}

const listOf = (headers: RawHeaders): readonly string[] =>
  headers instanceof Headers ? [...headers].flat() : headers;
