import * as z from 'zod/mini';
import { LAST_SEED } from '../../core/random.ts';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';
import { ClockState } from './clock.ts';
import { mode, moment, wholeFrom } from './fields.ts';

export const NewMerchant = component(
  'NewMerchant',
  () =>
    z.strictObject({
      name: z.optional(z.string().check(z.regex(/\S/))),
      records: z.optional(
        describe(z.enum(['none', 'demo']), {
          description: 'Whether it starts with the demo population; none unless given.',
        }),
      ),
      now: z.optional(moment('Where its clock starts.')),
      mode: z.optional(mode()),
      seed: z.optional(wholeFrom(0, LAST_SEED)),
    }),
  { description: 'A merchant to be; everything has a default.', examples: [EXAMPLES.newMerchant] },
);
export type NewMerchant = Infer<typeof NewMerchant>;

export const MerchantState = component(
  'Merchant',
  () =>
    z.strictObject({
      id: z.int(),
      name: z.string(),
      api_key: z.string(),
      clock: ClockState(),
      counts: describe(z.record(z.string(), wholeFrom(0)), {
        description: 'Policies by family, pending purchases, faults and exchanges in the journal.',
      }),
    }),
  { description: 'A merchant, its key and its World at a glance.', examples: [EXAMPLES.merchant] },
);
export type MerchantState = Infer<typeof MerchantState>;
