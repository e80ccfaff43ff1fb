import type { FamilyProbes } from '../../probe.ts';
import { microHealthList } from './list.ts';
import { type ExpectedSettings, microHealthPurchases } from './purchases.ts';
import { microHealthQuotes } from './quotes.ts';
import { microHealthRenewals, refusedRenewals } from './renewals.ts';
import { microHealthSecondMerchant } from './second-merchant.ts';

/** What is asked of micro-health. */
export const microHealthProbes: FamilyProbes<ExpectedSettings> = {
  family: 'micro_health',
  probes: (settings) => [
    ...microHealthQuotes,
    ...microHealthPurchases(settings),
    ...microHealthRenewals,
    ...microHealthList(settings),
    ...microHealthSecondMerchant(settings),
    ...refusedRenewals(settings),
  ],
};
