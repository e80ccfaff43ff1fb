/* The list of product families, and what a sandbox with certain settings serves of them. */

import type { Operation } from '../api/operation.ts';
import type { Settings } from '../world/settings.ts';
import type { ProductFamily } from './family.ts';
import { groupLife } from './group-life/index.ts';
import { microHealth } from './micro-health/index.ts';
import { motor } from './motor/index.ts';

/** The product families of the service, as published. A further family is a folder, and a line here. */
export const families = [microHealth, motor, groupLife] as const;

/** The key of a family: the name of its part of a World. */
export type FamilyKey = (typeof families)[number]['key'];

/** The families as a sandbox with these settings serves them. Only their operations depend on settings. */
export interface ServedFamilies {
  readonly settings: Settings;
  readonly all: readonly ProductFamily[];
  /** The operations of all families. */
  readonly operations: readonly Operation[];
}

/** The last families that were made, by their settings. Making them takes 25 ms, and many tests share a profile. */
const made = new Map<string, ServedFamilies>();
const MAX_MADE = 16;

/** Makes the operations of every family for these settings, or returns those of equal settings. */
export function createFamilies(settings: Settings): ServedFamilies {
  const key = JSON.stringify(settings);
  let served = made.get(key);
  if (!served) {
    if (made.size === MAX_MADE) made.clear();
    served = serve(
      settings,
      families.map((family) => ({ ...family, operations: family.createOperations(settings) })),
    );
    made.set(key, served);
  }
  return served;
}

/** Families whose operations are of these settings. */
export const serve = (settings: Settings, all: readonly ProductFamily[]): ServedFamilies => ({
  settings,
  all,
  operations: all.flatMap(({ operations }) => operations),
});
