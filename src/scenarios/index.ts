/* All scenarios, by family, in the order in which they are played. */

import { groupLife } from './group-life.ts';
import { microHealth } from './micro-health.ts';
import { motor } from './motor.ts';
import type { FamilyScenarios } from './scenario.ts';

/** The scenarios of each family, in the order in which they are played. */
export const familyScenarios: readonly FamilyScenarios[] = [microHealth, motor, groupLife];
