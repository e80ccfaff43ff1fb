import { stampedTokens, type TokenRules } from '../../world/tokens.ts';

/** The purchase tokens of group life. */
export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  ...stampedTokens('GLP', 'GLP176985360040173958'),
};
