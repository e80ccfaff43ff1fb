/* Times and amounts as people read them. Times of Worlds are UTC, so that two people see the same. */

import type { ClockState } from '../../../types/public.ts';

/** `10:15:00` */
export const timeText = (at: number): string => new Date(at).toISOString().slice(-13, -5);

/** `31 Jan 2026 10:15:00 UTC` */
export const momentText = (at: number): string =>
  new Date(at).toUTCString().replace(/^\w+, 0?(.*) GMT$/, '$1 UTC');

/** `4 Jan 2026` */
export const dayText = (at: number): string =>
  new Date(at).toUTCString().slice(5, 16).replace(/^0/, '');

/** The time zone of the browser, in which calls of several Worlds are shown. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const LOCAL_TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** When a call arrived in real time, as in the request log. It is unknown for calls of an earlier run. */
export const receivedText = ({ received_at }: { readonly received_at: string | null }): string =>
  received_at === null ? 'earlier' : LOCAL_TIME.format(Date.parse(received_at));

/** `14 min 7 s`, or `expired` once nothing remains. */
export const remainingText = (ms: number): string =>
  ms > 0 ? durationText(Math.ceil(ms / 1000) * 1000) : 'expired';

/** What a World's clock shows by now. */
export const shownAt = ({ now, mode }: ClockState, readAt: number, at: number): number =>
  Date.parse(now) + (mode === 'frozen' ? 0 : Math.max(0, at - readAt));

const UNITS = { day: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 };

/** `15 min`, `1 day 2 h`, `28 days`: the two largest units. */
export function durationText(ms: number): string {
  let left = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`);
  }
  return parts.slice(0, 2).join(' ') || `${left} ms`;
}

/** `₦250,000`, or `₦750.50` */
export const nairaText = (amount: number): string =>
  `₦${amount.toLocaleString('en', { minimumFractionDigits: amount % 1 === 0 ? 0 : 2 })}`;

/** `1,234 calls` */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
