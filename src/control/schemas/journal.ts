import * as z from 'zod/mini';
import { FAULT_STAGES, FaultEffect } from '../../core/faults.ts';
import { JOURNAL_EXCHANGES } from '../../core/journal.ts';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';
import { duration, shown, wholeFrom } from './fields.ts';

export const ExchangeFault = component(
  'ExchangeFault',
  () =>
    z.strictObject({
      id: describe(z.nullable(z.string()), {
        description: 'Null when a request header asked for it.',
      }),
      stage: z.enum(FAULT_STAGES),
      effect: FaultEffect(),
    }),
  { description: 'The fault that touched a call.' },
);

/** The headers and the body of a request or an answer. */
export const JournalMessage = component(
  'JournalMessage',
  () =>
    z.strictObject({
      headers: describe(z.record(z.string(), z.string()), {
        description: 'By their names in lower case.',
      }),
      body: describe(z.unknown(), {
        description: 'JSON as it is, anything else as a text, null if there was none.',
      }),
    }),
  { description: 'What was sent one way.' },
);

export const JournalEntry = component(
  'JournalEntry',
  () =>
    z.strictObject({
      id: z.string(),
      at: shown("When the request came, by the World's clock."),
      operation: describe(z.nullable(z.string()), { description: 'Null for an unknown route.' }),
      method: z.string(),
      path: z.string(),
      status: describe(z.nullable(z.int()), { description: 'Null when no answer was made.' }),
      duration_ms: describe(wholeFrom(0), {
        description: "By the World's clock: 0 while it is frozen.",
      }),
      fault: z.nullable(ExchangeFault()),
      request: JournalMessage(),
      response: z.nullable(JournalMessage()),
    }),
  {
    description: 'One call of the merchant API and its answer; keys and identity numbers redacted.',
    examples: [EXAMPLES.journalEntry],
  },
);

/** Which exchanges of the journal are asked for. */
export const JournalQuery = component('JournalQuery', () =>
  z.strictObject({
    operation: z.optional(
      describe(z.string(), { description: 'An operationId of the merchant API.' }),
    ),
    status: z.optional(describe(wholeFrom(100, 599), { description: 'The status answered.' })),
    token: z.optional(
      describe(z.string(), {
        description: 'The initiate that issued this token, and every verify that sent it.',
      }),
    ),
    limit: z.optional(describe(wholeFrom(1), { description: 'How many at the most.' })),
  }),
);
export type JournalQuery = Infer<typeof JournalQuery>;

export const Expectation = component(
  'Expectation',
  () =>
    z.strictObject({
      operation: z.optional(
        describe(z.string(), { description: 'An operationId of the merchant API.' }),
      ),
      status: z.optional(describe(wholeFrom(100, 599), { description: 'The status answered.' })),
      count: z.optional(
        describe(wholeFrom(1, JOURNAL_EXCHANGES), {
          description: 'How many exchanges to wait for; 1 unless given.',
        }),
      ),
      timeout: z.optional(
        duration('How long to wait in real time; 5 seconds unless given.', 'PT5S'),
      ),
    }),
  { description: 'What to wait for.', examples: [EXAMPLES.expectation] },
);
export type Expectation = Infer<typeof Expectation>;
