/* Faults as the form has them, and as the texts that add one: a header, and a curl command. */

import type { FaultEffect, FaultRule, NewFault, OperationId } from '../../../public.ts';
import { breaksConnection } from '../../layout/client/fault-kinds.ts';
import type { Contract } from '../contract.ts';

export const EFFECTS = {
  respond: 'respond: send another response',
  delay: 'delay: wait first',
  drop: 'drop: reset the connection',
  truncate: 'truncate: send half of the body',
  malformed: 'malformed: send broken JSON',
  hang: 'hang: send nothing',
  advance: 'advance: let time pass first',
} as const;
export type EffectKind = keyof typeof EFFECTS;

/** The effects that the sandbox supports. */
export const effectsOffered = (breaksConnections: boolean): EffectKind[] =>
  (Object.keys(EFFECTS) as EffectKind[]).filter(
    (kind) => breaksConnections || !breaksConnection(kind),
  );

export const STAGES = {
  before: 'before: acts before the call runs',
  after: 'after: acts after the call ran',
} as const;

/** The stages that an effect has. */
export const stagesOf = (kind: string): Readonly<Record<string, string>> =>
  kind === 'advance' ? { before: STAGES.before } : STAGES;

/** The initial values of the form. */
export const FIRST_DRAFT = {
  operation: '',
  stage: 'before',
  kind: 'respond' as EffectKind,
  status: '503',
  /** One per line: `Retry-After: 3`. */
  headers: '',
  body: '',
  ms: '2000',
  /** An ISO 8601 duration. */
  by: 'P1D',
  skip: '0',
  times: '1',
  probability: '1',
  /** JSON that the request body must contain. */
  match: '',
};
export type FaultDraft = typeof FIRST_DRAFT;

/** Converts a draft to a fault. Throws if headers or JSON are invalid; the sandbox checks the rest. */
export function readDraft(draft: FaultDraft): NewFault {
  const { operation, stage, skip, times, probability } = draft;
  const body = draft.match.trim() === '' ? undefined : json(draft.match, 'The body to match');
  return {
    ...((operation !== '' || body !== undefined) && {
      match: { ...(operation !== '' && { operation }), ...(body !== undefined && { body }) },
    }),
    stage,
    effect: effectOf(draft),
    skip: Number(skip),
    times: Number(times),
    probability: Number(probability),
  } as NewFault;
}

function effectOf({ kind, status, headers, body, ms, by }: FaultDraft) {
  if (kind === 'delay') return { kind, ms: Number(ms) };
  if (kind === 'advance') return { kind, by: by.trim() };
  if (kind !== 'respond') return { kind };
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const named = Object.fromEntries(lines.map(header));
  return {
    kind,
    status: Number(status),
    ...(lines.length > 0 && { headers: named }),
    ...(body.trim() !== '' && { body: isTextual(named) ? body : json(body, 'The body') }),
  };
}

/** Whether the Content-Type among these headers is none of JSON, so that a text is sent as it is. */
const isTextual = (headers: Readonly<Record<string, string>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && !/[/+]json/i.test(value),
  );

/** The body of a fault that is sent as the text it is; undefined for another. */
export const textBody = (effect: FaultEffect): string | undefined =>
  effect.kind === 'respond' && typeof effect.body === 'string' && isTextual(effect.headers ?? {})
    ? effect.body
    : undefined;

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`"${line}" is not a header. Write it like "Retry-After: 3".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
}

/** A fault that is common enough to be added with one click. */
export interface Preset {
  readonly title: string;
  readonly fault: NewFault;
}

const GATEWAY_PAGE =
  '<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1></body>\n</html>\n';

/**
 * The presets that the sandbox supports.
 *
 * @param family the product family whose verify the first and the last one are about
 */
export const presetsFor = (
  { verify, expiry }: Pick<Contract['families'][number], 'verify' | 'expiry'>,
  breaksConnections: boolean,
): Preset[] => [
  {
    title: 'Lose the answer of the next verify',
    fault: {
      match: { operation: verify as OperationId },
      stage: 'after',
      effect: { kind: breaksConnections ? 'drop' : 'hang' },
    },
  },
  {
    title: '503 once',
    fault: { stage: 'before', effect: { kind: 'respond', status: 503 } },
  },
  { title: 'Two seconds slower', fault: { stage: 'before', effect: { kind: 'delay', ms: 2000 } } },
  {
    title: 'The HTML page of a gateway',
    fault: {
      stage: 'after',
      effect: {
        kind: 'respond',
        status: 502,
        headers: { 'Content-Type': 'text/html' },
        body: GATEWAY_PAGE,
      },
    },
  },
  {
    title: 'The token expires',
    fault: {
      match: { operation: verify as OperationId },
      stage: 'before',
      effect: { kind: 'advance', by: expiry },
    },
  },
];

type AnyFault = Pick<
  NewFault | FaultRule,
  'match' | 'stage' | 'effect' | 'skip' | 'times' | 'probability'
>;

/**
 * The request header that does the same for one request. Undefined if no header can: it has no headers or body of a
 * response.
 */
export function headerOf(fault: AnyFault): string | undefined {
  const { effect } = fault;
  const isPlain =
    effect.kind !== 'respond' || (effect.headers === undefined && effect.body === undefined);
  return isPlain ? `Sandbox-Fault: ${briefOf(fault)}` : undefined;
}

/** A fault in short, as its header has it, without headers and body of its response: `before; respond; status=503` */
export function briefOf({ stage, effect }: AnyFault): string {
  if (effect.kind === 'respond') return `${stage}; respond; status=${effect.status}`;
  if (effect.kind === 'delay') return `${stage}; delay; ms=${effect.ms}`;
  if (effect.kind === 'advance') return `${stage}; advance; by=${effect.by}`;
  return `${stage}; ${effect.kind}`;
}

/** A curl command that adds a fault. */
export function curlToAdd(fault: AnyFault, origin: string, key: string): string {
  const { match = {}, stage, effect, skip, times, probability } = fault;
  const body = {
    ...(Object.keys(match).length > 0 && { match }),
    stage,
    effect,
    ...(skip !== undefined && skip !== 0 && { skip }),
    ...(times !== undefined && times !== 1 && { times }),
    ...(probability !== undefined && probability !== 1 && { probability }),
  };
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    'curl',
    `-H ${quoted(`authorization: Bearer ${key}`)}`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
    quoted(`${origin}/_sandbox/faults`),
  ].join(' \\\n  ');
}
