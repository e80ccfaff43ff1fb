/* All probes, in the order of the specification, and the assumptions that no answer shows. */

import type { AssumptionId } from '../../../world/assumptions.ts';
import type { Probe } from '../probe.ts';
import { authentication } from './authentication.ts';
import { covers } from './covers.ts';
import { echoes } from './echoes.ts';
import { errors } from './errors.ts';
import { groupLifeProbes } from './group-life.ts';
import { lists } from './lists.ts';
import { microHealthProbes } from './micro-health.ts';
import { motorProbes } from './motor.ts';
import { productsAndPolicies } from './products-and-policies.ts';
import { requestBodies } from './request-bodies.ts';
import { resources } from './resources.ts';
import { statesAndTransitions } from './states-and-transitions.ts';
import { whatTheServiceDoes } from './what-the-service-does.ts';

export const PROBES: readonly Probe[] = [
  ...whatTheServiceDoes,
  ...statesAndTransitions,
  ...microHealthProbes,
  ...motorProbes,
  ...groupLifeProbes,
  ...productsAndPolicies,
  ...covers,
  ...lists,
  ...echoes,
  ...resources,
  ...requestBodies,
  ...authentication,
  ...errors,
];

/** The ids of the probes about an assumption. */
export const probesOf = (assumption: string): readonly string[] =>
  PROBES.filter(({ about }) => about === assumption).map(({ id }) => id);

/** Assumptions without a probe of their own, and why. */
export const UNPROBED: Readonly<Partial<Record<AssumptionId, string>>> = {
  currency: 'No answer names a currency.',
  'group-life-verify-body': 'The probe works.verifyGroupLifePolicy shows it.',
  'motor-initiate-token': 'The schema of the response shows it.',
  'motor-list': 'The schema of the list shows it.',
  'price-config': "Prices are the provider's to set.",
};
