/*
 * The kinds of faults. Each is one object: its schema, what it does to a call, and its words for people. Rules, the header,
 * documents, the journal, pages, MCP and chaos read it here. Another kind is another entry of `FAULT_KINDS`.
 */

import { z } from '@hono/zod-openapi';
import { DURATION_FORM, isDuration } from './duration.ts';
import { grouped } from './grouped.ts';
import { inputObject, recordOf } from './input-object.ts';
import { onFirstUse } from './on-first-use.ts';

/** Whether a fault acts before or after the operation runs. */
export const FAULT_STAGES = ['before', 'after'] as const;
export type FaultStage = (typeof FAULT_STAGES)[number];

/** What a fault can do to the response of a call: that of the operation, or one in its place if that did not run. */
export interface FaultedResponse {
  /** Sends a failure with this status instead, or the given body, with these headers in addition. */
  replace(
    status: number,
    headers: Readonly<Record<string, string>> | undefined,
    body: unknown,
  ): void;
  /** Sends broken JSON with status 200. */
  breakBody(): void;
  /** Waits, in real time. */
  wait(ms: number): Promise<void>;
  /** Waits until the client gives up. */
  hang(): Promise<void>;
  /** Ends the connection. */
  lose(): never;
  /** Ends the connection after half of the body. */
  loseHalf(): never;
}

/** What happens before an operation that runs in spite of a fault. */
export interface Before {
  /** The operation runs this much later, in real time. */
  readonly delayMs?: number;
  /** The clock of the World moves by this duration. */
  readonly advanceBy?: string;
}

/** How a call ended that a fault acted on. */
export interface FaultOutcome {
  readonly stage: FaultStage;
  /** The status in the journal; null if there was no response. */
  readonly status: number | null;
  /** The real duration of the call; null if it is unknown. */
  readonly elapsedMs: number | null;
}

/** A fault that the inspector offers by name. */
export interface FaultPreset<Given> {
  readonly name: string;
  /** What a merchant's program learns from it. */
  readonly text: string;
  readonly stage: FaultStage;
  readonly effect: Given;
}

/** A kind of fault. */
interface FaultKind<Schema extends z.ZodObject> {
  readonly name: z.output<Schema>['kind'];
  readonly schema: () => Schema;
  /** What the header form sets, if anything. */
  readonly parameter?: keyof z.output<Schema> & string;
  /** The only stage at which it is possible, and why. Default: both. */
  readonly onlyAt?: { readonly stage: FaultStage; readonly because: string };
  /** What becomes of the response: the client gets it, gets another, or gets no complete one. */
  readonly response: 'kept' | 'replaced' | 'lost';
  /** Whether the client left before a response that is kept. */
  leftEarly?(effect: z.output<Schema>, outcome: FaultOutcome): boolean;
  /** Whether it ends the connection of its call. It needs a sandbox that has connections. */
  readonly endsConnection: boolean;
  readonly presets: readonly FaultPreset<z.input<Schema>>[];
  /** What it does before the operation. Without it, the operation does not run under a fault of this stage. */
  before?(effect: z.output<Schema>): Before;
  /** What it does to the response. Never called if `before` was. */
  after?(effect: z.output<Schema>, response: FaultedResponse): void | Promise<void>;
  /** What it did to a call, for the journal. */
  words(effect: z.output<Schema>, outcome: FaultOutcome): string;
}

/** What became of a call whose response was lost. */
export const workOf = ({ stage, status }: FaultOutcome): string =>
  stage === 'after' ? `processed with status ${status}` : 'not processed';

/** Timers may fire slightly early. */
const TIMER_SLACK_MS = 2;

/** Whether a call ended before a delay was over. */
const endedBefore = (delayMs: number, elapsedMs: number | null): boolean =>
  elapsedMs !== null && elapsedMs < delayMs - TIMER_SLACK_MS;

/** Makes the schema on first use: most sandboxes never get a fault. */
const kindOf = <Schema extends z.ZodObject>(kind: FaultKind<Schema>): FaultKind<Schema> => ({
  ...kind,
  schema: onFirstUse(kind.schema),
});

export const MAX_DELAY_MS = 600_000;
const MAX_DURATION_LENGTH = 100;

/** Header names and values (RFC 9110, 5.1 and 5.5). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
/** Clients disagree about what any other character of a header means. */
const ASCII = /^\p{ASCII}*$/u;

/** Clients refuse responses with more headers, or longer ones. */
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;

/** The server sets these headers: they frame the message or control the connection. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const isHeaderName = (text: string): boolean =>
  HEADER_NAME.test(text) && !FRAMING.has(text.toLowerCase()) && !/^sandbox-/i.test(text);

const respond = kindOf({
  name: 'respond',
  schema: () =>
    inputObject({
      kind: z.literal('respond'),
      status: z
        .int()
        .min(200)
        .max(599)
        .openapi({ examples: [503] }),
      headers: recordOf(
        z.string().refine(isHeaderName, {
          error: 'a header name that neither the connection nor the sandbox uses',
        }),
        z
          .string()
          .refine((text) => HEADER_VALUE.test(text), { error: 'a header value that HTTP allows' })
          .refine((text) => ASCII.test(text), { error: 'a header value in ASCII' }),
      )
        .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, {
          error: `at most ${MAX_HEADERS} headers`,
        })
        .refine((headers) => Object.entries(headers).flat().join('').length <= MAX_HEADER_BYTES, {
          error: `headers of at most ${grouped(MAX_HEADER_BYTES)} bytes together`,
        })
        .optional()
        .openapi({
          description:
            'Added to the headers of the response; they replace headers of the same name. At most 50, in ASCII, of 8 KiB together.',
          examples: [{ 'Retry-After': '3' }],
        }),
      body: z.unknown().optional().openapi({
        description:
          'Any JSON. A text is sent as it is if `headers` has a Content-Type that is not JSON: `text/html` for the HTML page of a gateway. Default: a failure in the envelope of the operation.',
      }),
    }).openapi('RespondEffect', {
      description: 'Sends this status, headers and body instead of the response.',
    }),
  parameter: 'status',
  response: 'replaced',
  endsConnection: false,
  presets: [
    {
      name: '503 before the operation',
      text: 'The operation does not run, and the service is unavailable.',
      stage: 'before',
      effect: { kind: 'respond', status: 503 },
    },
    {
      name: '502 after the operation',
      text: 'The operation runs, and a gateway answers in its place.',
      stage: 'after',
      effect: { kind: 'respond', status: 502 },
    },
  ],
  after: ({ status, headers, body }, response) => response.replace(status, headers, body),
  words: (_, { stage }) => (stage === 'after' ? 'processed, response replaced' : 'not processed'),
});

const delay = kindOf({
  name: 'delay',
  schema: () =>
    inputObject({
      kind: z.literal('delay'),
      ms: z
        .int()
        .min(0)
        .max(MAX_DELAY_MS)
        .openapi({ examples: [2000] }),
    }).openapi('DelayEffect', {
      description: 'Sends the response `ms` milliseconds later, in real time.',
    }),
  parameter: 'ms',
  response: 'kept',
  endsConnection: false,
  presets: [
    {
      name: 'Two seconds late',
      text: 'The operation runs after two seconds.',
      stage: 'before',
      effect: { kind: 'delay', ms: 2000 },
    },
  ],
  leftEarly: ({ ms }, { stage, elapsedMs }) => stage === 'after' && endedBefore(ms, elapsedMs),
  before: ({ ms }) => ({ delayMs: ms }),
  after: ({ ms }, response) => response.wait(ms),
  words({ ms }, { stage, elapsedMs }) {
    const isDone = stage === 'after';
    if (endedBefore(ms, elapsedMs)) {
      return isDone
        ? 'client disconnected, or sandbox stopping'
        : 'processed early, sandbox stopping';
    }
    return `${isDone ? 'response' : 'processing'} delayed by ${ms} ms`;
  },
});

const drop = kindOf({
  name: 'drop',
  schema: () =>
    inputObject({ kind: z.literal('drop') }).openapi('DropEffect', {
      description:
        'Resets the connection without sending a response body. On a connection that has served an earlier call, the headers are sent first, because browsers would send the request again. Not available on Workers, where the sandbox has no connection to reset.',
    }),
  response: 'lost',
  endsConnection: true,
  presets: [
    {
      name: 'Lose the response',
      text: 'The operation runs, and the connection ends before the response.',
      stage: 'after',
      effect: { kind: 'drop' },
    },
    {
      name: 'Lose the request',
      text: 'The operation does not run, and the connection ends.',
      stage: 'before',
      effect: { kind: 'drop' },
    },
  ],
  after: (_, response) => response.lose(),
  words: (_, outcome) => `${workOf(outcome)}, connection cut`,
});

const truncate = kindOf({
  name: 'truncate',
  schema: () =>
    inputObject({ kind: z.literal('truncate') }).openapi('TruncateEffect', {
      description: 'Closes the connection after half the body. Not available on Workers.',
    }),
  response: 'lost',
  endsConnection: true,
  presets: [
    {
      name: 'Half a response',
      text: 'The operation runs, and the response ends in the middle.',
      stage: 'after',
      effect: { kind: 'truncate' },
    },
  ],
  after: (_, response) => response.loseHalf(),
  words: (_, { stage }) =>
    `${stage === 'after' ? 'processed' : 'not processed'}, half of the response sent, connection cut`,
});

const malformed = kindOf({
  name: 'malformed',
  schema: () =>
    inputObject({ kind: z.literal('malformed') }).openapi('MalformedEffect', {
      description: 'Sends status 200 with broken JSON.',
    }),
  response: 'replaced',
  endsConnection: false,
  presets: [
    {
      name: 'Broken JSON',
      text: 'The operation runs, and the response cannot be parsed.',
      stage: 'after',
      effect: { kind: 'malformed' },
    },
  ],
  after: (_, response) => response.breakBody(),
  words: (_, { stage }) => `${stage === 'after' ? 'processed' : 'not processed'}, broken JSON sent`,
});

const hang = kindOf({
  name: 'hang',
  schema: () =>
    inputObject({ kind: z.literal('hang') }).openapi('HangEffect', {
      description: 'Sends nothing until the client gives up.',
    }),
  response: 'lost',
  endsConnection: false,
  presets: [],
  after: (_, response) => response.hang(),
  words: (_, outcome) => `${workOf(outcome)}, no response sent`,
});

const advance = kindOf({
  name: 'advance',
  schema: () =>
    inputObject({
      kind: z.literal('advance'),
      by: z
        .string({ error: DURATION_FORM })
        // Responses name it in a header.
        .max(MAX_DURATION_LENGTH)
        .refine(isDuration, { error: DURATION_FORM })
        .openapi({
          description: 'How far the clock moves. Months and years are calendar units.',
          examples: ['P1D'],
          format: 'duration',
        }),
    }).openapi('AdvanceEffect', {
      description:
        'Moves the clock of the World forward, before the call is handled: a purchase token may expire on the way. The stage must be `before`.',
    }),
  parameter: 'by',
  onlyAt: { stage: 'before', because: 'the time passes before the call is handled' },
  response: 'kept',
  endsConnection: false,
  presets: [
    {
      name: 'Too late',
      text: '16 minutes pass before the operation, so that tokens expire.',
      stage: 'before',
      effect: { kind: 'advance', by: 'PT16M' },
    },
  ],
  before: ({ by }) => ({ advanceBy: by }),
  words: () => 'clock moved, then processed',
});

/** All kinds, in the order in which people read of them. */
const KINDS = [respond, delay, drop, truncate, malformed, hang, advance] as const;

type SchemasOf<Kinds extends readonly { readonly schema: () => unknown }[]> = {
  readonly [Place in keyof Kinds]: ReturnType<Kinds[Place]['schema']>;
};

/** What a fault does to a call. */
export const FaultEffect = onFirstUse(() =>
  z
    .discriminatedUnion(
      'kind',
      KINDS.map(({ schema }) => schema()) as unknown as SchemasOf<typeof KINDS>,
    )
    .openapi('FaultEffect', {
      description: 'What the fault does to a call.',
      examples: [{ kind: 'drop' }],
    }),
);
type Effect = z.output<ReturnType<typeof FaultEffect>>;

/** A kind as code knows it that treats all alike. Its effect is that of its own schema. */
interface AnyFaultKind
  extends Omit<
    FaultKind<z.ZodObject>,
    'name' | 'presets' | 'leftEarly' | 'before' | 'after' | 'words'
  > {
  readonly name: Effect['kind'];
  readonly presets: readonly FaultPreset<Effect>[];
  leftEarly?(effect: Effect, outcome: FaultOutcome): boolean;
  before?(effect: Effect): Before;
  after?(effect: Effect, response: FaultedResponse): void | Promise<void>;
  words(effect: Effect, outcome: FaultOutcome): string;
}

export const FAULT_KINDS = KINDS as unknown as readonly AnyFaultKind[];

const byName: ReadonlyMap<string, AnyFaultKind> = new Map(
  FAULT_KINDS.map((kind) => [kind.name, kind]),
);

/** The kind of an effect that may be of a sandbox of another version. */
export const findFaultKind = ({ kind }: { readonly kind: string }): AnyFaultKind | undefined =>
  byName.get(kind);

/** The kind of an effect. */
export const faultKind = ({ kind }: { readonly kind: Effect['kind'] }): AnyFaultKind =>
  byName.get(kind) as AnyFaultKind;
