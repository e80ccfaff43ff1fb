import { listAssumptions } from '../assumptions.ts';
import { type ControlRoute, controlRoute } from '../route.ts';
import { AssumptionCount } from '../schemas/assumptions.ts';

/** The decisions behind the answers. */
export const assumptionRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'listAssumptions',
    summary: 'List every decision, with how often answers rested on it',
    method: 'get',
    path: '/assumptions',
    over: 'world',
    status: 200,
    answer: AssumptionCount,
    list: true,
    refusals: [],
    handle: ({ tenant }) => listAssumptions(tenant.world),
  }),
];
