/*
 * What tools read of the answers of the control plane. A sandbox of another version may say more, and a server that
 * is no sandbox says something else.
 */

import { z } from '@hono/zod-openapi';
import type * as wire from '../../types/control-wire.ts';

const answer = <T>(schema: z.ZodType): z.ZodType<T> => schema as z.ZodType<T>;

const clock = z.looseObject({ now: z.string(), mode: z.string() });

export const Clock = answer<wire.ClockState>(clock);

export const Merchant = answer<wire.MerchantState>(
  z.looseObject({ id: z.number(), name: z.string(), api_key: z.string(), clock }),
);

export const MovedClock = answer<wire.AdvancedClock>(
  clock.extend({
    effects: z.array(z.looseObject({ kind: z.string(), at: z.string() })),
    more: z.number(),
  }),
);

const fault = z.looseObject({ stage: z.string(), effect: z.looseObject({ kind: z.string() }) });

const rule = fault.extend({
  id: z.string(),
  match: z.looseObject({}),
  skip: z.number(),
  times: z.number(),
  probability: z.number(),
});

export const AddedFault = answer<wire.FaultRule>(rule);

export const Faults = answer<wire.FaultList>(z.looseObject({ data: z.array(rule) }));

/** The answer of a call that answers nothing. */
export const Nothing = answer<undefined>(z.undefined());

export const Purchases = answer<wire.PendingPurchaseList>(
  z.looseObject({
    data: z.array(
      z.looseObject({
        operation: z.string(),
        token: z.string(),
        holder: z.string(),
        premium: z.number().nullable(),
        expires_at: z.string(),
      }),
    ),
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
        hint: z.string().nullable(),
        assumptions: z.array(z.string()),
        problems: z.array(z.looseObject({ message: z.string() })),
        changes: z.array(z.looseObject({ change: z.string(), table: z.string(), key: z.string() })),
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
