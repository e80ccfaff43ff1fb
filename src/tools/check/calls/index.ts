/* The families in the order of the specification, as their calls know them. */

import { groupLife } from './group-life.ts';
import { microHealth } from './micro-health.ts';
import { motor } from './motor.ts';
import type { FamilyCalls } from './shared.ts';

export const families: readonly FamilyCalls[] = [microHealth, motor, groupLife];
