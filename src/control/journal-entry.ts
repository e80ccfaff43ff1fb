/*
 * The journal entry: its schema, how the journal, events, `onCall` and the log present it, and how it is saved and
 * restored.
 */

import { z } from '@hono/zod-openapi';
import { MAX_DEPTH } from '../api/request.ts';
import { personalFields } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { momentText, systemTimeAt } from '../world/clock.ts';
import { FAULT_STAGES, FaultEffect } from '../world/fault-kinds.ts';
import type { Fault } from '../world/faults.ts';
import type { Journal, RawHeaders, StoredEntry } from '../world/journal.ts';
import { isJsonType, joinBody } from '../world/json.ts';
import { parseJson } from '../world/json-text.ts';
import { isPlainObject } from '../world/problem-texts.ts';
import { AS_SENT, type CallRedact, createRedaction, REDACTED } from '../world/redaction.ts';
import { EXAMPLE, operationName, shownMoment } from './fields.ts';
import { summaryOf } from './summary.ts';

const EntryFault = z
  .strictObject({
    id: z
      .string()
      .nullable()
      .meta({ description: 'Null if it came from the `Sandbox-Fault` request header.' }),
    stage: z.enum(FAULT_STAGES),
    effect: FaultEffect,
  })
  .openapi('ExchangeFault')
  .meta({ description: 'The fault that acted on a call.' });

/** Keeps every name, also `__proto__`, which a record would drop. */
const HeaderTexts = z
  .custom<Record<string, string>>(isPlainObject, { error: 'an object', abort: true })
  .superRefine((headers, { addIssue }) => {
    for (const [name, input] of Object.entries<unknown>(headers)) {
      if (typeof input === 'string') continue;
      addIssue({ code: 'invalid_type', expected: 'string', path: [name], input });
    }
  })
  .openapi({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Header values by name; names are in lower case.',
  });

/** The headers and the body of a request or a response. */
const JournalMessage = z
  .strictObject({
    headers: HeaderTexts,
    body: z
      .unknown()
      .refine((body): boolean => body !== undefined, { error: 'any JSON' })
      .meta({
        description:
          'JSON, or a text if it is not JSON; null if there was none. A body larger than 1 MiB is cut and shown as a text.',
      }),
  })
  .openapi('JournalMessage')
  .meta({ description: 'The headers and body of a request or response.' });

/** Unlike `nullable()`, it leaves the named schema as it is in the document. */
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

export const MerchantName = z
  .strictObject({ id: z.int(), name: z.string() })
  .openapi('MerchantName')
  .meta({ description: 'A merchant by id and name.' });

/** A reason of a refusal. */
const JournalProblem = z
  .strictObject({
    rule: z.string().meta({
      description:
        'The rule that was broken, such as `required`, `format`, `range`, `premium` or `token_used`.',
      examples: ['required'],
    }),
    field: z
      .string()
      .meta({ description: 'The field it is about, with the place inside it: `members.3.gender`.' })
      .optional(),
    message: z.string(),
  })
  .openapi('JournalProblem')
  .meta({ description: 'One reason why a call was refused.' });

const changedFields = (description: string) =>
  z.record(z.string(), z.unknown()).meta({ description }).optional();

const RowChange = z
  .strictObject({
    change: z.enum(['added', 'changed', 'removed']),
    table: z.string().meta({
      description:
        '`<family>.policies`, `<family>.pending` (purchases), `<family>.used` (tokens) or `faults` (rules).',
    }),
    key: z
      .string()
      .meta({ description: 'The policy number, the purchase token, or the id of the fault rule.' }),
    before: changedFields('The fields that changed, as they were: `subscriptions.end_date`.'),
    after: changedFields('The fields that changed, as they are.'),
  })
  .openapi('RowChange')
  .meta({ description: 'One thing that a call added, changed or removed.' });

export const JournalEntry = z
  .strictObject({
    id: z.string().meta({ description: 'The `Sandbox-Request-Id` of the response.' }),
    merchant: orNull(MerchantName).meta({ description: 'Null if the call had no valid key.' }),
    at: shownMoment("When the request arrived, by the World's clock."),
    operation: orNull(operationName()).meta({
      description: 'The operationId; null if no operation has this method and path.',
    }),
    method: z.string(),
    path: z.string().meta({ description: 'Path and query.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status; null if there was no response.' }),
    duration_ms: z
      .int()
      .min(0)
      .meta({ description: "Milliseconds by the World's clock; 0 while it is frozen." }),
    received_at: shownMoment(
      'When the request arrived, in real time; null for a call of a snapshot or of an earlier run.',
    ).nullable(),
    elapsed_ms: z.number().min(0).nullable().meta({
      description: 'Real milliseconds; null for a call of a snapshot or of an earlier run.',
    }),
    fault: orNull(EntryFault),
    hint: z
      .string()
      .nullable()
      .meta({ description: 'What the caller probably meant: `Sandbox-Hint` of the response.' }),
    assumptions: z.array(z.string()).meta({
      description: 'The ids of the assumptions behind the response: `Sandbox-Assumptions`.',
    }),
    problems: z.array(JournalProblem).meta({
      description:
        'Why the service refused the call. Empty for a success, and for a response that a fault made.',
    }),
    cause: z
      .string()
      .meta({
        description:
          'Why a token was refused, in what the merchant cannot know: the call that used it and the policy that it bought, or when it expired.',
      })
      .optional(),
    summary: z.string().meta({
      description:
        'What the call was about: `Ada Obi · ₦700 · monthly`, or `15 of 38 listed`. Empty if it tells nothing.',
    }),
    changes: z.array(RowChange).meta({
      description:
        'What the call changed: policies, pending purchases, used tokens and uses of fault rules. A lost response does not undo it.',
    }),
    request: JournalMessage,
    response: orNull(JournalMessage),
  })
  .openapi('JournalEntry')
  .meta({
    description:
      'A merchant-API call: its request, its response and what it changed. Keys and identity numbers are redacted unless redaction is off.',
    examples: [
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
    ],
  });

/** A saved entry. Its merchant is the one of its World, and its summary is read again. */
export const SavedEntry = JournalEntry.omit({
  merchant: true,
  received_at: true,
  elapsed_ms: true,
  summary: true,
}).extend({
  before: z
    .strictObject({ steps: z.int().min(0), calls: z.int().min(0), events: z.int().min(0) })
    .optional(),
});
export type SavedEntry = z.output<typeof SavedEntry>;

/** The redaction of a call, by its key. */
export const redactCall = createRedaction(personalFields);

/** The redaction of an entry and of everything derived from it. */
export const redactOf = ({ redacted, key }: Pick<StoredEntry, 'redacted' | 'key'>): CallRedact =>
  redacted ? redactCall(key) : AS_SENT;

/** An entry as every view shows it. It shares nothing with the journal. */
export function presentEntry(entry: StoredEntry): wire.JournalEntryJson {
  const { merchant, received, elapsed_ms, request, response, fault, hint, cause } = entry;
  const redact = redactOf(entry);
  const sent = presentBody(request.body, redact);
  const body = response?.body ?? null;
  const answered = presentBody(
    body === null ? null : joinBody(body),
    redact,
    response?.headers['content-type'],
  );
  return {
    id: entry.id,
    merchant: merchant && { id: merchant.id, name: merchant.name },
    at: momentText(entry.at),
    operation: entry.operation,
    method: entry.method,
    path: redact.text(entry.path),
    status: entry.status,
    duration_ms: entry.duration_ms,
    received_at: received === null ? null : momentText(systemTimeAt(received)),
    elapsed_ms: elapsed_ms && Math.round(elapsed_ms * 1000) / 1000,
    fault: fault && shownWhole(presentFault(fault, redact)),
    hint: hint && redact.text(hint),
    assumptions: [...entry.assumptions],
    problems: shownWhole(
      entry.problems.map(({ rule, field, message }) => ({
        rule,
        ...(field !== undefined && { field }),
        message: redact.text(message),
      })),
    ),
    ...(cause !== null && { cause: redact.text(cause) }),
    summary: redact.text(summaryOf(entry, sent, answered)),
    changes: shownWhole(
      entry.changes.map(({ change, table, key, before, after }) => ({
        change,
        table,
        key: redact.text(key),
        ...(before && { before: presentFields(before, redact) }),
        ...(after && { after: presentFields(after, redact) }),
      })),
    ),
    request: {
      headers: presentHeaders(headersOf(request.headers), redact),
      body: sent,
    },
    response: response && {
      headers: presentHeaders(response.headers, redact),
      body: answered,
    },
  };
}

/** Node, Bun and Deno call a method of this name to print a value. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

type InspectOptions = Readonly<Record<string, unknown>>;

/** `console.log` shows a list of entries with the reasons of refusals, which lie deeper than it usually looks. */
function inspectWhole<Value>(
  this: Value,
  _depth: number,
  options: InspectOptions,
  inspect: (value: Value, options: InspectOptions) => string,
): string {
  return inspect(this, { ...options, depth: null, customInspect: false });
}

/** Lets `console.log` show a value at any depth. Nothing else sees the difference. */
const shownWhole = <Value extends object>(value: Value): Value =>
  Object.defineProperty(value, INSPECT, { value: inspectWhole });

/** An entry at rest: always redacted, because it may be kept anywhere. */
export function saveEntry(
  entry: StoredEntry,
): Omit<wire.JournalEntryJson, 'merchant' | 'received_at' | 'elapsed_ms' | 'summary'> &
  Pick<SavedEntry, 'before'> {
  const {
    merchant: _merchant,
    received_at: _received,
    elapsed_ms: _elapsed,
    summary: _summary,
    ...saved
  } = presentEntry({ ...entry, redacted: true });
  return { ...saved, ...(entry.before && { before: entry.before }) };
}

/** Converts a saved entry back, for the journal of this merchant. */
export function restoreEntry(
  { before, cause, ...entry }: SavedEntry,
  merchant: StoredEntry['merchant'],
  journal: Journal,
): StoredEntry {
  const { request, response } = entry;
  return {
    ...entry,
    merchant,
    journal,
    feedId: 0,
    before: before ?? null,
    cause: cause ?? null,
    at: Date.parse(entry.at),
    received: null,
    elapsed_ms: null,
    key: null,
    redacted: true,
    request: { headers: Object.entries(request.headers).flat(), body: bodyText(request.body) },
    response: response && {
      headers: response.headers,
      body: bodyText(response.body, response.headers['content-type']),
    },
  };
}

function bodyText(body: unknown, contentType?: string): string | null {
  if (body === null) return null;
  return typeof body === 'string' && !isJsonType(contentType) ? body : JSON.stringify(body);
}

/** Fields by their place in a row. The last part of a place is the name of a field. */
const presentFields = (fields: object, redact: CallRedact) =>
  Object.fromEntries(
    Object.entries(fields).map(([place, value]) => [
      place,
      redact.field(place.slice(place.lastIndexOf('.') + 1), structuredClone(value)),
    ]),
  );

/** Headers by lower-case name; repeated headers are joined as in `Headers`. */
function headersOf(raw: RawHeaders): Record<string, string> {
  const headers = new Map<string, string>();
  const add = (name: string, value: string) => {
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  };
  if (raw instanceof Headers) raw.forEach((value, name) => void add(name, value));
  else {
    for (let place = 0; place + 1 < raw.length; place += 2) {
      add((raw[place] as string).toLowerCase(), raw[place + 1] as string);
    }
  }
  return Object.fromEntries(headers);
}

const presentHeaders = (headers: Readonly<Record<string, string>>, redact: CallRedact) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redact.headerName(name),
      redact.header(name, value),
    ]),
  );

/** The body of a fault may contain a secret. Its kind is ours and stays. */
const presentFault = (fault: Fault, redact: CallRedact): Fault => ({
  ...fault,
  effect: {
    ...(redact.json(structuredClone(fault.effect)) as wire.FaultEffect),
    kind: fault.effect.kind,
  } as wire.FaultEffect,
});

/** Parses a body as JSON; returns its text if it is invalid, nested too deeply, or of another type. */
function presentBody(text: string | null, redact: CallRedact, contentType?: string): unknown {
  if (text === null) return null;
  const json = isJsonType(contentType) ? parseJson(text, MAX_DEPTH) : undefined;
  return json === undefined ? redact.text(text) : redact.json(json);
}
