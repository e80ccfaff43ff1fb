import type { AssumptionId } from '../core/assumptions.ts';
import type { Settings } from '../core/settings.ts';
import type { Operation } from '../http/operation.ts';
import type { Memory, Observation } from './probe.ts';

/** A difference before it is told: what was seen is still the value itself. */
interface Finding {
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
  readonly decisions: readonly AssumptionId[];
}

/** What one answer tells. */
export interface Verdict {
  readonly findings: Finding[];
  readonly confirmed: AssumptionId[];
  readonly observed: Observation[];
}

/** What an answer is held against. */
export interface Bench {
  readonly operation: Operation;
  /** The decisions as they are expected to be taken. */
  readonly settings: Settings;
  readonly memory: Memory;
}

export const nothing = (): Verdict => ({ findings: [], confirmed: [], observed: [] });

/** Notes what an answer says at a place: that the decisions hold, or that they do not. */
export function claim(
  verdict: Verdict,
  path: string,
  expected: string,
  seen: unknown,
  holds: boolean,
  decisions: readonly AssumptionId[],
): void {
  if (holds) verdict.confirmed.push(...decisions);
  else add(verdict, path, expected, seen, decisions);
}

/** A place is told once; what is found there later only adds the decisions it contradicts. */
export function add(
  { findings }: Verdict,
  path: string,
  expected: string,
  seen: unknown,
  decisions: readonly AssumptionId[],
): void {
  const told = findings.findIndex((finding) => finding.path === path);
  const before = findings[told];
  if (!before) findings.push({ path, expected, seen, decisions });
  else findings[told] = { ...before, decisions: [...new Set([...before.decisions, ...decisions])] };
}
