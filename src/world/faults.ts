/* Faults: their form, which calls they match, and how often they act. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../control-wire.ts';
import { breaksConnection } from '../ui/layout/client/fault-kinds.ts';
import { addDuration, DURATION_FORM, isDuration, PAST_END } from './duration.ts';
import { inputObject } from './input-object.ts';
import { bytesOf } from './json.ts';
import { formatIssues, nearest, truncate } from './problem-texts.ts';
import { nextFraction, type RandomState } from './random.ts';
import { recordOf } from './record-of.ts';
import type { KeyedTable } from './tables.ts';
import type { Instant } from './time.ts';

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

const RespondEffect = inputObject({
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
      error: `headers of at most ${MAX_HEADER_BYTES.toLocaleString('en')} bytes together`,
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
});
const DelayEffect = inputObject({
  kind: z.literal('delay'),
  ms: z
    .int()
    .min(0)
    .max(MAX_DELAY_MS)
    .openapi({ examples: [2000] }),
}).openapi('DelayEffect', {
  description: 'Sends the response `ms` milliseconds later, in real time.',
});
const DropEffect = inputObject({ kind: z.literal('drop') }).openapi('DropEffect', {
  description:
    'Resets the connection without sending a response body. On a connection that has served an earlier call, the headers are sent first, because browsers would send the request again. Not available on Workers, where the sandbox has no connection to reset.',
});
const TruncateEffect = inputObject({ kind: z.literal('truncate') }).openapi('TruncateEffect', {
  description: 'Closes the connection after half the body. Not available on Workers.',
});
const MalformedEffect = inputObject({ kind: z.literal('malformed') }).openapi('MalformedEffect', {
  description: 'Sends status 200 with broken JSON.',
});
const HangEffect = inputObject({ kind: z.literal('hang') }).openapi('HangEffect', {
  description: 'Sends nothing until the client gives up.',
});
const AdvanceEffect = inputObject({
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
});

/** What a fault does to a call. */
export const FaultEffect = z
  .discriminatedUnion('kind', [
    RespondEffect,
    DelayEffect,
    DropEffect,
    TruncateEffect,
    MalformedEffect,
    HangEffect,
    AdvanceEffect,
  ])
  .openapi('FaultEffect', {
    description: 'What the fault does to a call.',
    examples: [{ kind: 'drop' }],
  });

/** Whether a fault acts before or after the operation runs. */
export const FAULT_STAGES = ['before', 'after'] as const;
export type FaultStage = (typeof FAULT_STAGES)[number];

/** When a fault acts, and what it does. */
type StagedEffect = Pick<Fault, 'stage' | 'effect'>;

/** Why an effect is impossible at its stage, or in a sandbox without connections; undefined if it is possible. */
export function noEffectReason(
  { stage, effect: { kind } }: StagedEffect,
  breaksConnections: boolean,
): string | undefined {
  if (kind === 'advance' && stage === 'after') {
    return 'advance is possible only at the stage before, because the time passes before the call is handled.';
  }
  if (breaksConnections || !breaksConnection(kind)) return undefined;
  return `${kind} is not available here, because this sandbox has no connection to break; use respond, delay, malformed, hang or advance.`;
}

/** Why the time of an effect can't pass from this moment on; undefined if it can. */
export const tooLongReason = (effect: wire.FaultEffect, now: Instant): string | undefined =>
  effect.kind === 'advance' && addDuration(now, effect.by) === undefined
    ? `by ${PAST_END}.`
    : undefined;

/** The highest number of rules in a World. */
export const MAX_FAULT_RULES = 1000;
/** The size limit of a rule, in bytes of JSON. */
const MAX_RULE_BYTES = 1024 * 1024;
const MAX_FAULT_BYTES = MAX_FAULT_RULES * MAX_RULE_BYTES;

type SizedRule = Pick<wire.FaultRule, 'match' | 'effect'>;

/** Match and effect of a rule never change, so their size is measured once. */
const sizes = new WeakMap<SizedRule, number>();

function sizeOf(rule: SizedRule): number {
  const bytes = sizes.get(rule) ?? bytesOf(JSON.stringify([rule.match, rule.effect]));
  sizes.set(rule, bytes);
  return bytes;
}

/** Why a rule is too large; undefined if it is not. */
export function tooLargeReason(rule: SizedRule): string | undefined {
  const bytes = sizeOf(rule);
  if (bytes <= MAX_RULE_BYTES) return undefined;
  return `expected at most 1 MiB of match and effect, got ${bytes.toLocaleString('en')} bytes`;
}

/** Why these are too many rules for one World; undefined if they are not. */
export function tooManyReason(
  rules: readonly SizedRule[],
  maxBytes = MAX_FAULT_BYTES,
): string | undefined {
  if (rules.length > MAX_FAULT_RULES) {
    return `at most ${MAX_FAULT_RULES.toLocaleString('en')} fault rules`;
  }
  const bytes = rules.reduce((sum, rule) => sum + sizeOf(rule), 0);
  return bytes > maxBytes ? `at most ${maxBytes >> 20} MiB of fault rules in total` : undefined;
}

/** The fault that acted on a call. `id` is null if it came from the request header. */
export interface Fault {
  readonly id: string | null;
  readonly stage: FaultStage;
  readonly effect: wire.FaultEffect;
}

/** What a running call takes from the rules. It is stored with what the call changes. */
export interface FaultClaim {
  /** Undefined if no rule acts. */
  readonly fault: Fault | undefined;
  /** The ids of the rules that let it pass, because they skip their first calls. */
  readonly skips: readonly string[];
  /** The number of random numbers drawn. */
  readonly draws: number;
}

/** The World's part that faults need. */
export interface FaultHolder {
  readonly faults: KeyedTable<wire.FaultRule>;
  readonly fault_random: RandomState;
  /** Of running calls that have not stored them. */
  readonly fault_claims: Set<FaultClaim>;
}

/** Whether the operation may run in spite of a fault, at once or later. */
export const maybeServed = (fault: Fault | undefined): boolean =>
  !fault || fault.stage === 'after' || ['delay', 'advance'].includes(fault.effect.kind);

/**
 * Finds the first rule that acts on this call, and reserves one use. No other call can take it, but rules and random
 * state change only with `spendClaim`. The caller removes the claim from `fault_claims`.
 */
export function claimFault(
  { faults, fault_random, fault_claims }: FaultHolder,
  operation: string | null,
  body: unknown,
): FaultClaim {
  const random: RandomState = { state: fault_random.state };
  const reserved = { uses: new Map<string, number>(), skips: new Map<string, number>() };
  for (const { fault, skips, draws } of fault_claims) {
    discardDraws(random, draws);
    if (fault?.id) addOne(reserved.uses, fault.id);
    for (const id of skips) addOne(reserved.skips, id);
  }
  let draws = 0;
  const skips: string[] = [];
  let acting: Fault | undefined;
  for (const { id, match, stage, effect, skip, times, probability } of faults.values()) {
    if (times <= (reserved.uses.get(id) ?? 0) || !matches(match, operation, body)) continue;
    if (skip > (reserved.skips.get(id) ?? 0)) {
      skips.push(id);
      continue;
    }
    if (probability < 1) {
      draws += 1;
      if (nextFraction(random) >= probability) continue;
    }
    acting = { id, stage, effect };
    break;
  }
  const claim = { fault: acting, skips, draws };
  fault_claims.add(claim);
  return claim;
}

const addOne = (counts: Map<string, number>, id: string): void =>
  void counts.set(id, (counts.get(id) ?? 0) + 1);

/** Counts what a claim takes from the rules: a use of one, and the call that others let pass. */
export function spendClaim(
  { faults, fault_random }: Omit<FaultHolder, 'fault_claims'>,
  { fault, skips, draws }: FaultClaim,
): void {
  discardDraws(fault_random, draws);
  // Rules may have been removed in the meantime.
  for (const id of skips) {
    const rule = faults.get(id);
    if (rule && rule.skip > 0) faults.put(id, { ...rule, skip: rule.skip - 1 });
  }
  const rule = faults.get(fault?.id ?? '');
  if (!rule) return;
  if (rule.times === 1) faults.delete(rule.id);
  else faults.put(rule.id, { ...rule, times: rule.times - 1 });
}

function discardDraws(random: RandomState, draws: number): void {
  for (let drawn = 0; drawn < draws; drawn++) nextFraction(random);
}

function matches(match: wire.FaultMatch, operation: string | null, body: unknown): boolean {
  if (match.operation !== undefined && match.operation !== operation) return false;
  return match.body === undefined || contains(body, match.body);
}

/** Whether `whole` has everything that `part` names. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  if (Array.isArray(part) !== Array.isArray(whole)) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains(Reflect.get(whole, key), value),
  );
}

/** The text of the `Sandbox-Fault` header: `after; drop`, `before; respond; status=503`. */
export function describeFault({ stage, effect }: StagedEffect): string {
  const words: string[] = [stage, effect.kind];
  if (effect.kind === 'respond') words.push(`status=${effect.status}`);
  if (effect.kind === 'delay') words.push(`ms=${effect.ms}`);
  if (effect.kind === 'advance') words.push(`by=${effect.by}`);
  return words.join('; ');
}

const EXAMPLES =
  'Write, for example, "after; drop", "before; respond; status=503" or "before; delay; ms=2000".';

const KINDS = FaultEffect.options.map(({ shape }) => shape.kind.value);

/** What an effect of the header can set. */
const PARAMETERS = ['status', 'ms', 'by'];

/** Reads a `Sandbox-Fault` header. Returns a text that says what is wrong with one that can't be read. */
export function parseFault(header: string): Fault | string {
  const [stage = '', kind = '', ...pairs] = header.split(';').map((word) => word.trim());
  const unreadable = (why: string) =>
    `The Sandbox-Fault header cannot be read: ${why}. ${EXAMPLES}`;
  const knownStage = FAULT_STAGES.find((name) => name === stage);
  if (!knownStage) return unreadable(unknownWord('stage', stage, FAULT_STAGES));
  if (!KINDS.some((known) => known === kind)) return unreadable(unknownWord('effect', kind, KINDS));
  const effect: Record<string, unknown> = { kind };
  for (const pair of pairs) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (!PARAMETERS.includes(name)) return unreadable(unknownWord('parameter', name, PARAMETERS));
    if (name in effect) return unreadable(`${name} is there twice`);
    effect[name] = /^\d+$/.test(value) && name !== 'by' ? Number(value) : value;
  }
  const parsed = FaultEffect.safeParse(effect);
  if (parsed.success) return { id: null, stage: knownStage, effect: parsed.data };
  return unreadable(formatIssues(effect, parsed.error).join('; '));
}

/** `unknown effect "droop"; did you mean "drop"?` */
function unknownWord(what: string, word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  const hint = meant === undefined ? `; known: ${known.join(', ')}` : `; did you mean "${meant}"?`;
  return `unknown ${what} ${truncate(word)}${hint}`;
}
