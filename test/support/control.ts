import { expect } from 'vitest';
import * as z from 'zod/mini';
import { CONTROL_PATH } from '../../src/control/api.ts';
import type { ControlRoute } from '../../src/control/route.ts';
import { controlRoutes } from '../../src/control/routes/index.ts';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, BASE, readAnswer } from './client.ts';

export interface ControlInit {
  /** The merchant's key, or the admin token. */
  readonly key?: string;
  /** What stands in the path: the id of a fault or of a merchant. */
  readonly id?: string | number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent as it is instead of the body as JSON. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

export function controlRouteOf(operationId: string): ControlRoute {
  const route = controlRoutes.find((each) => each.operationId === operationId);
  if (!route) throw new Error(`The control plane has no ${operationId}`);
  return route;
}

/** Makes a control call over HTTP, and holds its answer against what the call declares, both ways. */
export async function control(
  sandbox: Pick<Sandbox, 'fetch'>,
  operationId: string,
  init: ControlInit = {},
): Promise<Answer> {
  const route = controlRouteOf(operationId);
  const { remoteAddress } = init;
  const response = await sandbox.fetch(
    controlRequest(route, init),
    remoteAddress === undefined ? undefined : { remoteAddress },
  );
  const answer = await readAnswer(response);
  checkControlAnswer(route, answer);
  return answer;
}

export function controlRequest(route: ControlRoute, init: ControlInit, base = BASE): Request {
  const url = new URL(base + CONTROL_PATH + route.path.replace(/:\w+/, String(init.id)));
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
    checkProblem(answer, declaredRefusals(route));
    return;
  }
  expect(answer.status).toBe(route.status);
  if (route.status === 204) {
    expect(answer.text).toBe('');
    return;
  }
  expect(answer.headers.get('content-type')).toBe('application/json');
  const { data, ...rest } = route.list ? answer.body : { data: [answer.body] };
  expect(rest, 'a list is data and nothing else').toEqual({});
  for (const each of data) {
    const parsed = z.safeParse(route.answer?.() ?? z.never(), each);
    expect(parsed.error?.issues ?? [], `${route.operationId} ${answer.text}`).toEqual([]);
    expect(parsed.data, 'what is declared is what is answered').toEqual(each);
  }
}

const declaredRefusals = ({ over, request, refusals }: ControlRoute): number[] => [
  401,
  ...refusals,
  ...(over === 'sandbox' ? [403] : []),
  ...(request?.in === 'body' ? [400, 413, 415] : []),
];

/** Holds a refusal against RFC 9457. */
export function checkProblem(
  { status, headers, body }: Answer,
  declared?: readonly number[],
): void {
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toMatchObject({ type: 'about:blank', title: expect.any(String), status });
  expect(body.detail).toMatch(/^\S.{9}/);
  if (declared) expect(declared).toContain(status);
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
}
