import type { ControlRoute } from '../route.ts';
import { assumptionRoutes } from './assumptions.ts';
import { clockRoutes } from './clock.ts';
import { faultRoutes } from './faults.ts';
import { journalRoutes } from './journal.ts';
import { merchantRoutes } from './merchants.ts';
import { worldRoutes } from './world.ts';

/** Every call of the control plane. */
export const controlRoutes: readonly ControlRoute[] = [
  ...clockRoutes,
  ...worldRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...assumptionRoutes,
  ...merchantRoutes,
];
