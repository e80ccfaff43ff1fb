/* Faults: their form, which calls they match, and how often they act. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import { addDuration, PAST_END } from './duration.ts';
import {
  FAULT_KINDS,
  FAULT_STAGES,
  FaultEffect,
  type FaultStage,
  faultKind,
  findFaultKind,
  workOf,
} from './fault-kinds.ts';
import { didYouMean, formatIssues, truncate } from './problem-texts.ts';
import { nextFraction, type RandomState } from './random.ts';
import type { KeyedTable } from './tables.ts';
import type { Instant } from './time.ts';

/** When a fault acts, and what it does. */
type StagedEffect = Pick<Fault, 'stage' | 'effect'>;

/** Why an effect is impossible at its stage, or in a sandbox without connections; undefined if it is possible. */
export function noEffectReason(
  { stage, effect }: StagedEffect,
  breaksConnections: boolean,
): string | undefined {
  const { onlyAt, endsConnection } = faultKind(effect);
  if (onlyAt && stage !== onlyAt.stage) {
    return `${effect.kind} is possible only at the stage ${onlyAt.stage}, because ${onlyAt.because}.`;
  }
  if (breaksConnections || !endsConnection) return undefined;
  const possible = FAULT_KINDS.filter((kind) => !kind.endsConnection).map(({ name }) => name);
  const others = `${possible.slice(0, -1).join(', ')} or ${possible.at(-1)}`;
  return `${effect.kind} is not available here, because this sandbox has no connection to break; use ${others}.`;
}

/** Why the time of an effect can't pass from this moment on; undefined if it can. */
export function tooLongReason(effect: wire.FaultEffect, now: Instant): string | undefined {
  const { advanceBy } = faultKind(effect).before?.(effect) ?? {};
  if (advanceBy === undefined || addDuration(now, advanceBy) !== undefined) return undefined;
  return `by ${PAST_END}.`;
}

/** The highest number of rules in a World. */
export const MAX_FAULT_RULES = 1000;

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

/** What of a call a rule can match. */
export interface MatchedCall {
  readonly operation: string | null;
  readonly body: unknown;
  /** Each parameter with its last value. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** The World's part that faults need. */
export interface FaultHolder {
  readonly faults: KeyedTable<wire.FaultRule>;
  readonly fault_random: RandomState;
  /** Of running calls that have not stored them. */
  readonly fault_claims: Set<FaultClaim>;
}

/** Whether the operation runs in spite of a fault, at once or later. */
export const maybeServed = (fault: Fault | undefined): boolean =>
  !fault || fault.stage === 'after' || faultKind(fault.effect).before !== undefined;

/** Whether a rule of a World ends connections. */
export function hasEndingRule({ faults }: Pick<FaultHolder, 'faults'>): boolean {
  if (faults.size === 0) return false;
  for (const { effect } of faults.values()) if (faultKind(effect).endsConnection) return true;
  return false;
}

/** What is known of the fault of a call that has ended. It may be of a sandbox of another version. */
interface EndedCall {
  readonly status: number | null;
  readonly elapsed_ms: number | null;
  readonly fault: StagedEffect | null;
}

/** Whether the client of a call got no complete response: a fault took it, or the client left before a late one. */
export function isLost({ status, fault, elapsed_ms }: EndedCall): boolean {
  if (status === null) return true;
  const kind = fault && findFaultKind(fault.effect);
  if (!fault || !kind) return false;
  const outcome = { stage: fault.stage, status, elapsedMs: elapsed_ms };
  return kind.response === 'lost' || kind.leftEarly?.(fault.effect, outcome) === true;
}

/** Whether a fault kept the client of a call from its response. */
export const isDisturbed = ({ fault }: Pick<EndedCall, 'fault'>): boolean =>
  fault !== null && findFaultKind(fault.effect)?.response !== 'kept';

/**
 * Finds the first rule that acts on this call, and reserves one use. No other call can take it, but rules and random
 * state change only with `spendClaim`. The caller removes the claim from `fault_claims`.
 */
export function claimFault(
  { faults, fault_random, fault_claims }: FaultHolder,
  call: MatchedCall,
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
    if (times <= (reserved.uses.get(id) ?? 0) || !matches(match, call)) continue;
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

function matches(match: wire.FaultMatch, { operation, body, query }: MatchedCall): boolean {
  if (match.operation !== undefined && match.operation !== operation) return false;
  if (match.body !== undefined && !contains(body, match.body)) return false;
  return match.query === undefined || contains(query, match.query);
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
  const parameter = findFaultKind(effect)?.parameter;
  if (parameter !== undefined) words.push(`${parameter}=${Reflect.get(effect, parameter)}`);
  return words.join('; ');
}

/**
 * What a fault did to a call: `after; drop: processed with status 200, connection cut`.
 *
 * @param status the status in the journal; null if there was no response
 * @param elapsedMs its real duration; null if it is unknown
 */
export function faultWords(
  fault: StagedEffect,
  status: number | null,
  elapsedMs: number | null,
): string {
  const { stage, effect } = fault;
  const outcome = { stage, status, elapsedMs };
  const words = findFaultKind(effect)?.words(effect, outcome) ?? workOf(outcome);
  return `${describeFault(fault)}: ${words}`;
}

const EXAMPLES =
  'Write, for example, "after; drop", "before; respond; status=503" or "before; delay; ms=2000".';

/** What an effect of the header can set. */
const PARAMETERS = FAULT_KINDS.flatMap(({ parameter }) => parameter ?? []);

/** Reads a `Sandbox-Fault` header. Returns a text that says what is wrong with one that can't be read. */
export function parseFault(header: string): Fault | string {
  const [stage = '', kind = '', ...pairs] = header.split(';').map((word) => word.trim());
  const unreadable = (why: string) =>
    `The Sandbox-Fault header cannot be read: ${why}. ${EXAMPLES}`;
  const knownStage = FAULT_STAGES.find((name) => name === stage);
  if (!knownStage) return unreadable(unknownWord('stage', stage, FAULT_STAGES));
  const fields = findFaultKind({ kind })?.schema().shape;
  if (!fields) {
    const names = FAULT_KINDS.map(({ name }) => name);
    return unreadable(unknownWord('effect', kind, names));
  }
  const effect: Record<string, unknown> = { kind };
  for (const pair of pairs) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (!PARAMETERS.includes(name)) return unreadable(unknownWord('parameter', name, PARAMETERS));
    if (name in effect) return unreadable(`${name} is given twice`);
    const isNumber = fields[name] instanceof z.ZodNumber && /^\d+$/.test(value);
    effect[name] = isNumber ? Number(value) : value;
  }
  const parsed = FaultEffect().safeParse(effect);
  if (parsed.success) return { id: null, stage: knownStage, effect: parsed.data };
  return unreadable(formatIssues(effect, parsed.error).join('; '));
}

/** `unknown effect "droop"; did you mean "drop"?` */
function unknownWord(what: string, word: string, known: readonly string[]): string {
  const hint = didYouMean(word, known, `; known: ${known.join(', ')}`);
  return `unknown ${what} ${truncate(word)}${hint}`;
}
