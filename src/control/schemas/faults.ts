import * as z from 'zod/mini';
import { FAULT_STAGES, FaultEffect } from '../../core/faults.ts';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';
import { wholeFrom } from './fields.ts';

export const FaultMatch = component(
  'FaultMatch',
  () =>
    z.strictObject({
      operation: z.optional(
        describe(z.string(), { description: 'An operationId of the merchant API.' }),
      ),
      body: z.optional(
        describe(z.record(z.string(), z.unknown()), {
          description: 'Fields the body of the request must have, at any depth, with their values.',
        }),
      ),
    }),
  {
    description: 'Which calls are meant; nothing named means any.',
    examples: [EXAMPLES.newFault.match],
  },
);

export const NewFault = component(
  'NewFault',
  () =>
    z.strictObject({
      match: z.optional(FaultMatch()),
      stage: describe(z.enum(FAULT_STAGES), {
        description:
          'Before the service does its work, or after: the work is done, the answer suffers.',
      }),
      effect: FaultEffect(),
      times: z.optional(
        describe(wholeFrom(1), { description: 'How often it acts; 1 unless given.' }),
      ),
      probability: z.optional(
        describe(z.number().check(z.gte(0), z.lte(1)), {
          description:
            "How likely it acts on a call it matches, by the World's own chance; 1 unless given.",
        }),
      ),
    }),
  { description: 'A fault to be.', examples: [EXAMPLES.newFault] },
);
export type NewFault = Infer<typeof NewFault>;

export const Fault = component(
  'Fault',
  () =>
    z.strictObject({
      id: z.string(),
      match: FaultMatch(),
      stage: z.enum(FAULT_STAGES),
      effect: FaultEffect(),
      times: describe(wholeFrom(1), { description: 'How often it will still act.' }),
      probability: z.number().check(z.gte(0), z.lte(1)),
    }),
  { description: 'A fault rule, with what is left of it.', examples: [EXAMPLES.fault] },
);
export type Fault = Infer<typeof Fault>;
