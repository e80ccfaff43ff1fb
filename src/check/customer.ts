import type { Memory } from './probe.ts';

/*
 * Whom the check buys for. Every name says where it comes from, so that nobody takes the records for
 * those of a customer.
 */

export const SURNAME = 'Sandbox Check';
export const PHONE = '08030000000';
/** Where its images stand. */
export const FILE = 'https://example.com/sandbox-check';

export const emailOf = ({ run }: Memory): string => `sandbox-check-${run}@example.com`;

const DAY_MS = 86_400_000;

export const day = (now: number, later = 0): string =>
  new Date(now + later * DAY_MS).toISOString().slice(0, 10);
