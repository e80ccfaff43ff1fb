import { groupLife } from './group-life/index.ts';
import { microHealth } from './micro-health/index.ts';
import { motor } from './motor/index.ts';

/** The product families of the service. A further family is a folder, and a line here. */
export const families = [microHealth, motor, groupLife] as const;

/** The key of a family: the name of its part of a World. */
export type FamilyKey = (typeof families)[number]['key'];
