/* Finds out by the journal what came of a call whose response did not arrive. */

import type { JournalEntryJson } from '../../../control-wire.ts';

/** Whether the client got no complete response. */
export const isLost = ({ status, fault }: Pick<JournalEntryJson, 'status' | 'fault'>): boolean =>
  status === null || ['drop', 'truncate', 'hang'].includes(fault?.effect.kind ?? '');

/** A call that a page made with the key of a merchant. */
export interface MadeCall {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
}

/** How many of the newest calls are searched. Other programs may have made some meanwhile. */
const SEARCHED = 20;

/**
 * The journal entry of a call. Without an id, as after a reset before the headers, it is the newest lost call of that
 * method and path. Undefined if there is none, and if the sandbox does not respond.
 *
 * @param known the ids of calls that the page knew before
 */
export async function findEntry(
  made: MadeCall,
  id: string | undefined,
  known: ReadonlySet<string> = new Set(),
): Promise<JournalEntryJson | undefined> {
  const wanted = id === undefined ? `?limit=${SEARCHED}` : `/${encodeURIComponent(id)}`;
  const headers = { accept: 'application/json', authorization: `Bearer ${made.key}` };
  try {
    const response = await fetch(`/_sandbox/journal${wanted}`, { headers });
    if (!response.ok) return undefined;
    const read: JournalEntryJson | { data: JournalEntryJson[] } = await response.json();
    if (!('data' in read)) return read;
    return read.data.find((entry) => isOf(made, entry) && isLost(entry) && !known.has(entry.id));
  } catch {
    return undefined;
  }
}

/** Whether an entry is of a call with this method and path. */
export function isOf(
  { method, path }: MadeCall,
  entry: Pick<JournalEntryJson, 'method' | 'path'>,
): boolean {
  const { pathname, search } = new URL(path, location.origin);
  return entry.method === method && entry.path === pathname + search;
}

/** The policy that a call bought or renewed, if it did, whatever response arrived. */
export function policyOf({ changes }: Pick<JournalEntryJson, 'changes'>) {
  const row = changes.find(({ table }) => table.endsWith('.policies'));
  if (row === undefined) return undefined;
  const [family = ''] = row.table.split('.');
  return { family, number: row.key, did: row.change === 'added' ? 'bought' : 'renewed' } as const;
}

/** What a call did although its response was lost. */
export function whatRan(entry: Pick<JournalEntryJson, 'changes' | 'fault'>): string {
  const policy = policyOf(entry);
  if (policy) return `The policy ${policy.number} was ${policy.did}.`;
  return entry.fault?.stage === 'after' ? 'The operation ran.' : 'The operation did not run.';
}
