import type { NewFaultRule } from './api.ts';

/* A fault as it is typed into a form, and what the control plane takes. */

export const EFFECTS = {
  respond: 'respond: another answer',
  delay: 'delay: the answer comes later',
  drop: 'drop: the connection is reset',
  truncate: 'truncate: half of the body',
  malformed: 'malformed: broken JSON',
  hang: 'hang: no answer at all',
} as const;
export type EffectKind = keyof typeof EFFECTS;

/** What a sandbox can do to calls. */
export const effectsOffered = (breaksConnections: boolean): EffectKind[] =>
  (Object.keys(EFFECTS) as EffectKind[]).filter(
    (kind) => breaksConnections || (kind !== 'drop' && kind !== 'truncate'),
  );

export interface FaultDraft {
  readonly operation: string;
  readonly stage: 'before' | 'after';
  readonly kind: EffectKind;
  readonly status: string;
  /** A line each: `Retry-After: 3`. */
  readonly headers: string;
  readonly body: string;
  readonly ms: string;
  readonly times: string;
  readonly probability: string;
  /** JSON that the body of the request must have in it. */
  readonly match: string;
}

export const FIRST_DRAFT: FaultDraft = {
  operation: '',
  stage: 'before',
  kind: 'respond',
  status: '503',
  headers: '',
  body: '',
  ms: '2000',
  times: '1',
  probability: '1',
  match: '',
};

/** What is sent of a draft. Throws with what can't be read; everything else is for the sandbox to judge. */
export function readDraft(draft: FaultDraft): NewFaultRule {
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
  } as NewFaultRule;
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
  if (colon < 1) throw new Error(`"${line}" is no header: write "Retry-After: 3".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is no JSON: ${(error as Error).message}`);
  }
}
