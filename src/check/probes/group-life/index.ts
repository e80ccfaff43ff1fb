import type { FamilyProbes } from '../../family-probes.ts';
import { groupLifeExchanges } from './exchanges.ts';
import { groupLifePolicies } from './policies.ts';
import { groupLifePurchases, overMidnight, PLAIN } from './purchases.ts';

/** What is asked of group life. */
export const groupLifeProbes: FamilyProbes = {
  family: 'group_life',
  purchase: PLAIN,
  probes: (settings) => [...groupLifePurchases, ...groupLifePolicies(settings), ...overMidnight],
  exchanges: groupLifeExchanges,
};
