import type { Settings } from '../../../core/settings.ts';
import type { Probe } from '../../probe.ts';
import { microHealthList } from './list.ts';
import { microHealthPurchases } from './purchases.ts';
import { microHealthQuotes } from './quotes.ts';
import { microHealthRenewals, refusedRenewals } from './renewals.ts';
import { microHealthSecond } from './second.ts';

/** What is asked of micro-health. */
export const microHealthProbes = (settings: Settings): readonly Probe[] => [
  ...microHealthQuotes,
  ...microHealthPurchases(settings),
  ...microHealthRenewals,
  ...microHealthList(settings),
  ...microHealthSecond(settings),
  ...refusedRenewals(settings),
];
