/* The schema of a journal entry, as every view shows it. */

import { z } from '@hono/zod-openapi';
import { FAULT_STAGES, FaultEffect } from '../world/fault-kinds.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { REDACTED } from '../world/redaction.ts';
import { EXAMPLE, namedOutput, operationName, shownMoment } from './fields.ts';

const EntryFault = namedOutput('ExchangeFault', 'The fault that acted on a call.', () => ({
  id: z.string().nullable().describe('Null if it came from the `Sandbox-Fault` request header.'),
  stage: z.enum(FAULT_STAGES),
  effect: FaultEffect(),
}));

const HeaderTexts = onFirstUse(() =>
  z.record(z.string(), z.string()).openapi({
    description: 'Header values by name; names are in lower case.',
  }),
);

/** The headers and the body of a request or a response. */
const JournalMessage = namedOutput(
  'JournalMessage',
  'The headers and body of a request or response.',
  () => ({
    headers: HeaderTexts(),
    body: z
      .unknown()
      .refine((body): boolean => body !== undefined, { error: 'any JSON' })
      .describe(
        'JSON, or a text if it is not JSON; null if there was none. A body larger than 1 MiB is cut and shown as a text.',
      ),
  }),
);

/** Unlike `nullable()`, it leaves the named schema as it is in the document. */
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

export const MerchantName = namedOutput('MerchantName', 'A merchant by id and name.', () => ({
  id: z.int(),
  name: z.string(),
}));

/** A reason of a refusal. */
const JournalProblem = namedOutput('JournalProblem', 'One reason why a call was refused.', () => ({
  rule: z.string().meta({
    description:
      'The rule that was broken, such as `required`, `format`, `range`, `premium` or `token_used`.',
    examples: ['required'],
  }),
  field: z
    .string()
    .describe('The field it is about, with the place inside it: `members.3.gender`.')
    .optional(),
  message: z.string(),
}));

const changedFields = (description: string) =>
  z.record(z.string(), z.unknown()).meta({ description }).optional();

const RowChange = namedOutput(
  'RowChange',
  'One thing that a call added, changed or removed.',
  () => ({
    change: z.enum(['added', 'changed', 'removed']),
    table: z
      .string()
      .describe(
        '`<family>.policies`, `<family>.pending` (purchases), `<family>.used` (tokens) or `faults` (rules).',
      ),
    key: z.string().describe('The policy number, the purchase token, or the id of the fault rule.'),
    before: changedFields('The fields that changed, as they were: `subscriptions.end_date`.'),
    after: changedFields('The fields that changed, as they are.'),
  }),
);

export const JournalEntry = namedOutput(
  'JournalEntry',
  'A merchant-API call: its request, its response and what it changed. Keys and identity numbers are redacted unless redaction is off.',
  () => ({
    id: z.string().describe('The `Sandbox-Request-Id` of the response.'),
    merchant: orNull(MerchantName()).describe('Null if the call had no valid key.'),
    at: shownMoment("When the request arrived, by the World's clock."),
    operation: orNull(operationName()).describe(
      'The operationId; null if no operation has this method and path.',
    ),
    method: z.string(),
    path: z.string().describe('Path and query.'),
    status: z.int().nullable().describe('The HTTP status; null if there was no response.'),
    duration_ms: z
      .int()
      .min(0)
      .describe("Milliseconds by the World's clock; 0 while it is frozen."),
    received_at: shownMoment(
      'When the request arrived, in real time; null for a call of a snapshot or of an earlier run.',
    ).nullable(),
    elapsed_ms: z
      .number()
      .min(0)
      .nullable()
      .describe('Real milliseconds; null for a call of a snapshot or of an earlier run.'),
    fault: orNull(EntryFault()),
    hint: z
      .string()
      .nullable()
      .describe('What the caller probably meant: `Sandbox-Hint` of the response.'),
    assumptions: z
      .array(z.string())
      .describe('The ids of the assumptions behind the response: `Sandbox-Assumptions`.'),
    problems: z
      .array(JournalProblem())
      .describe(
        'Why the service refused the call. Empty for a success, and for a response that a fault made.',
      ),
    cause: z
      .string()
      .describe(
        'Why a token was refused, in what the merchant cannot know: the call that used it and the policy that it bought, or when it expired.',
      )
      .optional(),
    summary: z
      .string()
      .describe(
        'What the call was about: `Ada Obi · ₦700 · monthly`, or `15 of 38 listed`. Empty if it tells nothing.',
      ),
    changes: z
      .array(RowChange())
      .describe(
        'What the call changed: policies, pending purchases, used tokens and uses of fault rules. A lost response does not undo it.',
      ),
    request: JournalMessage(),
    response: orNull(JournalMessage()),
  }),
  {
    id: 'req-3-2',
    merchant: { id: 3, name: 'Worker 3' },
    at: EXAMPLE.now,
    operation: EXAMPLE.verify,
    method: 'POST',
    path: EXAMPLE.verifyPath,
    status: 400,
    duration_ms: 0,
    received_at: '2026-11-03T08:15:30.120Z',
    elapsed_ms: 0.412,
    fault: null,
    hint: null,
    assumptions: ['token-expired'],
    problems: [{ rule: 'token_expired', message: EXAMPLE.expired.response_message }],
    cause: 'expired at 10:15:00, 12 s before',
    summary: 'Balogun Traders',
    changes: [],
    request: {
      headers: { authorization: REDACTED, 'content-type': 'application/json' },
      body: { token: EXAMPLE.token },
    },
    response: {
      headers: { 'content-type': 'application/json', 'sandbox-request-id': 'req-3-2' },
      body: EXAMPLE.expired,
    },
  },
);
