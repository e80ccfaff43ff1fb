/* Calls the control plane of a sandbox, with the types of its document. */

import { z } from '@hono/zod-openapi';
import { type Call, routeNameOf, statusOf } from '../control/call.ts';
import { SANDBOX_CALLS, WORLD_CALLS } from '../control/calls.ts';
import { ControlError, type ControlStatus } from '../control/control-error.ts';
import type { ControlCalls } from '../types/control-wire.ts';
import { ConnectError } from './connect-error.ts';
import { NetworkError, type ReceivedResponse, type Send } from './receive.ts';

/** A call by its method and path: `POST /_sandbox/clock/advance`. */
export type ControlRoute = keyof ControlCalls;

type Part = 'body' | 'query' | 'params';

/** The parts of a call that may be left out. */
type OptionalPart<R extends ControlRoute> = {
  [P in Part]: undefined extends ControlCalls[R][P]
    ? P
    : P extends 'query'
      ? object extends ControlCalls[R][P]
        ? P
        : never
      : never;
}[Part];

/** What a call takes. */
type ControlInput<R extends ControlRoute> = {
  readonly [P in Exclude<Part, OptionalPart<R>>]: ControlCalls[R][P];
} & { readonly [P in OptionalPart<R>]?: ControlCalls[R][P] };

/** The same as arguments, which are none if all of it may be left out. */
export type ControlArguments<R extends ControlRoute> =
  object extends ControlInput<R> ? [ControlInput<R>?] : [ControlInput<R>];

/** A sandbox to call, and who calls it. */
export interface ControlServer {
  /** Its base URL without a trailing slash. */
  readonly url: string;
  /** The base URL of requests, if it is another one. */
  readonly base?: string | undefined;
  readonly send: Send;
  /** The key of a merchant for calls over its World, or the admin token for calls over the sandbox. */
  readonly token?: string | undefined;
  /** Aborts when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a call and returns the body of its response. Throws `ControlError` if the sandbox refuses it, `ConnectError` if no
 * sandbox answers.
 *
 * @example
 * const { effects } = await control('POST /_sandbox/clock/advance', { body: { by: 'PT15M' } });
 */
export type ControlClient = <R extends ControlRoute>(
  route: R,
  ...input: ControlArguments<R>
) => Promise<ControlCalls[R]['response']>;

/** Sends and reads like `send`. Throws `ConnectError` if there is no response. */
export async function reach(
  { url, send }: Pick<ControlServer, 'url' | 'send'>,
  request: Request,
): Promise<ReceivedResponse> {
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new ConnectError(url, `${url} ${error.message}.`, { cause: error });
  }
}

const calls = [...Object.values(WORLD_CALLS), ...SANDBOX_CALLS];

export const createControlClient =
  (server: ControlServer): ControlClient =>
  async (route, ...[input]) => {
    const parts = (input ?? {}) as CallParts;
    const received = await reach(server, requestOf(server, route, parts));
    const call = calls.find((each) => routeNameOf(each) === route) as Call;
    const isText = Reflect.get(parts.query ?? {}, 'format') === 'text';
    const isAnswer = isText ? isTextOf(received) : isAnswerOf(call, received);
    if (!isAnswer) throw refusalIn(server, received);
    return (isText ? received.text : received.body) as ControlCalls[typeof route]['response'];
  };

const isTextOf = ({ status, headers }: ReceivedResponse): boolean =>
  status === 200 && (headers.get('content-type') ?? '').startsWith('text/plain');

/** Whether a response has the status and the fields of a success. Another service would answer something else. */
function isAnswerOf(call: Call, { status, body }: ReceivedResponse): boolean {
  const { output, list } = call;
  if (status !== statusOf(call)) return false;
  if (!output) return true;
  if (list !== undefined) return AnyList.safeParse(body).success;
  const { shape } = output() as z.ZodObject;
  const required = Object.keys(shape).filter((name) => !(shape[name] as z.ZodType).isOptional());
  return typeof body === 'object' && body !== null && required.every((name) => name in body);
}

const AnyList = z.looseObject({ data: z.array(z.looseObject({})) });

function refusalIn({ url }: ControlServer, { status, body }: ReceivedResponse): Error {
  const problem = Refusal.safeParse(body).data;
  return problem?.status === status
    ? new ControlError(status as ControlStatus, problem.detail, problem.errors)
    : ConnectError.notASandbox(url, status);
}

/** What every refusal of a sandbox has. One of another version may say more. */
const Refusal = z.looseObject({
  status: z.number(),
  detail: z.string(),
  errors: z.array(z.string()).optional(),
});

/** The parts of any call. */
interface CallParts {
  readonly body?: unknown;
  readonly query?: object | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

function requestOf(
  { url, base = url, token, signal }: ControlServer,
  route: ControlRoute,
  { body, query = {}, params = {} }: CallParts,
): Request {
  const [method, path] = route.split(' ') as [string, string];
  const address = new URL(
    base + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
  );
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  return new Request(address, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    redirect: 'manual',
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
