import type { StoredEntry } from '../world/journal.ts';
import { parseUrl } from '../world/url.ts';
import type { WorldCore } from '../world/world.ts';

/** A merchant of this sandbox: its key opens its World, and no other. */
export interface Merchant<W extends WorldCore = WorldCore> {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  /** Replaced whole by a reset or a restore; a request under way keeps the World it began with. */
  world: W;
  readonly listeners: Set<JournalListener>;
}

/** What the journal of a merchant's World has more than before, and has no more. */
export interface JournalChange {
  readonly added: StoredEntry;
  /** The oldest entries, let go to make room. */
  readonly dropped: readonly StoredEntry[];
}

/**
 * Called with each entry that the journal has recorded. Without one it is another journal: the World was
 * replaced, the journal cleared, or the merchant removed.
 */
export type JournalListener = (change?: JournalChange) => void;

/** Tells those who wait for something of a merchant what has changed in its journal. */
export function notifyListeners(
  { listeners }: { readonly listeners: ReadonlySet<JournalListener> },
  change?: JournalChange,
): void {
  for (const listener of listeners) listener(change);
}

/** How many merchants a sandbox has at the most unless it is told otherwise. */
export const DEFAULT_MAX_MERCHANTS = 10_000;

/** Whether a text is an http or https address that paths can be put after. */
export const isBaseUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#][^\s?#]*$/i.test(text) && parseUrl(text) !== undefined;

/** The key of an `Authorization: Bearer` header, the scheme in any case. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
