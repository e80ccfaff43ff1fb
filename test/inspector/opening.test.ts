import { expect, test } from 'vitest';
import type { MerchantState } from '../../src/index.ts';
import { merchantToOpen } from '../../src/ui/inspector/client/merchants.ts';

const merchant = (id: number, exchanges: number) =>
  ({ id, name: `Merchant ${id}`, counts: { exchanges } }) as MerchantState;

test.each([
  ['the only one in use', [merchant(1, 0), merchant(2, 3)], false, 2],
  ['all if several are in use', [merchant(1, 1), merchant(2, 3)], false, undefined],
  ['the first while none is in use', [merchant(1, 0), merchant(2, 0)], false, 1],
  ['all while none is in use and every key opens a World', [merchant(1, 0)], true, undefined],
  ['all if there is none', [], false, undefined],
] as const)('the page opens on %s', (_, merchants, opensWorlds, id) => {
  expect(merchantToOpen(merchants, { opensWorlds })).toBe(id);
});
