/* The numbers of the specification that hold in every family. Rules, schemas, messages and texts read them here. */

/** Minutes for which the token of an initiate is valid. */
export const TOKEN_MINUTES = 15;

/** Items on a page, unless a request or a profile says otherwise (`list-selection`). */
export const PAGE_SIZE = 15;

/** The most items on a page (`list-selection`). */
export const MAX_PAGE_SIZE = 100;

/** Digits of a phone number (`phone-digits`). */
export const PHONE_LENGTH = 11;

/** Digits of an identity number (`nin-number`). */
export const IDENTITY_LENGTH = 11;

/** A phone number: a prefix, filled up with these digits. */
export const paddedPhone = (prefix: string, rest: string): string =>
  prefix.padEnd(PHONE_LENGTH, rest);
