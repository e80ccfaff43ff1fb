/* Makes operations of what families declare. */

import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import { HEADERS, SUCCESS_MESSAGES, successSchema } from './envelope.ts';
import { everyError, failureAssumptions, failureForms, failureResponses } from './failures.ts';
import { NO_FIELDS, readFields } from './known-fields.ts';
import {
  type InputCheck,
  isReadOnly,
  type Operation,
  type OperationDeclaration,
  type RuleCall,
} from './operation.ts';
import { ERROR_ENVELOPE, type Statuses } from './refusals.ts';
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
    const operation: Operation = {
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
      documented: () =>
        createRoute({
          operationId,
          summary: declaration.summary,
          description: declaration.description,
          method: declaration.method,
          path,
          tags: [tag],
          request,
          responses: responsesOf(operation),
          'x-assumptions': distinct([...assumptions, ...failureAssumptions(operation.errors)]),
        }),
    };
    return operation;
  };

/** A request with this input: the body of a POST, otherwise the fields of the path, or the query. */
function requestWith(input: z.ZodObject, { method, path }: OperationDeclaration): RouteRequest {
  if (method === 'post') return jsonBody(input);
  return path.includes('{') ? { params: input } : { query: input };
}

const distinct = (ids: readonly AssumptionId[]): AssumptionId[] => [...new Set(ids)];

/** The responses of an operation in documents. */
function responsesOf(operation: Operation): RouteConfig['responses'] {
  const { operationId, envelope, settings } = operation;
  const schema = operation.success.meta({
    description: `Success response of \`${operationId}\`.`,
  });
  const success = {
    description: `${envelope.message}.`,
    headers: HEADERS,
    content: { 'application/json': { schema } },
  };
  const { 200: refused, ...others } = failureResponses(operation);
  if (!refused) return { 200: success, ...others };
  return { 200: eitherResponse(success, refused, settings), ...others };
}

interface Success {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: z.ZodObject } };
}
type Refused = ReturnType<typeof failureResponses>[number];

/** Under a profile a failure may have status 200. Then only the body tells it from a success. */
function eitherResponse(
  success: Success,
  { description, headers, content }: Refused,
  settings: Settings,
) {
  const { schema, examples } = content['application/json'];
  const { refusedIf } = ERROR_ENVELOPE.of(settings);
  return {
    description: `${success.description} If ${refusedIf}: ${description}`,
    headers,
    content: {
      'application/json': {
        schema: z
          .union([success.content['application/json'].schema, schema])
          .meta({ description: 'Check `success` to tell the two forms apart.' }),
        examples,
      },
    },
  };
}
