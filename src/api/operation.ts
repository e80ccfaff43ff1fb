import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { FieldError, Malformed } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Envelope } from './envelope.ts';
import type { DeclaredError } from './failures.ts';
import type { RouteRequest } from './request.ts';

/** What the rule sees besides the input when it looks for errors in the well-formed fields. */
export interface RuleScope<W extends WorldCore = WorldCore> {
  readonly world: W;
  readonly now: Instant;
}

/** What an operation declares beyond its OpenAPI route. */
export interface OperationMeta<W extends WorldCore, Input> {
  readonly envelope: Envelope;
  /** Whether it leaves the World as it is: a quote, a list, a look-up. */
  readonly readOnly: boolean;
  /** The errors of its own, besides those that any call with such a request can meet. */
  readonly errors?: readonly DeclaredError[];
  /** The assumptions that every success rests on. */
  readonly assumptions: readonly AssumptionId[];
  /** The body of a success under settings that give it another form; undefined under all others. */
  otherSuccess?(settings: Settings): z.ZodObject | undefined;
  /** What it takes under settings that give fields other forms; undefined under all others. */
  otherInput?(settings: Settings): z.ZodObject | undefined;
  /** What the rule says of the well-formed fields when others are malformed. */
  check?(scope: RuleScope<W>, input: Partial<Input>, malformed: Malformed): FieldError[];
}

/** A call of the merchant API. */
export interface Operation extends OperationMeta<WorldCore, Readonly<Record<string, unknown>>> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: 'get' | 'post';
  /** As Hono writes it: `/validate_policy/:policy_no`. */
  readonly path: string;
  readonly request: RouteRequest;
  /** The schema of what it takes, in body, query or path; undefined where it takes nothing. */
  readonly input: z.ZodObject | undefined;
  /** The same under settings that may take other forms. */
  inputUnder(settings: Settings): z.ZodObject | undefined;
  /** The whole body of a success. */
  readonly success: z.ZodObject;
  /** The same under settings that may give it another form. */
  successUnder(settings: Settings): z.ZodObject;
  /** Every error it can answer. */
  readonly errors: readonly DeclaredError[];
}
