/* All probes, in the order of the specification, and which of them show an assumption. */

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

/** Assumptions without a probe of their own: this one shows them, or the schema of its answer. */
const SHOWN_BY: Readonly<Partial<Record<string, string>>> = {
  'group-life-items': 'group-life-verify-response',
  'group-life-verify-body': 'works.verifyGroupLifePolicy',
  'motor-initiate-token': 'works.initiateMotorPolicy',
  'motor-list': 'works.listMotorPolicies',
  'users-count': 'echo.micro-health',
} satisfies Partial<Record<AssumptionId, string>>;

/** The ids of the probes about a heading or an assumption. */
export const probesOf = (name: string): readonly string[] =>
  PROBES.filter(({ id, about }) => about === name || id === SHOWN_BY[name]).map(({ id }) => id);
