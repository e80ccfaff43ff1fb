/* How long a purchase token of motor lives, and how it is written. */

import { stampedTokens, type TokenRules } from '../../world/tokens.ts';

export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  ...stampedTokens('CMP', 'CMP169848000048213075'),
};
