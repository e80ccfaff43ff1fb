import type { ProxyEntry } from '../../contract/proxy/index.ts';
import { printable, timeOfDay } from '../log-line.ts';
import { colourStatus } from '../styles.ts';

/** One line for a call: `12:01:07 POST /api/merchant/micro_health/verify 200 31 ms  2 differences`. */
export function logLine(entry: ProxyEntry, colours: boolean): string {
  const { at, method, path, status, elapsed_ms, not_judged, differences } = entry;
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  const answered = colourStatus(status === null ? '-' : `${status}`, colours);
  const found = not_judged === null ? count : `not judged: ${not_judged}`;
  const call = printable(`${method} ${path}`);
  return `${timeOfDay(Date.parse(at))} ${call} ${answered} ${elapsed_ms} ms  ${printable(found)}\n`;
}
