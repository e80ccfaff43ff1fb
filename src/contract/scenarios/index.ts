import { groupLife } from './group-life.ts';
import { microHealth } from './micro-health.ts';
import { motor } from './motor.ts';
import type { FamilyScenarios } from './scenario.ts';

/** What a check knows of each family, in the order in which it asks. */
export const familyScenarios: readonly FamilyScenarios[] = [microHealth, motor, groupLife];
