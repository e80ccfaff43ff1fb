import type { AssumptionId } from './assumptions.ts';

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

/** A problem with one field of a request. */
export interface FieldError {
  /** The wire name of the field, with the place inside it: `members.3.gender`. */
  readonly field: string;
  /** A full sentence (`validation-messages`). */
  readonly message: string;
  /** The assumptions behind the refusal. */
  readonly assumptions?: readonly AssumptionId[];
}

/** The values of malformed fields, by field. Missing fields are not included. */
export type Malformed = Readonly<Record<string, unknown>>;

export const NOTHING_MALFORMED: Malformed = {};

/** The merchant API refuses a call. Thrown before anything is written. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** One sentence per problem; the first is the message. */
  readonly messages: readonly string[];
  readonly assumptions: readonly AssumptionId[];

  constructor(
    code: ErrorCode,
    messages: readonly [string, ...string[]],
    assumptions: readonly AssumptionId[] = [],
  ) {
    super(messages[0]);
    this.code = code;
    this.messages = messages;
    this.assumptions = assumptions;
  }
}

/** Throws a `DomainError` if there are any problems. */
export function throwIfInvalid(errors: readonly FieldError[]): void {
  const [first, ...rest] = errors;
  if (!first) return;
  throw new DomainError(
    'invalid',
    [first.message, ...rest.map((problem) => problem.message)],
    errors.flatMap((problem) => problem.assumptions ?? []),
  );
}

/** Creates a problem in the wording of `validation-messages`: `The <field> field <demand>`. */
export function fieldError(
  field: string,
  demand: string,
  ...assumptions: readonly AssumptionId[]
): FieldError {
  return { field, message: `The ${field} field ${demand}`, assumptions };
}
