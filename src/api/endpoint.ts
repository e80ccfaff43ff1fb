/* Makes operations of what families declare. */

import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import type { MerchantContext } from './context.ts';
import { HEADERS, SUCCESS_MESSAGES, successSchema } from './envelope.ts';
import { everyError, failureAssumptions, failureForms, failureResponses } from './failures.ts';
import { readFieldAssumptions } from './field-assumptions.ts';
import { createHandler, type ExpirePending, type RuleCall } from './handler.ts';
import {
  type InputCheck,
  isReadOnly,
  type Operation,
  type OperationDeclaration,
  type RuleScope,
} from './operation.ts';
import { ERROR_ENVELOPE, PUBLISHED_STATUSES, type Statuses } from './refusals.ts';
import { jsonBody, type RouteRequest } from './request.ts';

/** The schemas of an operation: what it takes, at most one of three, and the data of its success. */
interface OperationSchemas {
  readonly body?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  /** Made on first use: only documents and checks read it. */
  data(): z.ZodType;
}

type InputOf<S> = S extends
  | { body: infer I extends z.ZodType }
  | { query: infer I extends z.ZodType }
  | { params: infer I extends z.ZodType }
  ? z.output<I>
  : undefined;

/**
 * Calls one rule and returns the data of the success. It is synchronous, so that its transaction is over before another
 * call is served.
 */
type Handler<W extends WorldCore, S extends OperationSchemas> = (
  scope: RuleScope<W>,
  input: InputOf<S>,
  c: MerchantContext,
) => z.output<ReturnType<S['data']>>;

/** An operation of the merchant API that can be added to an app. */
export interface Endpoint extends Operation {
  /** Makes the handler of its calls. It deletes what has expired first. */
  handler(expirePending: ExpirePending): (c: MerchantContext) => Response;
  /** Its route in documents. */
  documented(): RouteConfig;
}

/** A published operation, from which that of a sandbox with other settings is made. */
export interface PublishedOperation<Schemas> extends Endpoint {
  create(schemas: Schemas, settings: Settings, statuses: Statuses): Endpoint;
}

/** Declares the operations of a family, whose handlers see that family's World. */
export const merchantOperations =
  <W extends WorldCore, Schemas>(tag: string, published: Schemas, defaults: Settings) =>
  <S extends OperationSchemas>(
    declaration: OperationDeclaration,
    schemasOf: (schemas: Schemas) => S,
    handler: Handler<W, S>,
    check?: InputCheck<W, InputOf<S>>,
  ): PublishedOperation<Schemas> => {
    const create = (schemas: Schemas, settings: Settings, statuses: Statuses) =>
      createEndpoint(tag, declaration, schemasOf(schemas), settings, statuses, {
        // The app only knows Worlds. A World has the part of every family.
        handler: handler as unknown as RuleCall,
        check: check as unknown as Operation['check'],
      });
    return Object.assign(create(published, defaults, PUBLISHED_STATUSES), { create });
  };

function createEndpoint(
  tag: string,
  declaration: OperationDeclaration,
  { data, ...input }: OperationSchemas,
  settings: Settings,
  statuses: Statuses,
  { handler, check }: { readonly handler: RuleCall; readonly check: Operation['check'] },
): Endpoint {
  const { operationId, path } = declaration;
  const assumptions = [...declaration.assumptions, SUCCESS_MESSAGES.id];
  const request: RouteRequest = input.body
    ? jsonBody(input.body)
    : { query: input.query, params: input.params };
  const schema = input.body ?? input.query ?? input.params;
  const message = SUCCESS_MESSAGES.in(settings)[operationId] ?? declaration.envelope.message;
  const envelope = { ...declaration.envelope, message };
  const success = onFirstUse(() => successSchema(declaration.response, envelope, data()));
  const failureForm = onFirstUse(() => failureForms(envelope, settings));
  const operation: Endpoint = {
    ...declaration,
    assumptions,
    settings,
    tag,
    readOnly: isReadOnly(declaration.role),
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    envelope,
    request,
    input: schema,
    fields: readFieldAssumptions(schema),
    check,
    get success() {
      return success();
    },
    errors: everyError(request, declaration.errors),
    statuses,
    failure: (code) => failureForm()(code),
    handler: (expirePending) => createHandler(operation, handler, expirePending),
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
