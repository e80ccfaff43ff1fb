/* Faults as the form has them, and as the texts that add one: a header, and a curl command. */

import type { FaultRule, NewFault } from '../../../public.ts';

export const EFFECTS = {
  respond: 'respond: send another response',
  delay: 'delay: wait first',
  drop: 'drop: reset the connection',
  truncate: 'truncate: send half of the body',
  malformed: 'malformed: send broken JSON',
  hang: 'hang: send nothing',
} as const;
export type EffectKind = keyof typeof EFFECTS;

/** The effects that the sandbox supports. */
export const effectsOffered = (breaksConnections: boolean): EffectKind[] =>
  (Object.keys(EFFECTS) as EffectKind[]).filter(
    (kind) => breaksConnections || (kind !== 'drop' && kind !== 'truncate'),
  );

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
  times: '1',
  probability: '1',
  /** JSON that the request body must contain. */
  match: '',
};
export type FaultDraft = typeof FIRST_DRAFT;

/** Converts a draft to a fault. Throws if headers or JSON are invalid; the sandbox checks the rest. */
export function readDraft(draft: FaultDraft): NewFault {
  const { operation, stage, times, probability } = draft;
  const body = draft.match.trim() === '' ? undefined : json(draft.match, 'The body to match');
  return {
    ...((operation !== '' || body !== undefined) && {
      match: { ...(operation !== '' && { operation }), ...(body !== undefined && { body }) },
    }),
    stage,
    effect: effectOf(draft),
    times: Number(times),
    probability: Number(probability),
  } as NewFault;
}

function effectOf({ kind, status, headers, body, ms }: FaultDraft) {
  if (kind === 'delay') return { kind, ms: Number(ms) };
  if (kind !== 'respond') return { kind };
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  return {
    kind,
    status: Number(status),
    ...(lines.length > 0 && { headers: Object.fromEntries(lines.map(header)) }),
    ...(body.trim() !== '' && { body: json(body, 'The body') }),
  };
}

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

/**
 * The presets that the sandbox supports.
 *
 * @param verify the operation whose response the first one loses
 */
export const presetsFor = (
  verify: NonNullable<NewFault['match']>['operation'],
  breaksConnections: boolean,
): Preset[] => [
  {
    title: 'Lose the response of the next verify',
    fault: {
      match: { operation: verify },
      stage: 'after',
      effect: { kind: breaksConnections ? 'drop' : 'hang' },
    },
  },
  {
    title: '503 once',
    fault: { stage: 'before', effect: { kind: 'respond', status: 503 } },
  },
  { title: '2 seconds slower', fault: { stage: 'before', effect: { kind: 'delay', ms: 2000 } } },
];

type AnyFault = Pick<NewFault | FaultRule, 'match' | 'stage' | 'effect' | 'times' | 'probability'>;

/**
 * The request header that does the same for one request. Undefined if no header can: it has no headers or body of a
 * response.
 */
export function headerOf({ stage, effect }: AnyFault): string | undefined {
  if (effect.kind === 'respond') {
    const isPlain = effect.headers === undefined && effect.body === undefined;
    return isPlain ? `Sandbox-Fault: ${stage}; respond; status=${effect.status}` : undefined;
  }
  if (effect.kind === 'delay') return `Sandbox-Fault: ${stage}; delay; ms=${effect.ms}`;
  return `Sandbox-Fault: ${stage}; ${effect.kind}`;
}

/** A curl command that adds a fault. */
export function curlToAdd(fault: AnyFault, origin: string, key: string): string {
  const { match = {}, stage, effect, times, probability } = fault;
  const body = {
    ...(Object.keys(match).length > 0 && { match }),
    stage,
    effect,
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
