import type { FamilyProbes } from '../../family-probes.ts';
import { microHealthExchanges } from './exchanges.ts';
import { microHealthList } from './list.ts';
import { type ExpectedSettings, MONTHLY, microHealthPurchases } from './purchases.ts';
import { microHealthQuotes } from './quotes.ts';
import { microHealthLookUps, microHealthRenewals, refusedRenewals } from './renewals.ts';
import { microHealthSecondMerchant } from './second-merchant.ts';

/** What is asked of micro-health. */
export const microHealthProbes: FamilyProbes<ExpectedSettings> = {
  family: 'micro_health',
  purchase: MONTHLY,
  probes: (settings) => [
    ...microHealthQuotes,
    ...microHealthPurchases(settings),
    ...microHealthRenewals,
    ...microHealthList(settings),
    ...microHealthLookUps,
    ...microHealthSecondMerchant(settings),
    ...refusedRenewals(settings),
  ],
  exchanges: microHealthExchanges,
};
