import type { RouteConfig, z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { CONTROL_PATH } from '../../src/control/access.ts';
import { Problem } from '../../src/control/problems.ts';
import { controlRoutes as routes } from '../../src/control/route.ts';
import { type Answer, BASE, type Fetcher, fetchOver, readAnswer } from './client.ts';

/** A control call as its route declares it. */
export interface ControlRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly method: string;
  /** The path below `/_sandbox` in the syntax of documents: `/faults/{id}`. */
  readonly path: string;
  /** The key it needs: a merchant's, or the admin token. */
  readonly over: 'world' | 'sandbox';
  readonly request: { readonly in: 'body' | 'query'; readonly optional: boolean } | undefined;
  /** The status of its success. */
  readonly status: number;
  /** The schema of its success; undefined without a body. */
  readonly schema: z.ZodObject | undefined;
  /** Whether its success is an endless stream of events. */
  readonly stream: boolean;
  /** Whether that is a list: `{ "data": [ … ] }`. */
  readonly list: boolean;
  /** The statuses of its refusals. */
  readonly refusals: readonly number[];
}

/** Every call of the control plane. */
export const controlRoutes: readonly ControlRoute[] = routes().map(controlRoute);

function controlRoute(route: RouteConfig): ControlRoute {
  const { operationId = '', summary = '', method, path, request, responses } = route;
  const statuses = Object.keys(responses).map(Number);
  const status = statuses.find((each) => each < 300) ?? 0;
  const { content } = responses[status] as {
    content?: { 'application/json'?: { schema: z.ZodObject }; 'text/event-stream'?: unknown };
  };
  const schema = content?.['application/json']?.schema;
  return {
    operationId,
    summary,
    method,
    path,
    over: route.security?.some((scheme) => 'merchantKey' in scheme) ? 'world' : 'sandbox',
    request: request?.body
      ? { in: 'body', optional: !request.body.required }
      : request?.query && { in: 'query', optional: true },
    status,
    schema,
    stream: content?.['text/event-stream'] !== undefined,
    list: Object.keys(schema?.shape ?? {}).join() === 'data',
    refusals: statuses.filter((each) => each >= 400),
  };
}

export interface ControlInit {
  /** The merchant's key, or the admin token. */
  readonly key?: string;
  /** The id in the path, of a fault or a merchant. */
  readonly id?: string | number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent unchanged instead of the body as JSON. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

export function controlRouteOf(operationId: string): ControlRoute {
  const route = controlRoutes.find((each) => each.operationId === operationId);
  if (!route) throw new Error(`The control plane has no ${operationId}`);
  return route;
}

/** Makes a control call over HTTP and checks the response against its declared schema, in both directions. */
export async function control(
  sandbox: Fetcher,
  operationId: string,
  init: ControlInit = {},
): Promise<Answer> {
  const route = controlRouteOf(operationId);
  const { remoteAddress } = init;
  const request = controlRequest(route, init);
  const response = await (remoteAddress === undefined
    ? sandbox.fetch(request)
    : fetchOver(sandbox, { remoteAddress }, request));
  const answer = route.stream && response.ok ? await beginOf(response) : await readAnswer(response);
  checkControlAnswer(route, answer);
  return answer;
}

/** Reads the beginning of an endless stream and cancels it. */
async function beginOf({ status, headers, body }: Response): Promise<Answer> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return { status, headers, text: new TextDecoder().decode(value), body: undefined };
}

export function controlRequest(route: ControlRoute, init: ControlInit, base = BASE): Request {
  const url = new URL(base + CONTROL_PATH + route.path.replace(/\{\w+\}/, String(init.id)));
  for (const [name, value] of Object.entries(init.query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const body = init.raw ?? (init.body === undefined ? undefined : JSON.stringify(init.body));
  return new Request(url, {
    method: route.method.toUpperCase(),
    headers: {
      ...(init.key !== undefined && { authorization: `Bearer ${init.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(body !== undefined && { body }),
  });
}

export function checkControlAnswer(route: ControlRoute, answer: Answer): void {
  if (answer.status >= 400) {
    checkProblem(answer, route.refusals);
    return;
  }
  expect(answer.status).toBe(route.status);
  if (route.stream) {
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    return;
  }
  if (!route.schema) {
    expect(answer.text).toBe('');
    return;
  }
  expect(answer.headers.get('content-type')).toBe('application/json');
  checkBody(route.schema, answer, route.operationId);
}

function checkBody(schema: z.ZodType, { body, text }: Answer, what: string): void {
  const parsed = schema.safeParse(body);
  expect(parsed.error?.issues ?? [], `${what} ${text}`).toEqual([]);
  expect(parsed.data, 'what is declared is what is answered').toEqual(body);
}

/** Checks a refusal against RFC 9457 and its schema. */
export function checkProblem(answer: Answer, declared?: readonly number[]): void {
  const { status, headers, body } = answer;
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toMatchObject({ type: 'about:blank', title: expect.any(String), status });
  expect(body.detail).toMatch(/^\S.{9}/);
  checkBody(Problem(), answer, 'a problem');
  if (declared) expect(declared).toContain(status);
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
}
