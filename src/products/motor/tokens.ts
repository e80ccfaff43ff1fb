import type { TokenRules } from '../../world/tokens.ts';

/** The purchase tokens of motor. */
export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  form: /^CMP\d{18}$/,
  says: 'CMP and 18 digits',
};
