/*
 * What tools read of the answers of the control plane. A sandbox of another version may say more, and a server that
 * is no sandbox says something else.
 */

import { z } from '@hono/zod-openapi';
import type * as wire from '../../control-wire.ts';

const answer = <T>(schema: z.ZodType): z.ZodType<T> => schema as z.ZodType<T>;

const clock = z.looseObject({ now: z.string(), mode: z.string() });

export const Clock = answer<wire.ClockState>(clock);

export const Merchant = answer<wire.MerchantState>(
  z.looseObject({ id: z.number(), name: z.string(), api_key: z.string(), clock }),
);

export const MovedClock = answer<wire.AdvancedClock>(
  clock.extend({
    effects: z.array(z.looseObject({ kind: z.string(), at: z.string() })),
    more: z.number().optional(),
  }),
);

const fault = z.looseObject({ stage: z.string(), effect: z.looseObject({ kind: z.string() }) });

export const AddedFault = answer<wire.FaultRule>(
  fault.extend({
    id: z.string(),
    match: z.looseObject({}),
    // Older sandboxes do not say this.
    skip: z.number().default(0),
    times: z.number(),
    probability: z.number(),
  }),
);

export const Calls = answer<wire.JournalEntryList>(
  z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        at: z.string(),
        method: z.string(),
        path: z.string(),
        status: z.number().nullable(),
        fault: fault.nullable(),
        // Older sandboxes do not say these.
        hint: z.string().nullable().default(null),
        assumptions: z.array(z.string()).default([]),
        problems: z.array(z.looseObject({ message: z.string() })).default([]),
        changes: z
          .array(z.looseObject({ change: z.string(), table: z.string(), key: z.string() }))
          .default([]),
        request: z.looseObject({}),
        response: z.looseObject({}).nullable(),
      }),
    ),
  }),
);

export const Records = answer<wire.RecordPageJson>(
  z.looseObject({
    data: z.array(z.looseObject({})),
    total: z.number(),
    page: z.number(),
    last_page: z.number(),
  }),
);

export const Assumptions = answer<wire.AssumptionCountList>(
  z.looseObject({
    data: z.array(z.looseObject({ id: z.string(), question: z.string(), decision: z.string() })),
  }),
);
