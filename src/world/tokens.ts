/* Purchase tokens: how they are made, found, used and expired, the same for every family. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from './assumptions.ts';
import { refused } from './errors.ts';
import { TOKEN_MINUTES } from './limits.ts';
import { nextDigits, type RandomState } from './random.ts';
import {
  ANY_MESSAGE,
  choice,
  messageSchema,
  messageSetting,
  type Settings,
  setting,
} from './settings.ts';
import { KeyedTable, nextId, type RecordTable, type Sequences, type Tables } from './tables.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.ts';

/** How long a token is valid after initiate. */
export const TOKEN_LIFETIME_MS = TOKEN_MINUTES * MINUTE_MS;

/** The number of expired tokens that a World remembers, to distinguish them from unknown ones (`token-expired`). */
export const MAX_EXPIRED_TOKENS = 10_000;

/* The settings of tokens. */

/** Whether the end of its lifetime itself still belongs to a token. */
export const TOKEN_BOUNDARY = choice('token-boundary', {
  exclusive: { atEnd: 'has expired', isAlive: (now: Instant, end: Instant) => now < end },
  inclusive: { atEnd: 'is still valid', isAlive: (now: Instant, end: Instant) => now <= end },
});

/** The message of an expired token, except in group life, whose message is in the contract. */
export const TOKEN_EXPIRED = messageSetting('token-expired', 'Token has expired');
export const TOKEN_UNKNOWN = messageSetting('token-unknown', 'Invalid token');

const USED = { message: 'Token has already been used' };

/**
 * What a second verify returns: a refusal with a message of its own, one as if the token were expired or unknown, or
 * the policy again.
 */
export const TOKEN_USED = setting<
  'expired' | 'unknown' | 'same-policy' | typeof USED,
  'used' | 'expired' | 'unknown' | 'same-policy' | typeof USED
>('token-used', {
  published: USED,
  allowed: ['used', 'expired', 'unknown', 'same-policy', ANY_MESSAGE],
  schema: () => z.union([z.enum(['used', 'expired', 'unknown', 'same-policy']), messageSchema()]),
  merge: (set) => (set === 'used' ? USED : set),
});

type TokenErrorCode = 'token_used' | 'token_expired' | 'token_unknown';

/** The code with which a second verify is refused; undefined if it returns the policy again. */
export function usedTokenCode(settings: Settings): TokenErrorCode | undefined {
  const used = TOKEN_USED.in(settings);
  if (used === 'same-policy') return undefined;
  return typeof used === 'string' ? `token_${used}` : 'token_used';
}

/** The message of a token that is refused. */
export function tokenMessage(code: TokenErrorCode, settings: Settings): string {
  if (code === 'token_expired') return TOKEN_EXPIRED.in(settings).message;
  if (code === 'token_unknown') return TOKEN_UNKNOWN.in(settings).message;
  const used = TOKEN_USED.in(settings);
  return typeof used === 'string' ? USED.message : used.message;
}

/** What a family decides about its purchase tokens (`token-format`). */
export interface TokenRules {
  readonly example: string;
  /** Draws a token, which may exist already: under a frozen clock, or after the random state was restored. */
  draw(random: RandomState, now: Instant): string;
}

/** Tokens of a prefix, ten digits of epoch seconds and eight random digits (`token-format`). */
export const stampedTokens = (prefix: string, example: string): TokenRules => ({
  example,
  draw: (random, now) =>
    prefix + String(Math.floor(now / SECOND_MS)).padStart(10, '0') + nextDigits(random, 8),
});

/** The sequence of purchases. */
export const PURCHASES = 'purchase';

/** A purchase that was initiated and not yet verified. */
export interface StoredPurchase<Details> {
  /** Its number in `PURCHASES`. Under a frozen clock, only this tells which of two came first. */
  readonly number: number;
  readonly initiated_at: Instant;
  readonly details: Details;
}

/**
 * The purchase tokens of one family: the pending purchases, oldest first, and the used tokens. The oldest expires
 * first.
 */
export interface TokenStore<Details> extends Pick<TokenRules, 'draw'> {
  readonly family: string;
  /** Whether a token that ends then is still valid (`token-boundary`). */
  isAlive(now: Instant, end: Instant): boolean;
  readonly pending: KeyedTable<StoredPurchase<Details>>;
  /** By token, the number of the policy that it bought. */
  readonly used: KeyedTable<string>;
}

/** An expired token: only its family and its end are remembered. */
export interface ExpiredToken {
  readonly family: string;
  readonly at: Instant;
}

/** The expired tokens of a World, oldest first. */
export type ExpiredTokens = KeyedTable<ExpiredToken>;

/** @param reserved the field with the policy number of a pending purchase, if the family assigns it at initiate */
export const createTokenStore = <Details extends object>(
  { tables, settings }: { readonly tables: Tables; readonly settings: Settings },
  family: string,
  { draw }: TokenRules,
  reserved?: keyof Details & string,
): TokenStore<Details> => ({
  family,
  draw,
  isAlive: TOKEN_BOUNDARY.of(settings).isAlive,
  pending: new KeyedTable(tables, `${family}.pending`, {
    orderOf: ({ number }) => number,
    ...(reserved && { other: ({ details }) => String(details[reserved]) }),
  }),
  used: new KeyedTable(tables, `${family}.used`),
});

/** A pending purchase that expired. Only its token is remembered. */
export interface Expiry {
  readonly token: string;
  /** When it expired. */
  readonly at: Instant;
}

/** The World's part that purchases need. */
export interface TokenHolder {
  readonly random: RandomState;
  readonly sequences: Sequences;
  readonly expired_tokens: ExpiredTokens;
  readonly settings: Settings;
}

/** Deletes expired pending purchases and returns them, oldest first. */
export function takeExpired<Details>(
  { isAlive, pending }: TokenStore<Details>,
  now: Instant,
): Expiry[] {
  const taken: Expiry[] = [];
  for (const [token, purchase] of pending.entries()) {
    const at = purchase.initiated_at + TOKEN_LIFETIME_MS;
    if (isAlive(now, at)) break;
    pending.delete(token);
    taken.push({ token, at });
  }
  return taken;
}

/** The first time at which a pending purchase has expired; undefined if none is pending. */
export function firstExpiry<Details>({
  isAlive,
  pending,
}: TokenStore<Details>): Instant | undefined {
  for (const [, purchase] of pending.entries()) {
    const end = purchase.initiated_at + TOKEN_LIFETIME_MS;
    return isAlive(end, end) ? end + 1 : end;
  }
  return undefined;
}

/** Remembers expired tokens with their families, and forgets the oldest beyond the limit. */
export function rememberExpired(
  expired: ExpiredTokens,
  tokens: readonly (ExpiredToken & { readonly token: string })[],
): void {
  for (const { token, family, at } of tokens) expired.put(token, { family, at });
  for (const token of expired.keys()) {
    if (expired.size <= MAX_EXPIRED_TOKENS) return;
    expired.delete(token);
  }
}

/** Saves a purchase until its token expires, and returns the token: one that the family has never issued. */
export function savePurchase<Details>(
  holder: TokenHolder,
  { pending, used, draw }: TokenStore<Details>,
  details: Details,
  now: Instant,
): string {
  let token: string;
  do token = draw(holder.random, now);
  while (pending.has(token) || used.has(token) || holder.expired_tokens.has(token));
  pending.put(token, { number: nextId(holder, PURCHASES), initiated_at: now, details });
  return token;
}

/**
 * Turns a pending purchase into a record. The World has removed expired ones before. Under a profile a used token
 * returns its record again. Throws `token_unknown`, `token_used` or `token_expired` (`token-unknown`, `token-used`,
 * `token-expired`).
 */
export function completePurchase<Details, Stored>(
  holder: TokenHolder,
  store: TokenStore<Details>,
  token: string,
  records: RecordTable<Stored>,
  create: (details: Details) => Stored,
): Stored {
  const bought = usedTokenCode(holder.settings) ? undefined : store.used.get(token);
  const again = bought === undefined ? undefined : records.get(bought);
  if (again) return again;
  const record = create(findPending(holder, store, token));
  store.pending.delete(token);
  store.used.put(token, records.keyOf(record));
  records.add(record);
  return record;
}

function findPending<Details>(
  { expired_tokens, settings }: TokenHolder,
  { family, pending, used }: TokenStore<Details>,
  token: string,
): Details {
  const purchase = pending.get(token);
  if (purchase) return purchase.details;
  const refuse = (code: TokenErrorCode, ...assumptions: readonly AssumptionId[]) =>
    refused(code, tokenMessage(code, settings), ...assumptions);
  if (used.has(token)) throw refuse(usedTokenCode(settings) ?? 'token_used', 'token-used');
  throw refuse(expired_tokens.get(token)?.family === family ? 'token_expired' : 'token_unknown');
}
