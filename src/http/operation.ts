import type * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode, Malformed, Problem } from '../core/errors.ts';
import type { Component } from '../core/schema.ts';
import type { Instant } from '../core/time.ts';
import type { WorldCore } from '../core/world.ts';
import type { Envelope } from './envelope.ts';

/** What a handler knows of the call besides its input. */
export interface Scope<W extends WorldCore = WorldCore> {
  readonly world: W;
  /** The one moment of this call. */
  readonly now: Instant;
  /** The address of the call without its query: the base of page URLs. */
  readonly address: string;
  /** Notes a decision that shaped this very answer, besides those that always do. */
  assume(id: AssumptionId): void;
}

type Schema = z.core.$ZodType;
type InputSchema = z.ZodMiniObject;

/** One endpoint of the merchant API: what it promises, and what it does. */
export interface Operation<
  W extends WorldCore = WorldCore,
  I extends InputSchema = InputSchema,
  D extends Schema = Schema,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Whether it leaves what the service remembers as it is: a quote, a list, a look-up. */
  readonly readOnly: boolean;
  readonly tag: string;
  readonly envelope: Envelope;
  /** Absent where a call takes nothing. */
  readonly request?: {
    readonly in: 'body' | 'query' | 'params';
    readonly schema: Component<I>;
    /** The decisions that say which fields are required, where the contract does not. */
    readonly requiredBy?: readonly AssumptionId[];
  };
  /** The `data` of a success. */
  readonly data: Component<D>;
  /** The message of a success (`success-messages`). */
  readonly message: string;
  /** Refusals besides those every call can meet. */
  readonly refusals: readonly ErrorCode[];
  /** The decisions every success of this call rests on. */
  readonly assumptions: readonly AssumptionId[];
  /** Those a list rests on besides, unless it is empty. */
  readonly elementAssumptions?: readonly AssumptionId[];
  /** What the rule would say of the fields that are well formed, when others are not. */
  check?(scope: Scope<W>, input: Partial<z.output<I>>, malformed: Malformed): Problem[];
  /** Unpacks, calls one rule, presents. */
  handle(scope: Scope<W>, input: z.output<I>): z.output<D>;
}

/** Declares the operations of a family, over that family's World. */
export const operationsOver =
  <W extends WorldCore>() =>
  <I extends InputSchema, D extends Schema>(operation: Operation<W, I, D>): Operation<W, I, D> =>
    operation;
