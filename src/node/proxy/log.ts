import type { ProxyEntry } from '../../check/proxy/index.ts';

/** Local time of day. */
const timeOf = (at: string): string => {
  const moment = new Date(at);
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
};

/** Green for a success, yellow for a refusal, red for what a service should not answer. */
function coloured(status: string, colours: boolean): string {
  if (!colours) return status;
  const colour = { 2: 32, 3: 36, 4: 33 }[status.charAt(0)] ?? 31;
  return `\u001b[${colour}m${status}\u001b[39m`;
}

/** One line for a call: `12:01:07 POST /api/merchant/micro_health/verify 200 31 ms  2 differences`. */
export function logLine(entry: ProxyEntry, colours: boolean): string {
  const { at, method, path, status, elapsed_ms, not_judged, differences } = entry;
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  const answered = coloured(status === null ? '-' : `${status}`, colours);
  const found = not_judged === null ? count : `not judged: ${not_judged}`;
  return `${timeOf(at)} ${method} ${path} ${answered} ${elapsed_ms} ms  ${found}\n`;
}
