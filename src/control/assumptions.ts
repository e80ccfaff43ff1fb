/* Lists every assumption, how often each was used, and the values that the profile sets. */

import { z } from '@hono/zod-openapi';
import { ASSUMPTIONS } from '../products/world.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import { worldCall } from './call.ts';
import { namedOutput } from './fields.ts';
import { profileOptions } from './profile.ts';

const EXAMPLE_ID = 'token-boundary';

const AssumptionCount = namedOutput(
  'AssumptionCount',
  'A question the contract leaves open, and what the sandbox does.',
  () => ({
    id: z.string(),
    question: z.string().describe('What the contract leaves open.'),
    decision: z.string().describe('What the sandbox does.'),
    basis: z
      .enum(['evidence', 'judgement'])
      .describe(
        '`evidence`: other public documentation of the same interface supports it. `judgement`: it is our own choice.',
      ),
    count: z.int().min(0).describe('Number of responses in this World that used it.'),
    setting: z.unknown().describe('Its current value, if a profile can set it.').optional(),
    alternatives: z.unknown().describe('The values that a profile can set.').optional(),
  }),
  {
    id: EXAMPLE_ID,
    ...ASSUMPTIONS[EXAMPLE_ID],
    count: 2,
    setting: 'exclusive',
    alternatives: profileOptions[EXAMPLE_ID]?.allowed,
  },
);

/** The call that lists the assumptions behind the responses. */
export const assumptionCalls = {
  assumptions: worldCall({
    operationId: 'listAssumptions',
    summary: 'List the assumptions and how often responses are based on them',
    description:
      'Returns each question that the specification leaves open, and what this sandbox does. If a profile can change it, `setting` has the value in use and `alternatives` the possible values.',
    route: 'GET /assumptions',
    output: AssumptionCount,
    list: 'AssumptionCountList',
    run(_, { world }) {
      const counts = new Map<string, number>();
      for (const [list, responses] of world.assumption_counts) {
        for (const id of list.split(', ')) counts.set(id, (counts.get(id) ?? 0) + responses);
      }
      return Object.entries<Assumption>(ASSUMPTIONS).map(([id, assumption]) => {
        const option = profileOptions[id as AssumptionId];
        return {
          id,
          ...assumption,
          count: counts.get(id) ?? 0,
          ...(option && {
            setting: structuredClone(option.in(world.settings)),
            alternatives: structuredClone(option.allowed),
          }),
        };
      });
    },
  }),
};
