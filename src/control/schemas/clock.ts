import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';
import { duration, mode, moment, shown } from './fields.ts';

export const ClockState = component(
  'Clock',
  () => z.strictObject({ now: shown('What the clock shows.'), mode: mode() }),
  { description: 'What a clock shows.', examples: [EXAMPLES.clock] },
);
export type ClockState = Infer<typeof ClockState>;

export const ClockChange = component(
  'ClockChange',
  () =>
    z.strictObject({
      mode: z.optional(mode()),
      now: z.optional(moment('Where the clock jumps to; not before what it shows.')),
    }),
  { description: 'How a clock is set.', examples: [EXAMPLES.clockChange] },
);
export type ClockChange = Infer<typeof ClockChange>;

export const Advance = component(
  'Advance',
  () =>
    z.strictObject({
      by: z.optional(duration('How far to go; months and years are calendar ones.', 'PT15M')),
      to: z.optional(moment('Where to go.')),
    }),
  { description: 'How far time moves: `by` or `to`, one of them.', examples: [EXAMPLES.advance] },
);
export type Advance = Infer<typeof Advance>;

export const Effect = component(
  'Effect',
  () =>
    z.strictObject({
      kind: z.enum(['purchase_expired']),
      operation: describe(z.string(), {
        description: 'The operation that initiated the purchase.',
      }),
      token: z.string(),
      at: shown('When the fifteen minutes were over.'),
    }),
  { description: 'Something the passing of time did.', examples: [EXAMPLES.advanced.effects[0]] },
);
export type Effect = Infer<typeof Effect>;

export const Advanced = component(
  'AdvancedClock',
  () =>
    z.strictObject({
      now: shown('What the clock shows.'),
      mode: mode(),
      effects: describe(z.array(Effect()), { description: 'What lapsed on the way, in order.' }),
    }),
  { description: 'What a clock shows after time was moved.', examples: [EXAMPLES.advanced] },
);
export type Advanced = Infer<typeof Advanced>;
