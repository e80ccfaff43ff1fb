import type { AssumptionId } from '../core/assumptions.ts';

/** A place where the server does not do what was expected. */
export interface Difference {
  readonly operation: string;
  /** A JSON path into the body, or `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The decisions it contradicts; none where the contract itself is not kept. */
  readonly decisions: readonly AssumptionId[];
}

export interface ProbeResult {
  readonly name: string;
  readonly operation: string;
  readonly outcome: 'agrees' | 'differs' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly differences: readonly Difference[];
}

export interface DecisionResult {
  readonly id: AssumptionId;
  readonly outcome: 'confirmed' | 'contradicted' | 'not observable';
  /** Observations that agreed and that did not. */
  readonly agreed: number;
  readonly differed: number;
  /** Why it could not be observed. */
  readonly reason?: string;
}

/** What a check found. Holds no key. */
export interface Report {
  readonly version: 1;
  readonly url: string;
  readonly families: readonly string[];
  readonly read_only: boolean;
  /** Whether the server has the control plane of a sandbox, and so a clock that can be moved. */
  readonly control_plane: boolean;
  readonly requests: number;
  readonly operations: readonly OperationResult[];
  readonly probes: readonly ProbeResult[];
  readonly decisions: readonly DecisionResult[];
  /** The decisions, as the server takes them otherwise: the content of a profile. */
  readonly profile: {
    readonly version: 1;
    readonly decisions: Readonly<Record<string, unknown>>;
  };
  /** What the server does otherwise and no profile can express. */
  readonly not_in_profile: readonly AssumptionId[];
}

export interface OperationResult {
  readonly operation: string;
  readonly agrees: number;
  readonly differs: number;
  readonly skipped: number;
}

/** The check can not be made: one line says of which address and why. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

export const differencesOf = ({ probes }: Pick<Report, 'probes'>): Difference[] =>
  probes.flatMap(({ differences }) => [...differences]);
