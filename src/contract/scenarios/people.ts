/*
 * Test customers. Nobody has their numbers, and their name says where they come from, so that no one takes a record
 * for a customer's.
 */

export const FIRST_NAME = 'Contract';
export const SURNAME = 'Sandbox Check';
/** Eleven digits that no network has: mobile numbers begin with 070, 080, 081, 090 and 091. */
export const PHONE = '09990000000';
export const SECOND_PHONE = '09990000001';
/** The same as a JSON number would be: eleven digits without a leading zero. */
export const NUMERIC_PHONE = 99_900_000_000;
/** Eleven digits that identify nobody. */
export const IDENTITY_NUMBER = 99_999_999_999;
/** An address may have several lines. */
export const ADDRESS = 'Sandbox Check,\nno street';
export const FILES = 'https://example.com/sandbox-check';

/** A check of a server: what its scenarios are written for. */
export interface CheckRun {
  /** Tells one check from another, in e-mail addresses. */
  readonly run: string;
  /** Today by the clock of the server, `Y-m-d`. */
  readonly today: string;
}

export const emailOf = ({ run }: CheckRun): string => `sandbox-check-${run}@example.com`;

/** What is written into the scenarios of a check that begins now, or whose merchants begin at a moment of their own. */
export const runOf = (now: number, startsAt: string | undefined): CheckRun => ({
  run: Math.floor(now / 1000).toString(36),
  today: (startsAt ?? new Date(now).toISOString()).slice(0, 10),
});

/** A micro-health purchase that is valid but for its plan. */
export const purchaserOf = (run: CheckRun) => ({
  first_name: FIRST_NAME,
  surname: SURNAME,
  email: emailOf(run),
  phone_no: PHONE,
  date_of_birth: '1990-04-12',
  nin_number: IDENTITY_NUMBER,
  id_url: `${FILES}/id.png`,
});
