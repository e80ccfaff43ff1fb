import type { Fault } from './faults.ts';
import type { Instant } from './time.ts';

/** How many exchanges a World remembers, and how many characters of bodies at the most. */
export const JOURNAL_EXCHANGES = 1000;
export const JOURNAL_CHARACTERS = 16 * 1024 * 1024;

/** Header names and values in turn as a server read them, or a web-standard header list. */
export type RawHeaders = readonly string[] | Headers;

/**
 * One exchange as it was heard: texts and header lists, nothing decoded. Reading the journal decodes,
 * so recording costs next to nothing.
 */
export interface Exchange {
  readonly id: string;
  readonly at: Instant;
  readonly operation: string | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Null when no answer was made. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly fault: Fault | null;
  readonly request: { readonly headers: RawHeaders; readonly body: string | null };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  } | null;
}

/** The newest exchanges of a World, oldest first. */
export interface Journal {
  /** Undefined before `start`: what is no longer kept is let go at once. */
  exchanges: (Exchange | undefined)[];
  /** How many characters each of `exchanges` holds. */
  sizes: number[];
  /** Where the oldest kept exchange stands in `exchanges`. */
  start: number;
  characters: number;
}

export const createJournal = (): Journal => ({ exchanges: [], sizes: [], start: 0, characters: 0 });

export function recordExchange(journal: Journal, exchange: Exchange): void {
  journal.exchanges.push(exchange);
  const size = sizeOf(exchange);
  journal.sizes.push(size);
  journal.characters += size;
  while (
    journal.exchanges.length - journal.start > JOURNAL_EXCHANGES ||
    (journal.characters > JOURNAL_CHARACTERS && journal.exchanges.length - journal.start > 1)
  ) {
    journal.characters -= journal.sizes[journal.start] as number;
    journal.exchanges[journal.start] = undefined;
    journal.start += 1;
  }
  if (journal.start >= JOURNAL_EXCHANGES) {
    journal.exchanges = journal.exchanges.slice(journal.start);
    journal.sizes = journal.sizes.slice(journal.start);
    journal.start = 0;
  }
}

/** The exchanges kept, oldest first. */
export const listExchanges = (journal: Journal): Exchange[] =>
  journal.exchanges.slice(journal.start) as Exchange[];

const sizeOf = ({ request, response }: Exchange): number =>
  (request.body?.length ?? 0) + (response?.body?.length ?? 0);
