/* Makes operations of what families declare. */

import type { z } from '@hono/zod-openapi';
import { onFirstUse } from '../world/on-first-use.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import { SUCCESS_MESSAGES, successSchema } from './envelope.ts';
import { everyError, failureForms } from './failures.ts';
import { NO_FIELDS, readFields } from './known-fields.ts';
import {
  type InputCheck,
  isReadOnly,
  type Operation,
  type OperationDeclaration,
  type RuleCall,
} from './operation.ts';
import type { Statuses } from './refusals.ts';
import { jsonBody, type RouteRequest } from './request.ts';

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
export type CreateEndpoint<Schemas> = (
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
  ): CreateEndpoint<Schemas> =>
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
      errors: everyError(request, declaration.errors),
      statuses,
      failure: (code) => failureForm()(code),
    };
  };

/** A request with this input: the body of a POST, otherwise the fields of the path, or the query. */
function requestWith(input: z.ZodObject, { method, path }: OperationDeclaration): RouteRequest {
  if (method === 'post') return jsonBody(input);
  return path.includes('{') ? { params: input } : { query: input };
}
