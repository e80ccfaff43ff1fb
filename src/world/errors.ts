/* A refusal as data: its code, and every problem with its rule, its field and its assumptions. */

import type { AssumptionId } from './assumptions.ts';
import type { FieldRule } from './rules.ts';

/** Why a call was refused. The transport maps each to an HTTP status (`http-status`). */
export type ErrorCode =
  | 'unauthenticated'
  | 'malformed'
  | 'unsupported_media_type'
  | 'too_large'
  | 'invalid'
  | 'token_unknown'
  | 'token_used'
  | 'token_expired'
  | 'policy_unknown'
  | 'route_unknown'
  | 'method_not_allowed';

/** The rule that a problem broke: of a field, of the whole request, or of the sandbox itself. */
export type Rule = FieldRule | Exclude<ErrorCode, 'invalid'> | 'not_saved' | 'defect';

/** One reason of a refusal. */
export interface Problem {
  readonly rule: Rule;
  /** The wire name of the field it is about, with the place inside it: `members.3.gender`. */
  readonly field?: string;
  /** A full sentence (`validation-messages`). */
  readonly message: string;
  /** The assumptions behind it, besides those of its field and of every such refusal. */
  readonly assumptions: readonly AssumptionId[];
}

/** A problem with one field of a request. */
export interface FieldError extends Problem {
  readonly rule: FieldRule;
  readonly field: string;
  /** The end of the sentence: `must be 11 digits.` */
  readonly demand: string;
}

/** The values of malformed fields, by field. Missing fields are not included. */
export type Malformed = Readonly<Record<string, unknown>>;

export const NOTHING_MALFORMED: Malformed = {};

/** The merchant API refuses a call. Thrown before anything is written. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly problems: readonly [Problem, ...Problem[]];

  constructor(code: ErrorCode, problems: readonly [Problem, ...Problem[]]) {
    super(problems[0].message);
    this.code = code;
    this.problems = problems;
  }
}

/** A refusal with one problem, which is about no field. Its code is the rule. */
export const refused = (
  code: Exclude<ErrorCode, 'invalid'>,
  message: string,
  ...assumptions: readonly AssumptionId[]
): DomainError => new DomainError(code, [{ rule: code, message, assumptions }]);

/** Throws a `DomainError` if there are any problems. */
export function throwIfInvalid([first, ...rest]: readonly FieldError[]): void {
  if (first) throw new DomainError('invalid', [first, ...rest]);
}

/** Creates a problem in the wording of `validation-messages`: `The <field> field <demand>`. */
export function fieldError(
  field: string,
  rule: FieldRule,
  demand: string,
  ...assumptions: readonly AssumptionId[]
): FieldError {
  return { rule, field, demand, message: `The ${field} field ${demand}`, assumptions };
}
