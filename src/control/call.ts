/*
 * A call of the control plane, declared once: its route and document, and the method that does the same, in this process
 * and over HTTP.
 */

import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ControlCalls } from '../types/control-wire.ts';
import { CONTROL_PATH, type ControlEnv } from './access.ts';
import { parseArgument } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import type { ExpectedStatus } from './problems.ts';

type Fields = z.ZodObject;

/** What a call takes, read by its schemas. A part without a schema is undefined. */
export interface Input<Params extends Fields, Query extends Fields, Body extends Fields> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

export type AnyInput = Input<Fields, Fields, Fields>;

/** What calls over one World and calls over the sandbox have in common. */
export interface Call<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Its method, and its path below that of the control plane. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  // Schemas are made on first use, because a program calls few of these.
  readonly params?: () => Params;
  readonly query?: () => Query;
  readonly body?: () => Body;
  /** Whether the body, or the argument of the method, may be left out. */
  readonly isOptional?: boolean;
  /** The limits of the body, if they are higher than usual. */
  readonly maxBytes?: (store: MerchantStore) => number;
  readonly maxDepth?: number;
  /** The request headers that it reads itself. */
  readonly headers?: () => Fields;
  /** The schema of what it returns, or of each element if that is a list. Without it, the response has no body. */
  readonly output?: () => z.ZodType;
  /** The name of the list. Over HTTP it is `{ "data": [ … ] }`. */
  readonly list?: string;
  /** An example of its result as text by Content-Type, if it returns one. */
  readonly text?: () => Readonly<Record<string, string>>;
  /** The status of a success, if another one than 200, or 204 without a body. */
  readonly status?: 201;
  /** The refusals of its own, and the reason of a 409 if there is one. */
  readonly refusals?: readonly ExpectedStatus[];
  readonly conflict?: string;
}

/** A call over one World, and the method of a merchant that does the same. */
export interface WorldCall<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> extends Call<Params, Query, Body> {
  /** Makes the query or the body of the argument of its method, if that is another value. */
  readonly argument?: (given: unknown) => unknown;
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
  /** The same over HTTP, if that does or returns something else. */
  readonly serve?: (
    input: Input<Params, Query, Body>,
    merchant: MerchantAccount,
    store: MerchantStore,
  ) => unknown;
}

/** A call over the sandbox. */
export interface SandboxCall<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> extends Call<Params, Query, Body> {
  /** Returns its result, or the whole response. */
  run(input: Input<Params, Query, Body>, store: MerchantStore, c: Context<ControlEnv>): unknown;
}

export const worldCall = <Params extends Fields, Query extends Fields, Body extends Fields>(
  call: WorldCall<Params, Query, Body>,
): WorldCall => call as unknown as WorldCall;

export const sandboxCall = <Params extends Fields, Query extends Fields, Body extends Fields>(
  call: SandboxCall<Params, Query, Body>,
): SandboxCall => call as unknown as SandboxCall;

/** The status of its success. */
export const statusOf = ({ status, output, text }: Call): 200 | 201 | 204 =>
  status ?? (output || text ? 200 : 204);

/** A call by its method and path: `POST /_sandbox/clock/advance`. */
export const routeNameOf = ({ route }: Call): keyof ControlCalls =>
  route.replace(' ', ` ${CONTROL_PATH}`) as keyof ControlCalls;

/**
 * Reads the arguments of a method as the input of its call: the id, if its path has one, then the query or the body.
 * Throws `ControlError` 422 with every problem.
 */
export function inputOf(
  name: string,
  { params, query, body, isOptional, argument, takes }: WorldCall,
  args: readonly unknown[],
): AnyInput {
  const [id, given = isOptional ? {} : undefined] = params ? args : [undefined, ...args];
  const schema = query ?? body;
  const sent = argument ? argument(given) : given;
  const read = schema && parseArgument(name, schema(), sent, takes);
  return {
    params: params && { id: String(id) },
    query: query && read,
    body: body && read,
  } as unknown as AnyInput;
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
