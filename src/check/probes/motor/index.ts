import type { FamilyProbes } from '../../family-probes.ts';
import { tokenLifetimes } from '../purchases.ts';
import { motorExchanges } from './exchanges.ts';
import { motorPolicies } from './policies.ts';
import { motorPurchases, YEARLY } from './purchases.ts';
import { motorQuotes } from './quotes.ts';

/** What is asked of motor. */
export const motorProbes: FamilyProbes = {
  family: 'motor',
  probes: (settings) => [
    ...motorQuotes,
    ...motorPurchases,
    ...motorPolicies(settings),
    ...tokenLifetimes(YEARLY, settings.tokenBoundary),
  ],
  exchanges: motorExchanges,
};
