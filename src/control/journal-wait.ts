/* Waits for calls of a merchant, and on a timeout shows which calls came nearest. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import type { ActivityListener } from '../world/activity.ts';
import { sleepUnmocked } from '../world/clock.ts';
import { describeFault } from '../world/faults.ts';
import { entriesOf, MAX_JOURNAL_ENTRIES, type StoredEntry } from '../world/journal.ts';
import { truncate } from '../world/problem-texts.ts';
import type { WorldCore } from '../world/world.ts';
import { worldCall } from './call.ts';
import { later } from './clock.ts';
import { ControlError } from './control-error.ts';
import { duration, EXAMPLE, httpStatus, namedInput, operationName } from './fields.ts';
import { matches } from './journal.ts';
import { presentEntry } from './journal-entry.ts';
import { JournalEntry } from './journal-entry-schema.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';

/** Less than test runners give a test, so that the reason of a timeout is seen. */
const DEFAULT_TIMEOUT = 'PT2S';

export const Expectation = namedInput(
  'Expectation',
  'Which calls to wait for, and how long.',
  () => ({
    operation: operationName().optional(),
    status: httpStatus().optional(),
    count: z
      .int()
      .min(1)
      .max(MAX_JOURNAL_ENTRIES)
      .describe('How many calls to wait for. Default: 1.')
      .optional(),
    timeout: duration(
      `How long to wait, in real time. Default: ${DEFAULT_TIMEOUT}.`,
      DEFAULT_TIMEOUT,
    ).optional(),
  }),
  { operation: EXAMPLE.verify, status: 200, count: 1, timeout: DEFAULT_TIMEOUT },
);

/** The call that waits for calls of a merchant. */
export const journalWaitCalls = {
  'journal.await': worldCall({
    operationId: 'awaitJournal',
    summary: 'Wait for calls',
    description:
      'Waits until the journal has `count` matching calls, then returns all matching entries, newest first. Earlier calls count too.',
    route: 'POST /journal/await',
    body: Expectation,
    isOptional: true,
    output: JournalEntry,
    list: 'JournalEntryList',
    refusals: [404, 408, 503],
    isAsync: true,
    run: ({ body }, merchant, store, signal) => awaitJournal(store, merchant, body, signal),
  }),
};

/**
 * Waits until the journal has enough matching entries and returns them all, newest first. A reset replaces the journal,
 * and the count starts again. Throws 408 with the nearest call on timeout, 503 if the sandbox closes first, and 404 if
 * the merchant is removed.
 *
 * @param signal aborts when the caller gives up
 */
async function awaitJournal(
  { activity: { listeners }, closing }: MerchantStore,
  merchant: MerchantAccount,
  expectation: wire.ExpectationJson,
  signal?: AbortSignal,
): Promise<wire.JournalEntryJson[]> {
  const { count = 1, timeout = DEFAULT_TIMEOUT } = expectation;
  const timeoutMs = later(0, timeout, 'timeout');

  let found = listMatches(merchant.world, expectation);
  if (found.length < count) {
    const over = new AbortController();
    const look: ActivityListener = (happened) => {
      // What was found stays, because a reset may come between the last entry and the end of the wait.
      if (over.signal.aborted || happened.merchant !== merchant) return;
      if (happened.kind === 'entry' && !matches(happened.entry, expectation)) return;
      if (!merchant.removed) found = listMatches(merchant.world, expectation);
      if (merchant.removed || found.length >= count) over.abort();
    };
    listeners.add(look);
    await sleepUnmocked(timeoutMs, over.signal, signal, closing);
    listeners.delete(look);
  }

  if (found.length >= count) return found.map((entry) => presentEntry(entry)).reverse();
  if (merchant.removed) throw new ControlError(404, 'The merchant was removed during the wait.');
  const { operation, status } = expectation;
  const withStatus = status === undefined ? '' : ` with status ${status}`;
  const wanted = `${count} of ${operation ?? 'any operation'}${withStatus}; found ${found.length}.`;
  if (closing.aborted) {
    throw new ControlError(503, `The sandbox is closing. Waited for ${wanted}`);
  }
  const entries = entriesOf(merchant.world.journal);
  const misses = entries.filter((entry) => !matches(entry, expectation)).reverse();
  const nearest = misses.find((entry) => entry.operation === operation) ?? misses[0];
  const waited = truncate(timeout).slice(1, -1);
  const instead = describeNearest(nearest, found.length);
  throw new ControlError(408, `Waited ${waited} for ${wanted} ${instead}`);
}

/** The highest number of problems that a message shows. */
const MAX_PROBLEMS = 3;

/** What the nearest call was instead, and why it was refused: the newest other one, of the same operation if there is one. */
function describeNearest(entry: StoredEntry | undefined, found: number): string {
  if (!entry) return `This merchant made no ${found === 0 ? '' : 'other '}calls.`;
  const { operation, method, path, status, fault, problems, cause, hint } = presentEntry(entry);
  const shown = problems.slice(0, MAX_PROBLEMS).map(({ message }) => message);
  const more = problems.length - shown.length;
  const parts = [
    `${operation ?? `${method} ${path}`} returned ${status ?? 'nothing'}`,
    fault ? ` under the fault "${describeFault(fault)}"` : '',
    shown.length > 0 ? `: ${shown.join(' ')}` : '.',
    more > 0 ? ` +${more} more.` : '',
    cause === undefined ? '' : ` Because: ${cause}.`,
    hint === null ? '' : ` Hint: ${hint}`,
  ];
  return `The nearest call, ${entry.id}: ${parts.join('')}`;
}

const listMatches = ({ journal }: WorldCore, expectation: wire.ExpectationJson): StoredEntry[] =>
  entriesOf(journal).filter((entry) => matches(entry, expectation));
