/* How a report shows a value that a server answered. */

import { truncateLine } from '../../world/printable.ts';
import type { Mask } from './mask.ts';

/** A value on one line, as JSON. Keys are hidden before it is cut. */
export function showValue(value: unknown, max?: number, mask: Mask = (text) => text): string {
  if (value === undefined) return 'nothing';
  try {
    return truncateLine(mask(JSON.stringify(value)), max);
  } catch {
    // Too deep to write.
    return 'a deeply nested value';
  }
}
