import type { Settings } from '../../../core/settings.ts';
import type { Probe } from '../../probe.ts';
import { lifetimes } from '../tokens.ts';
import { groupLifePurchases, initiatesGroupLife } from './purchases.ts';
import { groupLifeReads } from './reads.ts';

/** What is asked of group life. */
export const groupLifeProbes = (settings: Settings): readonly Probe[] => [
  ...groupLifePurchases,
  ...groupLifeReads(settings),
  ...lifetimes(initiatesGroupLife('plain'), 'verifyGroupLifePolicy', settings.tokenBoundary),
];
