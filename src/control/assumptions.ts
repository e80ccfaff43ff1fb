import { ASSUMPTIONS, type Assumption, type AssumptionId } from '../core/assumptions.ts';
import type { WorldCore } from '../core/world.ts';
import { ALTERNATIVES } from './alternatives.ts';
import type { AssumptionCount } from './schemas/assumptions.ts';

/** Every decision, with how many of this World's answers rested on it, and how it is set if it can be. */
export function listAssumptions(world: WorldCore): AssumptionCount[] {
  const counts = new Map<string, number>();
  for (const [list, answers] of world.assumed) {
    for (const id of list.split(', ')) counts.set(id, (counts.get(id) ?? 0) + answers);
  }
  return Object.entries<Assumption>(ASSUMPTIONS).map(([id, assumption]) => {
    const alternative = ALTERNATIVES[id as AssumptionId];
    return {
      id,
      ...assumption,
      count: counts.get(id) ?? 0,
      ...(alternative && {
        setting: structuredClone(alternative.read(world.settings)),
        alternatives: structuredClone(alternative.allowed),
      }),
    };
  });
}
