import { stampedTokens, type TokenRules } from '../../world/tokens.ts';

/** The purchase tokens of motor. */
export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  ...stampedTokens('CMP', 'CMP169848000048213075'),
};
