import type { FamilyProbes } from '../../family-probes.ts';
import { motorExchanges } from './exchanges.ts';
import { motorPolicies } from './policies.ts';
import { motorPurchases, YEARLY } from './purchases.ts';
import { motorQuotes } from './quotes.ts';

/** What is asked of motor. */
export const motorProbes: FamilyProbes = {
  family: 'motor',
  purchase: YEARLY,
  probes: (settings) => [...motorQuotes, ...motorPurchases, ...motorPolicies(settings)],
  exchanges: motorExchanges,
};
