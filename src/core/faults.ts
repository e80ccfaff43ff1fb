import * as z from 'zod/mini';
import { type Chance, nextFraction } from './random.ts';
import { component, describe, type Infer } from './schema.ts';

const wholeFrom = (low: number, high: number) => z.int().check(z.gte(low), z.lte(high));

export const LONGEST_DELAY_MS = 600_000;

const effect = <const Kind extends string, Fields extends z.core.$ZodLooseShape>(
  kind: Kind,
  fields: () => Fields,
  description: string,
) =>
  component(
    `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Effect`,
    () => z.strictObject({ kind: z.literal(kind), ...fields() }),
    { description },
  );

const Respond = effect(
  'respond',
  () => ({
    status: describe(wholeFrom(200, 599), { examples: [503] }),
    body: z.optional(
      describe(z.unknown(), {
        description: 'Any JSON; a failure in the envelope of the call unless given.',
      }),
    ),
  }),
  'This status and body instead of the answer.',
);
const Delay = effect(
  'delay',
  () => ({ ms: describe(wholeFrom(0, LONGEST_DELAY_MS), { examples: [2000] }) }),
  'The answer, that many milliseconds of real time later.',
);
const Drop = effect('drop', () => ({}), 'The connection is reset, no bytes are sent.');
const Truncate = effect('truncate', () => ({}), 'Half the body, then the connection ends.');
const Malformed = effect('malformed', () => ({}), 'Status 200 with broken JSON.');
const Hang = effect('hang', () => ({}), 'No answer until the client gives up.');

/** What a fault does to the exchange it touches. */
export const FaultEffect = component(
  'FaultEffect',
  () => z.discriminatedUnion('kind', [Respond(), Delay(), Drop(), Truncate(), Malformed(), Hang()]),
  { description: 'What happens to a call.', examples: [{ kind: 'drop' }] },
);
export type FaultEffect = Infer<typeof FaultEffect>;

/** Whether a fault acts before the service has done its work, or after. */
export const FAULT_STAGES = ['before', 'after'] as const;
export type FaultStage = (typeof FAULT_STAGES)[number];

/** Which calls a fault touches; nothing named means any call. */
export interface FaultMatch {
  readonly operation?: string | undefined;
  /** Fields the request's body must have, at any depth. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A fault rule of a World, with what is left of it. */
export interface FaultRule {
  readonly id: string;
  readonly match: FaultMatch;
  readonly stage: FaultStage;
  readonly effect: FaultEffect;
  /** How often it will still act. */
  times: number;
  readonly probability: number;
}

/** The fault that touched one exchange; `id` is null when a request header asked for it. */
export interface Fault {
  readonly id: string | null;
  readonly stage: FaultStage;
  readonly effect: FaultEffect;
}

/** The World's part that faults need. */
export interface FaultHolder {
  readonly faults: FaultRule[];
  readonly fault_chance: Chance;
}

/** The first rule that wants this call, used up by one. */
export function takeFault(
  holder: FaultHolder,
  operation: string | null,
  body: unknown,
): Fault | undefined {
  for (const [position, rule] of holder.faults.entries()) {
    if (!wants(rule.match, operation, body)) continue;
    if (rule.probability < 1 && nextFraction(holder.fault_chance) >= rule.probability) continue;
    rule.times -= 1;
    if (rule.times === 0) holder.faults.splice(position, 1);
    return { id: rule.id, stage: rule.stage, effect: rule.effect };
  }
  return undefined;
}

function wants(match: FaultMatch, operation: string | null, body: unknown): boolean {
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
export function describeFault({ stage, effect }: Pick<Fault, 'stage' | 'effect'>): string {
  const words: string[] = [stage, effect.kind];
  if (effect.kind === 'respond') words.push(`status=${effect.status}`);
  if (effect.kind === 'delay') words.push(`ms=${effect.ms}`);
  return words.join('; ');
}

/** Reads a `Sandbox-Fault` header; undefined if it can't be read. */
export function parseFault(header: string): Fault | undefined {
  const [stage, kind, ...pairs] = header.split(';').map((word) => word.trim());
  const known = FAULT_STAGES.find((name) => name === stage);
  if (!known) return undefined;
  const effect: Record<string, unknown> = { kind };
  for (const pair of pairs) {
    const [, name, digits] = /^(status|ms)=(\d+)$/.exec(pair) ?? [];
    if (name === undefined || name in effect) return undefined;
    effect[name] = Number(digits);
  }
  const parsed = z.safeParse(FaultEffect(), effect);
  return parsed.success ? { id: null, stage: known, effect: parsed.data } : undefined;
}
