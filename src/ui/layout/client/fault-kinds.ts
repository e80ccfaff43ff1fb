/* What the kinds of fault effects have in common. Pages use it too, so it needs no library. */

import type { FaultEffect, JournalEntryJson } from '../../../control-wire.ts';

/** Whether an effect ends the connection of a call before its response is complete. */
export const breaksConnection = (kind: FaultEffect['kind']): boolean =>
  kind === 'drop' || kind === 'truncate';

/** Whether the client of a call got no complete response. */
export function isLost({ status, fault }: Pick<JournalEntryJson, 'status' | 'fault'>): boolean {
  const kind = fault?.effect.kind;
  return status === null || (kind !== undefined && (breaksConnection(kind) || kind === 'hang'));
}
