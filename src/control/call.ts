/*
 * A call of the control plane, declared once: its route and document, and the method that does the same, in this process
 * and over HTTP.
 */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, Schema } from 'hono';
import { jsonBody } from '../api/request.ts';
import type { ControlCalls } from '../types/control-wire.ts';
import { CONTROL_PATH, type ControlEnv, type WorldEnv } from './access.ts';
import { type BodyLimits, fromQuery, optionalJsonBody, parseArgument } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { noting } from './noting.ts';
import { type ExpectedStatus, problemResponse, problems, type Reason } from './problems.ts';
import { overSandbox, overWorld } from './route.ts';

type Fields = z.ZodObject;

/** What a call takes, read by its schemas. A part without a schema is undefined. */
export interface Input<Params extends Fields, Query extends Fields, Body extends Fields> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

type AnyInput = Input<Fields, Fields, Fields>;

type Answer = Response | Promise<Response>;

/** What calls over one World and calls over the sandbox have in common. */
interface Call<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below the path of the control plane. */
  readonly path: `/${string}`;
  // Schemas are made on first use, because a program calls few of these.
  readonly params?: () => Params;
  readonly query?: () => Query;
  readonly body?: () => Body;
  /** Whether the body may be left out. */
  readonly isBodyOptional?: boolean;
  /** The schema of what it returns, or of each element if that is a list. Without it, the response has no body. */
  readonly output?: () => z.ZodType;
  /** The name of the list. Over HTTP it is `{ "data": [ … ] }`. */
  readonly list?: string;
  /** An example of its result as text, if it returns one. */
  readonly text?: () => string;
  /** The status of a success, if another one than 200, or 204 without a body. */
  readonly status?: 201;
  /** The refusals of its own, and the reason of a 409 if there is one. */
  readonly refusals?: readonly ExpectedStatus[];
  readonly conflict?: Reason;
}

/** A call over one World, and the method of a merchant that does the same. */
export interface WorldCall<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> extends Call<Params, Query, Body> {
  readonly limitsOf?: (bindings: ControlEnv['Bindings']) => BodyLimits;
  /** What the arguments of its method are over HTTP. Default: it takes none. */
  readonly given?: (...args: readonly never[]) => Partial<Record<keyof AnyInput, unknown>>;
  /** What its method takes, if that is more than an object with the fields of a schema. */
  readonly takes?: string;
  /** Whether its method returns nothing, whatever the response has. */
  readonly isSilent?: boolean;
  /** Whether its method returns a Promise in this process, too. */
  readonly isAsync?: boolean;
  /** Whether another method has its route: the same call with other arguments. */
  readonly isVariant?: boolean;
  /**
   * Returns what the method returns. A text is sent as it is.
   *
   * @param signal aborts when the caller gives up
   */
  run(
    input: Input<Params, Query, Body>,
    merchant: MerchantAccount,
    store: MerchantStore,
    signal?: AbortSignal,
  ): unknown;
  /** Responds over HTTP, if that is more than the result as JSON. */
  readonly serve?: (c: Context<WorldEnv>, input: Input<Params, Query, Body>) => Answer;
}

/** A call over the sandbox. */
export interface SandboxCall<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> extends Call<Params, Query, Body> {
  run(input: Input<Params, Query, Body>, store: MerchantStore): unknown;
}

export const worldCall = <Params extends Fields, Query extends Fields, Body extends Fields>(
  call: WorldCall<Params, Query, Body>,
): WorldCall => call as unknown as WorldCall;

export const sandboxCall = <Params extends Fields, Query extends Fields, Body extends Fields>(
  call: SandboxCall<Params, Query, Body>,
): SandboxCall => call as unknown as SandboxCall;

type ControlApp = OpenAPIHono<ControlEnv, Schema, string>;

/** Adds the route of a call over one World. */
export function addWorldCall(app: ControlApp, call: WorldCall): void {
  if (call.isVariant) return;
  const { run, serve, limitsOf } = call;
  app.openapi(overWorld(routeOf(call), limitsOf), (async (c: Context<WorldEnv>) => {
    const input = receivedInput(c, call);
    if (serve) return serve(c, input);
    const { merchant } = c.var;
    const { signal } = c.req.raw;
    return respond(c, call, await noting(c, () => run(input, merchant, c.env.merchants, signal)));
  }) as never);
}

type ClusterCall = ((input: never, request: Request) => unknown) | undefined;

/** Adds the route of a call over the sandbox. */
export function addSandboxCall(app: ControlApp, call: SandboxCall): void {
  app.openapi(overSandbox(routeOf(call)), (async (c: Context<ControlEnv>) => {
    const input = receivedInput(c, call);
    const { merchants } = c.env;
    const inCluster: ClusterCall = merchants.host.cluster?.calls?.[routeNameOf(call)];
    const result = inCluster
      ? await inCluster(input as never, c.req.raw)
      : await noting(c, () => call.run(input, merchants));
    return result instanceof Response ? result : respond(c, call, result);
  }) as never);
}

function routeOf(call: Call) {
  const { operationId, summary, description, method, path } = call;
  const { params, query, body, isBodyOptional, refusals = [], conflict } = call;
  const request = {
    ...(params && { params: params() }),
    ...(query && { query: fromQuery(query()) }),
    ...(body && (isBodyOptional ? optionalJsonBody(body()) : jsonBody(body()))),
  };
  const responses = {
    [statusOf(call)]: successOf(call),
    ...problems(...refusals),
    ...(conflict && { 409: problemResponse(409, conflict) }),
  };
  return { operationId, summary, description, method, path, request, responses };
}

const statusOf = ({ status, output, text }: Call): 200 | 201 | 204 =>
  status ?? (output || text ? 200 : 204);

/** The success as the document shows it. */
function successOf({ output, list, text }: Call) {
  if (!output) return { description: 'Done.' };
  const element = output();
  const [example] = element.meta()?.examples ?? [];
  return {
    description: 'Done. The body shows the result.',
    content: {
      'application/json':
        list === undefined
          ? { schema: element, example }
          : {
              schema: z.strictObject({ data: z.array(element) }).openapi(list),
              example: { data: [example] },
            },
      ...(text && { 'text/plain': { schema: { type: 'string' as const }, example: text() } }),
    },
  };
}

/** What a route's validators have read. */
function receivedInput({ req }: Context, { params, query, body }: Call): AnyInput {
  const valid = (target: string): object => req.valid(target as never);
  return {
    params: params && valid('param'),
    query: query && valid('query'),
    body: body && valid('json'),
  } as AnyInput;
}

function respond(c: Context, call: Call, result: unknown): Response {
  if (!call.output) return c.body(null, 204);
  if (typeof result === 'string') return c.text(result);
  return c.json(call.list === undefined ? result : { data: result }, call.status ?? 200);
}

/** A call by its method and path: `POST /_sandbox/clock/advance`. */
export const routeNameOf = ({ method, path }: Call): keyof ControlCalls =>
  `${method.toUpperCase()} ${CONTROL_PATH}${path}` as keyof ControlCalls;

/**
 * Whether a response is one of a call: it has the status, and the fields or the type of its success. Another service
 * would answer something else.
 */
export function isAnswerOf(call: Call, { status, body, headers }: Answered): boolean {
  if (status !== statusOf(call)) return false;
  const { output, list, text } = call;
  if (!output) return !text || (headers.get('content-type')?.startsWith('text/plain') ?? false);
  if (list !== undefined) return AnyList.safeParse(body).success;
  const { shape } = output() as z.ZodObject;
  const required = Object.keys(shape).filter((name) => !(shape[name] as z.ZodType).isOptional());
  return typeof body === 'object' && body !== null && required.every((name) => name in body);
}

const AnyList = z.looseObject({ data: z.array(z.looseObject({})) });

/** A response, as far as it tells whose it is. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Reads the arguments of a method as the input of its call. Throws `ControlError` 422 with every problem. */
export function inputOf(
  name: string,
  { given, takes, query, body }: WorldCall,
  args: readonly unknown[],
): AnyInput {
  const input = given?.(...(args as never[])) ?? {};
  return {
    params: input.params,
    query: query && parseArgument(name, query(), input.query, takes),
    body: body && parseArgument(name, body(), input.body, takes),
  } as AnyInput;
}

/** Makes the methods of calls by their names: `clock.advance` becomes `advance` in `clock`. */
export function methodsOf<Methods>(
  calls: Readonly<Record<string, WorldCall>>,
  methodOf: (name: string, call: WorldCall) => (...args: never[]) => unknown,
): Methods {
  const methods: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) {
    const [last = '', group] = name.split('.').toReversed();
    const method = methodOf(name, call);
    if (group === undefined) methods[last] = method;
    else methods[group] = Object.assign(methods[group] ?? {}, { [last]: method });
  }
  return methods as Methods;
}
