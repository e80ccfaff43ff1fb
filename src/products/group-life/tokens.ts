/* How long a purchase token of group life lives, and how it is written. */

import { stampedTokens, type TokenRules } from '../../world/tokens.ts';

export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  ...stampedTokens('GLP', 'GLP176985360040173958'),
};
