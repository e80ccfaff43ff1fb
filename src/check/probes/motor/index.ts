import type { Settings } from '../../../core/settings.ts';
import type { Probe } from '../../probe.ts';
import { lifetimes } from '../tokens.ts';
import { initiatesMotor, motorPurchases } from './purchases.ts';
import { motorQuotes } from './quotes.ts';
import { motorReads } from './reads.ts';
import { motorRefusals } from './refusals.ts';

/** What is asked of motor. */
export const motorProbes = (settings: Settings): readonly Probe[] => [
  ...motorQuotes,
  ...motorRefusals,
  ...motorPurchases,
  ...motorReads(settings),
  ...lifetimes(initiatesMotor('yearly'), 'verifyMotorPolicy', settings.tokenBoundary),
];
