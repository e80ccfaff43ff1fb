import type { AssumptionId } from './assumptions.ts';

/** Why a call was refused. The transport gives each its HTTP status (`http-status`). */
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

/** What is wrong with one field of a request. */
export interface FieldError {
  /** The wire name of the field, with the place inside it: `members.3.gender`. */
  readonly field: string;
  /** A whole sentence (`validation-messages`). */
  readonly message: string;
  /** The assumptions the refusal rests on. */
  readonly assumptions?: readonly AssumptionId[];
}

/** What was sent in the fields that are not well formed, by field. A field that is missing is not there. */
export type Malformed = Readonly<Record<string, unknown>>;

export const NOTHING_MALFORMED: Malformed = {};

/** A call the service refuses. Thrown before anything is written. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** One text per problem; the first is the message. */
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

/** Refuses the input if there is any problem with it. */
export function throwIfInvalid(errors: readonly FieldError[]): void {
  const [first, ...rest] = errors;
  if (!first) return;
  throw new DomainError(
    'invalid',
    [first.message, ...rest.map((problem) => problem.message)],
    errors.flatMap((problem) => problem.assumptions ?? []),
  );
}

/** A problem in the wording of `validation-messages`: `The <field> field <what it must be>`. */
export function fieldError(
  field: string,
  demand: string,
  ...assumptions: readonly AssumptionId[]
): FieldError {
  return { field, message: `The ${field} field ${demand}`, assumptions };
}
