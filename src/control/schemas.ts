import * as z from 'zod/mini';
import { FAULT_STAGES, FaultEffect } from '../core/faults.ts';
import { JOURNAL_EXCHANGES } from '../core/journal.ts';
import { LAST_SEED } from '../core/random.ts';
import { component, describe, type Infer, type Meta } from '../core/schema.ts';
import { EXAMPLES } from './examples.ts';

/*
 * The control plane's wire. Moments are ISO 8601 with an offset or Z, durations ISO 8601; both are
 * given and answered as texts.
 */

const MOMENT: Meta = { examples: ['2026-01-31T10:00:00.000Z'], format: 'date-time' };
/** A moment as it is answered: UTC, to the millisecond. */
const shown = (description: string) =>
  describe(z.iso.datetime({ precision: 3 }), { description, ...MOMENT });
/** A moment as it may be sent; what it says is read by `momentOf`, which knows where clocks end. */
const moment = (description: string) => describe(z.string(), { description, ...MOMENT });
const duration = (description: string, example: string) =>
  describe(z.string(), { description, examples: [example], format: 'duration' });
const mode = () =>
  describe(z.enum(['running', 'frozen']), { description: 'Whether time passes by itself.' });
const wholeFrom = (low: number, high = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.gte(low), z.lte(high));

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

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
export const SNAPSHOT_VERSION = 1;

// What a snapshot holds is checked in full by the rule that reads it, which can name every place.
export const Snapshot = component(
  'Snapshot',
  () =>
    z.strictObject({
      version: describe(z.int(), {
        description: 'The form of `world`.',
        examples: [SNAPSHOT_VERSION],
      }),
      world: describe(z.record(z.string(), z.unknown()), {
        description: "All the World remembers. What is inside is the sandbox's own affair.",
      }),
    }),
  {
    description: `A whole World as one document, version ${SNAPSHOT_VERSION}.`,
    examples: [EXAMPLES.snapshot],
  },
);
export type Snapshot = Infer<typeof Snapshot>;
