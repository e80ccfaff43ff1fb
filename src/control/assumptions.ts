import { ASSUMPTIONS, type Assumption } from '../core/assumptions.ts';
import type { WorldCore } from '../core/world.ts';
import type { AssumptionCount } from './schemas.ts';

/** Every decision, with how many of this World's answers rested on it. */
export function listAssumptions(world: WorldCore): AssumptionCount[] {
  const counts = new Map<string, number>();
  for (const [list, answers] of world.assumed) {
    for (const id of list.split(', ')) counts.set(id, (counts.get(id) ?? 0) + answers);
  }
  return Object.entries<Assumption>(ASSUMPTIONS).map(([id, assumption]) => ({
    id,
    ...assumption,
    count: counts.get(id) ?? 0,
  }));
}
