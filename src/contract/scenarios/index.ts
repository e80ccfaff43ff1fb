import type { Catalogue } from '../catalogue.ts';
import { groupLifeScenarios } from './group-life.ts';
import { microHealthScenarios } from './micro-health.ts';
import { motorScenarios } from './motor.ts';
import type { CheckRun } from './people.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario there is, family by family. */
export const scenariosFor = (catalogue: Catalogue, run: CheckRun): Scenario[] => [
  ...microHealthScenarios(catalogue, run),
  ...motorScenarios(catalogue, run),
  ...groupLifeScenarios(catalogue, run),
];
