import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { FieldError, Malformed } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Envelope } from './envelope.ts';
import type { DeclaredError } from './failures.ts';
import type { FieldAssumptions } from './field-assumptions.ts';
import type { RouteRequest } from './request.ts';

/** What a rule reads besides the input. */
export interface RuleScope<W extends WorldCore = WorldCore> {
  readonly world: W;
  readonly now: Instant;
}

/** What an operation declares besides its OpenAPI route. */
export interface OperationMeta<W extends WorldCore, Input> {
  readonly envelope: Envelope;
  /** Whether it leaves the World unchanged, as quotes, lists and look-ups do. */
  readonly readOnly: boolean;
  /** Its own errors, besides those that any such request can cause. */
  readonly errors?: readonly DeclaredError[];
  /** The assumptions behind every success. */
  readonly assumptions: readonly AssumptionId[];
  /** The body of a success under settings that change its form, otherwise undefined. */
  otherSuccess?(settings: Settings): z.ZodObject | undefined;
  /** The request schema under settings that change the forms of fields, otherwise undefined. */
  otherInput?(settings: Settings): z.ZodObject | undefined;
  /** Request fields that are ignored without a hint, because the contract's own sample has them. */
  readonly ignoredFields?: readonly string[];
  /** The problems of the well-formed fields when others are malformed. */
  check?(scope: RuleScope<W>, input: Partial<Input>, malformed: Malformed): FieldError[];
}

/** An operation of the merchant API. */
export interface Operation extends OperationMeta<WorldCore, Readonly<Record<string, unknown>>> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: 'get' | 'post';
  /** In Hono's syntax: `/validate_policy/:policy_no`. */
  readonly path: string;
  readonly request: RouteRequest;
  /** The schema of its body, query or path. Undefined if it takes no input. */
  readonly input: z.ZodObject | undefined;
  /** The same under these settings. */
  inputUnder(settings: Settings): z.ZodObject | undefined;
  /** The assumptions behind its fields under these settings. */
  fieldAssumptions(settings: Settings): FieldAssumptions;
  /** The whole body of a success. */
  readonly success: z.ZodObject;
  /** The same under these settings. */
  successUnder(settings: Settings): z.ZodObject;
  /** Every error that it can return. */
  readonly errors: readonly DeclaredError[];
}

/**
 * The URL of a call: fields of the path and the query come from the input. A missing field of the path is left empty,
 * and the fields of a POST are its body. Lone surrogates become U+FFFD, as in every URL.
 */
export function urlOf(
  base: string,
  { path, method }: Operation,
  input: Readonly<Record<string, unknown>>,
): URL {
  const ownPath = path.replace(/:(\w+)/g, (_, field) =>
    encodeURIComponent(String(input[field] ?? '').toWellFormed()),
  );
  const url = new URL(base + ownPath);
  if (method !== 'get') return url;
  for (const [field, value] of Object.entries(input)) {
    if (value !== undefined && !path.includes(`:${field}`))
      url.searchParams.set(field, String(value));
  }
  return url;
}
