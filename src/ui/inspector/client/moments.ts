/* Moments as people read them, always UTC: two who look at one sandbox see the same. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `31 Jan 2026` */
export function dayText(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `10:15:00` */
export const timeText = (at: number): string => new Date(at).toISOString().slice(-13, -5);

/** `31 Jan 2026 10:15:00 UTC` */
export const momentText = (at: number): string => `${dayText(at)} ${timeText(at)} UTC`;

/** `14:07`, or `lapsed` once nothing remains. */
export function remainingText(ms: number): string {
  if (ms <= 0) return 'lapsed';
  const seconds = Math.ceil(ms / 1000);
  const text = (part: number) => String(part).padStart(2, '0');
  return `${text(Math.floor(seconds / 60))}:${text(seconds % 60)}`;
}

/** What a World's clock showed, and when the browser's clock read so. */
export interface Reading {
  readonly shown: number;
  readonly readAt: number;
  readonly mode: 'running' | 'frozen';
}

/** What a World's clock shows by now. */
export const shownAt = ({ shown, readAt, mode }: Reading, now: number): number =>
  mode === 'frozen' ? shown : shown + Math.max(0, now - readAt);
