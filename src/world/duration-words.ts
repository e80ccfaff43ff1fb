/* A duration as people say it. */

const UNITS = { day: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 };

/** `15 min`, `1 day 2 h`, `28 days`: the two largest units. */
export function durationWords(ms: number): string {
  let left = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`);
  }
  return parts.slice(0, 2).join(' ') || `${left} ms`;
}
