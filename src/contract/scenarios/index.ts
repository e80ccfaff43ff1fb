import type { Catalogue } from '../catalogue.ts';
import { groupLife } from './group-life.ts';
import { microHealth } from './micro-health.ts';
import { motor } from './motor.ts';
import type { CheckRun } from './people.ts';
import type { FamilyScenarios, Scenario } from './scenario.ts';

/** What a check knows of each family. */
export const familyScenarios: readonly FamilyScenarios[] = [microHealth, motor, groupLife];

/** Every scenario there is, family by family. */
export const scenariosFor = (catalogue: Catalogue, run: CheckRun): Scenario[] =>
  familyScenarios.flatMap(({ scenarios }) => scenarios(catalogue, run));
