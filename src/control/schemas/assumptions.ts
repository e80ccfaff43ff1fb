import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';
import { wholeFrom } from './fields.ts';

export const AssumptionCount = component(
  'AssumptionCount',
  () =>
    z.strictObject({
      id: z.string(),
      question: z.string(),
      decision: z.string(),
      basis: z.enum(['evidence', 'judgement']),
      count: describe(wholeFrom(0), {
        description: "How many of this World's answers rested on it.",
      }),
      setting: z.optional(
        describe(z.unknown(), { description: 'What it is set to, if it can be set.' }),
      ),
      alternatives: z.optional(
        describe(z.unknown(), { description: 'What a profile may set it to.' }),
      ),
    }),
  {
    description: 'A decision taken where the contract is silent.',
    examples: [EXAMPLES.assumption],
  },
);
export type AssumptionCount = Infer<typeof AssumptionCount>;
