/* Waits for calls of a merchant, and on a timeout shows which calls came nearest. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import { sleepUnmocked } from '../world/clock.ts';
import { describeFault } from '../world/faults.ts';
import { inputObject } from '../world/input-object.ts';
import {
  type JournalListener,
  listEntries,
  MAX_JOURNAL_ENTRIES,
  newestFirst,
  type StoredEntry,
} from '../world/journal.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { truncate } from '../world/problem-texts.ts';
import { DAY_MS } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import { worldCall } from './call.ts';
import { parseDurationMs } from './clock.ts';
import { ControlError } from './control-error.ts';
import { duration, EXAMPLE, httpStatus, operationName, refuseUnknownOperation } from './fields.ts';
import { differences, type EntryDifference, JournalEntryList, matches } from './journal.ts';
import { presentEntry, redactOf } from './journal-entry.ts';
import type { MerchantAccount } from './merchant-store.ts';
import { problems } from './problems.ts';

/** Less than test runners give a test, so that the reason of a timeout is seen. */
const DEFAULT_TIMEOUT = 'PT2S';

export const Expectation = onFirstUse(() =>
  inputObject({
    operation: operationName().optional(),
    status: httpStatus().optional(),
    count: z
      .int()
      .min(1)
      .max(MAX_JOURNAL_ENTRIES)
      .meta({ description: 'How many calls to wait for. Default: 1.' })
      .optional(),
    timeout: duration(
      `How long to wait, in real time. Default: ${DEFAULT_TIMEOUT}.`,
      DEFAULT_TIMEOUT,
    ).optional(),
  })
    .openapi('Expectation')
    .meta({
      description: 'Which calls to wait for, and how long.',
      examples: [{ operation: EXAMPLE.verify, status: 200, count: 1, timeout: DEFAULT_TIMEOUT }],
    }),
);

/** The call that waits for calls of a merchant. */
export const journalWaitCalls = {
  'journal.await': worldCall({
    operationId: 'awaitJournal',
    summary: 'Wait for calls',
    description:
      'Waits until the journal has `count` matching calls, then returns all matching entries, newest first. Earlier calls count too.',
    method: 'post',
    path: '/journal/await',
    body: Expectation,
    isBodyOptional: true,
    responses: () => ({ 200: JournalEntryList(), ...problems(408, 503) }),
    given: (expectation: unknown = {}) => ({ body: expectation }),
    isAsync: true,
    run: ({ body }, merchant, { closing }) => awaitJournal(merchant, body, closing),
    async serve(c, { body }) {
      const { closing } = c.env.connection;
      const data = await awaitJournal(c.var.merchant, body, closing, c.req.raw.signal);
      return c.json({ data }, 200);
    },
  }),
};

/** How many of the nearest misses a timeout shows. */
const MAX_MISSES = 5;
const MAX_WAIT_MS = DAY_MS;

/**
 * Waits until the journal has enough matching entries and returns them all, newest first. Throws 408 with the nearest
 * misses on timeout, and 503 if the sandbox closes first.
 *
 * @param closing aborts when the sandbox closes
 * @param signal aborts when the caller gives up
 */
async function awaitJournal(
  merchant: MerchantAccount,
  expectation: wire.ExpectationJson,
  closing: AbortSignal | undefined,
  signal?: AbortSignal,
): Promise<wire.JournalEntryJson[]> {
  const outcome = await waitForCalls(merchant, expectation, closing, signal);
  if (!('misses' in outcome)) return outcome.map(presentEntry);
  const { message, found } = outcome;
  const misses = outcome.misses.map((miss) => ({ ...miss, entry: presentEntry(miss.entry) }));
  throw new ControlError(408, message, { found, misses });
}

/** The outcome when the time is over before enough calls came. */
interface TimedOut {
  readonly message: string;
  /** How many calls matched. */
  readonly found: number;
  /** The calls with the fewest differences, newest first. */
  readonly misses: readonly Miss[];
}

interface Miss {
  readonly entry: StoredEntry;
  readonly differences: readonly EntryDifference[];
}

/** A reset replaces the journal, and the count starts again from the new one. */
async function waitForCalls(
  merchant: MerchantAccount,
  expectation: wire.ExpectationJson,
  closing: AbortSignal | undefined,
  signal?: AbortSignal,
): Promise<readonly StoredEntry[] | TimedOut> {
  const { operation, count = 1, timeout = DEFAULT_TIMEOUT } = expectation;
  refuseUnknownOperation(operation, 'operation');
  const timeoutMs = parseDurationMs(timeout, 'timeout', MAX_WAIT_MS);

  let found = countMatches(merchant.world, expectation);
  // Kept here, because a reset may come between the last entry and the end of the wait.
  let entries = found >= count ? listMatches(merchant.world, expectation) : undefined;
  if (!entries) {
    const over = new AbortController();
    const end = () => over.abort();
    // Runs at every call of the merchant for each wait, so it looks at the change only.
    const look: JournalListener = (change) => {
      if (entries) return;
      if (merchant.removed) return end();
      if (change) {
        if (matches(change.added, expectation)) found += 1;
        for (const entry of change.dropped) if (matches(entry, expectation)) found -= 1;
      } else found = countMatches(merchant.world, expectation);
      if (found < count) return;
      entries = listMatches(merchant.world, expectation);
      end();
    };
    merchant.listeners.add(look);
    await sleepUnmocked(timeoutMs, over.signal, signal, closing);
    merchant.listeners.delete(look);
  }

  if (entries) return entries.reverse();
  if (merchant.removed) throw new ControlError(404, 'The merchant was removed during the wait.');
  const wanted = `${count} of ${describeExpectation(expectation)}`;
  if (closing?.aborted) {
    const detail = `The sandbox is closing. Waited for ${wanted}; found ${found}.`;
    throw new ControlError(503, detail, { found });
  }
  const waited = truncate(timeout).slice(1, -1);
  const misses = nearestMisses(merchant.world, expectation);
  return {
    message: `Waited ${waited} for ${wanted}; found ${found}. ${describeNearest(misses[0], found)}`,
    found,
    misses,
  };
}

/** The highest number of problems that a message shows. */
const MAX_PROBLEMS = 3;

/** What the nearest call was instead, and why it was refused. */
function describeNearest(miss: Miss | undefined, found: number): string {
  if (!miss) return `This merchant made no ${found === 0 ? '' : 'other '}calls.`;
  const { entry } = miss;
  const redact = redactOf(entry);
  const shown = entry.problems.slice(0, MAX_PROBLEMS);
  const more = entry.problems.length - shown.length;
  const parts = [
    `${entry.operation ?? redact.text(`${entry.method} ${entry.path}`)} returned ${entry.status ?? 'nothing'}`,
    entry.fault ? ` under the fault "${describeFault(entry.fault)}"` : '',
    shown.length > 0 ? `: ${shown.map(({ message }) => redact.text(message)).join(' ')}` : '.',
    more > 0 ? ` +${more} more.` : '',
    entry.cause === null ? '' : ` Because: ${redact.text(entry.cause)}.`,
    entry.hint === null ? '' : ` Hint: ${redact.text(entry.hint)}`,
  ];
  return `The nearest call, ${entry.id}: ${parts.join('')}`;
}

/** The same operation with another status is nearer than another operation with the same status. */
const distanceOf = ({ entry, differences }: Miss, { operation }: wire.ExpectationJson): number =>
  differences.length + (operation === undefined || operation === entry.operation ? 0 : 1);

const describeExpectation = ({ operation, status }: wire.ExpectationJson): string =>
  `${operation ?? 'any operation'}${status === undefined ? '' : ` with status ${status}`}`;

const listMatches = ({ journal }: WorldCore, expectation: wire.ExpectationJson): StoredEntry[] =>
  listEntries(journal).filter((entry) => matches(entry, expectation));

const countMatches = (world: WorldCore, expectation: wire.ExpectationJson): number =>
  listMatches(world, expectation).length;

function nearestMisses({ journal }: WorldCore, expectation: wire.ExpectationJson): Miss[] {
  return newestFirst(journal)
    .map((entry) => ({ entry, differences: differences(entry, expectation) }))
    .filter((miss) => miss.differences.length > 0)
    .toSorted((a, b) => distanceOf(a, expectation) - distanceOf(b, expectation))
    .slice(0, MAX_MISSES);
}
