/* How long a purchase token of micro-health lives, and how it is written. */

import { nextHex } from '../../world/random.ts';
import type { TokenRules } from '../../world/tokens.ts';

export const TOKENS: TokenRules = {
  lifetimeMinutes: 15,
  form: /^[0-9a-f]{40}$/,
  says: '40 lower-case hex digits',
  example: '3f7a1c9be20d4586a7b1c3d5e7f90123456789ab',
  draw: (random) => nextHex(random, 40),
};
