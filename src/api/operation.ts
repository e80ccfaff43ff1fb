import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { FieldError, Malformed } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Envelope } from './envelope.ts';
import type { DeclaredError } from './failures.ts';
import type { RouteRequest } from './request.ts';

/** What the rule sees besides the input when it looks for errors in what is well formed. */
export interface RuleScope<W extends WorldCore = WorldCore> {
  readonly world: W;
  readonly now: Instant;
}

/** What a route promises beyond its OpenAPI description. */
export interface Promises<W extends WorldCore, Input> {
  readonly envelope: Envelope;
  /** Whether it leaves what the service remembers as it is: a quote, a list, a look-up. */
  readonly readOnly: boolean;
  /** The assumptions every success of this call rests on. */
  readonly assumptions: readonly AssumptionId[];
  /** Those a list rests on besides, unless it is empty. */
  readonly elementAssumptions?: readonly AssumptionId[];
  /** The assumptions that say which fields are required, where the contract does not. */
  readonly requiredBy?: readonly AssumptionId[];
  /** The body of a success under settings that give it another form; undefined under all others. */
  otherSuccess?(settings: Settings): z.ZodObject | undefined;
  /** What it takes under settings that give fields other forms; undefined under all others. */
  otherInput?(settings: Settings): z.ZodObject | undefined;
  /** Fields of a sample that it accepts and ignores, and the assumption that says so. */
  readonly ignored?: { readonly fields: readonly string[]; readonly assumption: AssumptionId };
  /** What the rule would say of the fields that are well formed, when others are not. */
  check?(scope: RuleScope<W>, input: Partial<Input>, malformed: Malformed): FieldError[];
}

/** A call of the merchant API: what it promises. */
export interface Operation extends Promises<WorldCore, Readonly<Record<string, unknown>>> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: 'get' | 'post';
  /** As Hono writes it: `/validate_policy/:policy_no`. */
  readonly path: string;
  readonly request: RouteRequest;
  /** The schema of what it takes, wherever that stands; undefined where it takes nothing. */
  readonly input: z.ZodObject | undefined;
  /** The same under settings that may take other forms. */
  inputUnder(settings: Settings): z.ZodObject | undefined;
  /** The whole body of a success. */
  readonly success: z.ZodObject;
  /** The same under settings that may give it another form. */
  successUnder(settings: Settings): z.ZodObject;
  /** What it declares to refuse. */
  readonly errors: readonly DeclaredError[];
}
