/* What happened to a World between its calls, as one line of a report. */

import type { StoredEvent } from '../world/world-events.ts';
import { eventLines } from './journal-text.ts';
import { presentEvent } from './world-event.ts';

/** The day and the line of an event; undefined for those of faults, whose calls tell what they did. */
export function changeLine(
  event: StoredEvent,
): { readonly day: string; readonly line: string } | undefined {
  if ('rule' in event) return undefined;
  const shown = presentEvent(event);
  const [line = ''] = eventLines(shown);
  return { day: shown.at.slice(0, 10), line };
}
