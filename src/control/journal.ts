import { wait } from '../core/clock.ts';
import { shortly } from '../core/form.ts';
import { createJournal, type Exchange, listExchanges } from '../core/journal.ts';
import { type JournalEntry, presentExchange } from '../core/journal-entry.ts';
import { DAY_MS } from '../core/time.ts';
import type { WorldCore } from '../core/world.ts';
import { durationMs } from './clock.ts';
import type { Tenant } from './merchants.ts';
import { refuseUnknownOperation } from './operations.ts';
import { ControlError } from './problems.ts';
import type { Expectation, JournalQuery } from './schemas/journal.ts';

/** The exchanges a World remembers, newest first. */
export function listJournal(world: WorldCore, query: JournalQuery): JournalEntry[] {
  refuseUnknownOperation(query.operation, 'operation');
  const entries: JournalEntry[] = [];
  for (const exchange of listExchanges(world.journal).reverse()) {
    if (entries.length === query.limit) break;
    if (differences(exchange, query).length > 0) continue;
    const entry = presentExchange(exchange);
    if (query.token === undefined || concerns(entry, query.token)) entries.push(entry);
  }
  return entries;
}

export function clearJournal(world: WorldCore): void {
  Object.assign(world.journal, createJournal());
}

/** Whether an exchange issued a token, or sent it. */
function concerns({ request, response }: JournalEntry, token: string): boolean {
  const issued = fieldOf(fieldOf(response?.body, 'data'), 'token');
  if (issued === token || fieldOf(request.body, 'token') === token) return true;
  return saysIn(response?.body, token) || saysIn(request.body, token);
}

/** Whether a body that is no JSON, because a fault or its sender broke it, names a token all the same. */
const saysIn = (body: unknown, token: string): boolean =>
  typeof body === 'string' && body.includes(`"token":${JSON.stringify(token)}`);

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

interface Difference {
  /** JSON path inside the journal entry. */
  readonly path: string;
  readonly expected: unknown;
  readonly seen: unknown;
}

function differences(
  exchange: Exchange,
  wanted: Pick<Expectation, 'operation' | 'status'>,
): Difference[] {
  return (['operation', 'status'] as const).flatMap((key) => {
    const [expected, seen] = [wanted[key], exchange[key]];
    return expected === undefined || expected === seen
      ? []
      : [{ path: `$.${key}`, expected, seen }];
  });
}

/** How many of the nearest misses a timeout shows. */
const MISSES_SHOWN = 5;
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Waits until that many exchanges of that kind are there, and answers them, newest first. It looks at
 * the journal the merchant has by then: after a reset the count begins anew. Refuses with 408 and the
 * nearest misses when the time is over.
 *
 * @param signal ends the waiting when the caller goes away
 */
export async function awaitJournal(
  tenant: Tenant,
  expectation: Expectation,
  signal?: AbortSignal,
): Promise<JournalEntry[]> {
  const { operation, count = 1, timeout = 'PT5S' } = expectation;
  refuseUnknownOperation(operation, 'operation');
  const timeoutMs = durationMs(timeout, 'timeout', LONGEST_WAIT_MS);
  const found = () =>
    listExchanges(tenant.world.journal).filter(
      (exchange) => differences(exchange, expectation).length === 0,
    );

  // What was found is kept: a reset may come between the last exchange and the end of the waiting.
  let exchanges = found();
  if (exchanges.length < count) {
    const over = new AbortController();
    const end = () => over.abort();
    const watch = () => {
      if (over.signal.aborted) return;
      if (!tenant.removed) exchanges = found();
      if (tenant.removed || exchanges.length >= count) over.abort();
    };
    tenant.watchers.add(watch);
    signal?.addEventListener('abort', end, { once: true });
    await wait(timeoutMs, signal?.aborted ? signal : over.signal);
    signal?.removeEventListener('abort', end);
    tenant.watchers.delete(watch);
  }

  if (exchanges.length >= count) return exchanges.reverse().map(presentExchange);
  if (tenant.removed) throw new ControlError(404, 'The merchant was removed meanwhile.');
  throw new ControlError(408, whatCame(expectation, count, timeout, exchanges.length), {
    found: exchanges.length,
    misses: nearestMisses(tenant.world, expectation),
  });
}

function whatCame(
  { operation, status }: Expectation,
  count: number,
  timeout: string,
  came: number,
): string {
  const wanted = `${operation ?? 'any operation'}${status === undefined ? '' : ` with status ${status}`}`;
  return `Waited ${shortly(timeout).slice(1, -1)} for ${count} of ${wanted}; ${came} came.`;
}

function nearestMisses(world: WorldCore, expectation: Expectation) {
  return listExchanges(world.journal)
    .reverse()
    .map((exchange) => ({ exchange, differences: differences(exchange, expectation) }))
    .filter((miss) => miss.differences.length > 0)
    .toSorted((a, b) => a.differences.length - b.differences.length)
    .slice(0, MISSES_SHOWN)
    .map((miss) => ({ entry: presentExchange(miss.exchange), differences: miss.differences }));
}
