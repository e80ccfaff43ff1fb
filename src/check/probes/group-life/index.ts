import type { FamilyProbes } from '../../family-probes.ts';
import { tokenLifetimes } from '../purchases.ts';
import { groupLifeExchanges } from './exchanges.ts';
import { groupLifePolicies } from './policies.ts';
import { groupLifePurchases, PLAIN } from './purchases.ts';

/** What is asked of group life. */
export const groupLifeProbes: FamilyProbes = {
  family: 'group_life',
  probes: (settings) => [
    ...groupLifePurchases,
    ...groupLifePolicies(settings),
    ...tokenLifetimes(PLAIN, settings.tokenBoundary),
  ],
  exchanges: groupLifeExchanges,
};
