import type { TokenRules } from '../../world/tokens.ts';

/** The purchase tokens of micro-health. */
export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  form: /^[0-9a-f]{40}$/,
  says: '40 lower-case hex digits',
};
