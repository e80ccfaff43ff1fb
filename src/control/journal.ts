import { wait } from '../core/clock.ts';
import { createJournal, type Exchange, listExchanges } from '../core/journal.ts';
import { type JournalEntry, presentExchange } from '../core/journal-entry.ts';
import type { WorldCore } from '../core/world.ts';
import type { Merchant } from '../http/merchant.ts';
import { later } from './clock.ts';
import { refuseUnknownOperation } from './faults.ts';
import { ControlError } from './problems.ts';
import type { Expectation, JournalQuery } from './schemas.ts';

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
  return issued === token || fieldOf(request.body, 'token') === token;
}

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

/**
 * Waits until that many exchanges of that kind are there. Refuses with 408 and the nearest misses when
 * the time is over.
 *
 * @param signal ends the waiting when the caller goes away
 */
export async function awaitJournal(
  merchant: Merchant,
  expectation: Expectation,
  signal?: AbortSignal,
): Promise<JournalEntry[]> {
  const { operation, count = 1, timeout = 'PT5S' } = expectation;
  refuseUnknownOperation(operation, 'operation');
  const timeoutMs = later(0, timeout, 'timeout');
  const { world } = merchant;
  const found = () =>
    listExchanges(world.journal).filter(
      (exchange) => differences(exchange, expectation).length === 0,
    );

  if (found().length < count) {
    const over = new AbortController();
    const end = () => over.abort();
    const watch = () => {
      if (merchant.world !== world || found().length >= count) over.abort();
    };
    merchant.watchers.add(watch);
    signal?.addEventListener('abort', end, { once: true });
    await wait(timeoutMs, over.signal);
    signal?.removeEventListener('abort', end);
    merchant.watchers.delete(watch);
  }

  const exchanges = found();
  if (exchanges.length >= count) return exchanges.map(presentExchange);
  throw new ControlError(
    408,
    `Waited ${timeout} for ${count} such exchange${count === 1 ? '' : 's'}; ${exchanges.length} came.`,
    { found: exchanges.length, misses: nearestMisses(world, expectation) },
  );
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
