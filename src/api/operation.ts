/* What an operation of the merchant API is: its declaration, and what is made of it for the settings of a sandbox. */

import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { ErrorCode, FieldError, Malformed } from '../world/errors.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { Settings } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import { type Envelope, SUCCESS_MESSAGES, successSchema } from './envelope.ts';
import { type DeclaredError, everyError, failureForms } from './failures.ts';
import { NO_FIELDS, type RequestFields, readFields } from './known-fields.ts';
import type { Statuses } from './refusals.ts';
import { jsonBody, type RouteRequest } from './request.ts';

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

/** The errors of each role, besides those that any such request can cause. */
const ERRORS: Readonly<Partial<Record<Role, readonly DeclaredError[]>>> = {
  verify: ['token_unknown', 'token_used', 'token_expired'],
  renew: ['policy_unknown'],
  lookup: ['policy_unknown'],
};

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
  rule(call: RuleCall, input: unknown): object;
  /** The whole body of a success. */
  readonly success: z.ZodObject;
  /** Every error that it can return. */
  readonly errors: readonly DeclaredError[];
  /** The HTTP status of each kind of refusal. */
  readonly statuses: Statuses;
  /** The whole body of a failure for this reason. */
  failure(code: ErrorCode): z.ZodObject;
}

/** The schemas of a family by name: its requests, and its responses, which only documents and checks read. */
interface FamilySchemas {
  responses(): object;
}

/** The names of the schemas of an operation. */
interface SchemaNames<Input, Data> {
  /** Of its body; without one, of its path or of its query. */
  readonly input?: Input;
  /** Of the data of its success. */
  readonly data: Data;
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : never;

/**
 * Calls one rule and returns the data of the success. It is synchronous, so that its transaction is over before another
 * call is served.
 */
type RuleOf<W extends WorldCore, Input, Data> = (call: RuleCall<W>, input: Input) => Data;

/** Makes an operation for a sandbox with these settings. */
export type CreateOperation<Schemas> = (
  schemas: Schemas,
  settings: Settings,
  statuses: Statuses,
) => Operation;

/** Declares the operations of a family, whose rules see that family's World. */
export const merchantOperations =
  <W extends WorldCore, Schemas extends FamilySchemas>(tag: string) =>
  <
    Input extends Exclude<keyof Schemas, 'responses'>,
    Data extends keyof ReturnType<Schemas['responses']>,
  >(
    { input: inputName, data, ...declaration }: OperationDeclaration & SchemaNames<Input, Data>,
    rule: RuleOf<W, OutputOf<Schemas[Input]>, OutputOf<ReturnType<Schemas['responses']>[Data]>>,
    check?: InputCheck<W, OutputOf<Schemas[Input]>>,
  ): CreateOperation<Schemas> =>
  (schemas, settings, statuses) => {
    const { operationId, path, response } = declaration;
    const assumptions = [...declaration.assumptions, SUCCESS_MESSAGES.id];
    const input = inputName && (schemas[inputName] as z.ZodObject);
    const request = input ? requestWith(input, declaration) : {};
    const message = SUCCESS_MESSAGES.in(settings)[operationId] ?? declaration.envelope.message;
    const envelope = { ...declaration.envelope, message };
    const success = onFirstUse(() =>
      successSchema(response, envelope, Reflect.get(schemas.responses(), data)),
    );
    const failureForm = onFirstUse(() => failureForms(envelope, settings));
    return {
      ...declaration,
      assumptions,
      settings,
      tag,
      readOnly: isReadOnly(declaration.role),
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      envelope,
      request,
      input,
      fields: (input && readFields(input)) ?? NO_FIELDS,
      // The app only knows Worlds. A World has the part of every family.
      check: check as unknown as Operation['check'],
      rule: rule as unknown as Operation['rule'],
      get success() {
        return success();
      },
      errors: everyError(request, ERRORS[declaration.role]),
      statuses,
      failure: (code) => failureForm()(code),
    };
  };

/** A request with this input: the body of a POST, otherwise the fields of the path, or the query. */
function requestWith(input: z.ZodObject, { method, path }: OperationDeclaration): RouteRequest {
  if (method === 'post') return jsonBody(input);
  return path.includes('{') ? { params: input } : { query: input };
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
