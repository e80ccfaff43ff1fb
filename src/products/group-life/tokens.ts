import type { TokenRules } from '../../world/tokens.ts';

/** The purchase tokens of group life. */
export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  form: /^GLP\d{18}$/,
  says: 'GLP and 18 digits',
};
