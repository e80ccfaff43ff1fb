/* What an operation of the merchant API is: its declaration, and what is made of it for the settings of a sandbox. */

import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { ErrorCode, FieldError, Malformed } from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Envelope } from './envelope.ts';
import type { DeclaredError } from './failures.ts';
import type { RequestFields } from './known-fields.ts';
import type { Statuses } from './refusals.ts';
import type { RouteRequest } from './request.ts';

/** What a rule and its check read besides the input. */
export interface RuleScope<W extends WorldCore = WorldCore> {
  readonly world: W;
  readonly now: Instant;
}

/** What a rule reads of a call besides the input; the request and the sandbox tell the URL of a list. */
export interface RuleCall<W extends WorldCore = WorldCore> extends RuleScope<W> {
  readonly req: { readonly url: string; readonly path: string };
  readonly env: { readonly publicUrl: string | undefined };
}

/** What an operation does: a price, the two steps of a purchase, a renewal, and two ways to read policies. */
export type Role = 'quote' | 'initiate' | 'verify' | 'renew' | 'list' | 'lookup';

/** The roles that change the World. */
const CHANGES: ReadonlySet<Role> = new Set(['initiate', 'verify', 'renew']);

/** Whether operations of a role leave the World unchanged. */
export const isReadOnly = (role: Role): boolean => !CHANGES.has(role);

/** What an operation declares, whatever the settings are. */
export interface OperationDeclaration {
  readonly operationId: string;
  readonly role: Role;
  readonly summary: string;
  readonly description: string;
  readonly method: 'get' | 'post';
  /** In the syntax of OpenAPI: `/validate_policy/{policy_no}`. */
  readonly path: string;
  /** The name of its success in documents. */
  readonly response: string;
  /** The form of its responses. */
  readonly envelope: Envelope;
  /** Its own errors, besides those that any such request can cause. */
  readonly errors?: readonly DeclaredError[];
  /** The assumptions behind every success. */
  readonly assumptions: readonly AssumptionId[];
}

/** The problems of the well-formed fields of an input when others are malformed. */
export type InputCheck<W extends WorldCore, Input> = (
  scope: RuleScope<W>,
  input: Partial<Input>,
  malformed: Malformed,
) => FieldError[];

/** An operation of the merchant API in a sandbox with certain settings. */
export interface Operation extends OperationDeclaration {
  readonly settings: Settings;
  readonly tag: string;
  /** Whether it leaves the World unchanged, by its role. */
  readonly readOnly: boolean;
  /** In Hono's syntax: `/validate_policy/:policy_no`. */
  readonly path: string;
  readonly request: RouteRequest;
  /** The schema of its body, query or path. Undefined if it takes no input. */
  readonly input: z.ZodObject | undefined;
  /** What refusals and hints say of its fields. */
  readonly fields: RequestFields;
  readonly check?: InputCheck<WorldCore, Readonly<Record<string, unknown>>> | undefined;
  /** Calls one rule with a valid input, and returns the data of the success. */
  rule(call: RuleCall, input: unknown): unknown;
  /** The whole body of a success. */
  readonly success: z.ZodObject;
  /** Every error that it can return. */
  readonly errors: readonly DeclaredError[];
  /** The HTTP status of each kind of refusal. */
  readonly statuses: Statuses;
  /** The whole body of a failure for this reason. */
  failure(code: ErrorCode): z.ZodObject;
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
