import type { Instant } from '../../src/world/time.ts';
import {
  type Expiry,
  rememberExpired,
  type TokenHolder,
  type TokenStore,
  takeExpired,
} from '../../src/world/tokens.ts';

/** Drops what has expired in one family alone. */
export function dropExpired<Details>(
  holder: TokenHolder,
  family: string,
  tokens: TokenStore<Details>,
  now: Instant,
): Expiry[] {
  const taken = takeExpired(holder.settings, tokens, now);
  rememberExpired(
    holder.expired_tokens,
    taken.map(({ token }) => ({ token, family })),
  );
  return taken;
}
