import { type OpenAPIHono, type RouteConfig, type RouteHandler, z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { Settings } from '../world/settings.ts';
import type { WorldCore } from '../world/world.ts';
import type { MerchantContext, MerchantEnv } from './context.ts';
import { HEADERS } from './envelope.ts';
import { everyError, failureAssumptions, failuresUnder } from './failures.ts';
import { transactCall } from './faults.ts';
import { type FieldAssumptions, readFieldAssumptions } from './field-assumptions.ts';
import { noteIgnoredFields } from './hints.ts';
import type { Operation, OperationMeta } from './operation.ts';
import { type RequestInput, type RouteRequest, requestSchema } from './request.ts';
import { requireJsonBody, validatedRequest, validationHook } from './validation.ts';

/** A route of the merchant API, as `createRoute` returns it. */
export interface MerchantRouteConfig extends RouteConfig {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'get' | 'post';
}

/** An operation of the merchant API that can be added to an app. */
export interface Endpoint extends Operation {
  /** Adds it to an app whose sandboxes have these settings. */
  mount(app: OpenAPIHono<MerchantEnv>, settings: Settings): void;
  /** Its route in the document of a sandbox with these settings. */
  documented(settings: Settings): RouteConfig;
}

/** Declares the routes of a family, whose handlers see that family's World. */
export const merchantRoutes =
  <W extends WorldCore>(tag: string) =>
  <R extends MerchantRouteConfig>(
    route: R,
    meta: OperationMeta<W, RequestInput<R['request']>>,
    handler: RouteHandler<R, MerchantEnv<W>>,
  ): Endpoint => {
    const request = (route.request ?? {}) as RouteRequest;
    const errors = everyError(request, meta.errors);
    const success = successSchema(route);
    const published = {
      ...route,
      tags: [tag],
      'x-assumptions': distinct([...meta.assumptions, ...failureAssumptions(errors)]),
    };
    const readAssumptions = new Map<z.ZodObject | undefined, FieldAssumptions>();
    const operation: Endpoint = {
      ...(meta as unknown as OperationMeta<WorldCore, Readonly<Record<string, unknown>>>),
      operationId: route.operationId,
      tag,
      summary: route.summary,
      method: route.method,
      path: route.path.replace(/\{(\w+)\}/g, ':$1'),
      request,
      input: requestSchema(request),
      inputUnder: (settings) => meta.otherInput?.(settings) ?? operation.input,
      fieldAssumptions(settings) {
        const schema = operation.inputUnder(settings);
        const read = readAssumptions.get(schema) ?? readFieldAssumptions(schema);
        readAssumptions.set(schema, read);
        return read;
      },
      success,
      successUnder: (settings) => meta.otherSuccess?.(settings) ?? success,
      errors,
      mount(app, settings) {
        operation.fieldAssumptions(settings);
        // The app only knows Worlds. `merchantRoutes` guarantees that the handler gets the World of its family.
        const handle = handler as unknown as (c: MerchantContext) => never;
        const handleAtomically = (c: MerchantContext) => {
          c.env.merchants.requireRoom(c.get('world'), route);
          return transactCall(c, () => handle(c));
        };
        app.openapi(
          {
            ...route,
            request: validatedRequest(requestUnder(settings, operation), settings),
            middleware: [
              ...(request.body ? [requireJsonBody] : []),
              noteIgnoredFields(operation, settings),
            ],
          } as RouteConfig,
          (operation.readOnly ? handle : handleAtomically) as never,
          validationHook(operation, settings) as never,
        );
      },
      documented: (settings) => ({
        ...published,
        request: requestUnder(settings, operation),
        responses: responsesUnder(settings, operation),
      }),
    };
    return operation;
  };

/** The request of a route under these settings. */
function requestUnder(settings: Settings, { request, inputUnder }: Operation): RouteRequest {
  const schema = request.body && inputUnder(settings);
  if (!request.body || !schema) return request;
  const { example } = request.body.content['application/json'];
  return {
    ...request,
    body: { required: true, content: { 'application/json': { schema, example } } },
  };
}

const distinct = (ids: readonly AssumptionId[]): AssumptionId[] => [...new Set(ids)];

const successSchema = ({ responses }: RouteConfig): z.ZodObject => {
  const { 200: success } = responses as Readonly<Record<number, SuccessResponse>>;
  return (success as SuccessResponse).content['application/json'].schema;
};

interface SuccessResponse {
  readonly content: { readonly 'application/json': { readonly schema: z.ZodObject } };
}

type Responses = RouteConfig['responses'];

/** The responses of an operation in the document of a sandbox with these settings. */
export function responsesUnder(settings: Settings, operation: Operation): Responses {
  const { operationId, envelope } = operation;
  const schema = operation
    .successUnder(settings)
    .meta({ description: `Success response of \`${operationId}\`.` });
  const success = {
    description: `${settings.messages.success[operationId] ?? envelope.message}.`,
    headers: HEADERS,
    content: { 'application/json': { schema } },
  };
  const { 200: refused, ...others } = failuresUnder(settings, operation);
  if (!refused) return { 200: success, ...others };
  return { 200: eitherResponse(success, refused, settings), ...others };
}

interface Success {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: z.ZodObject } };
}
type Refused = ReturnType<typeof failuresUnder>[number];

/** Under a profile a failure may have status 200. Then only the body tells it from a success. */
function eitherResponse(
  success: Success,
  { description, headers, content }: Refused,
  { errorEnvelope }: Settings,
) {
  const { schema, examples } = content['application/json'];
  const refused =
    errorEnvelope === 'laravel' ? '`success` is false or absent' : '`success` is false';
  return {
    description: `${success.description} If ${refused}: ${description}`,
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
