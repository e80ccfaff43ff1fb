import type { Hono } from 'hono';
import { DomainError } from '../core/errors.ts';
import type { SandboxEnv } from './context.ts';
import { exchange, type Settle, type Target } from './exchange.ts';
import type { Directory } from './merchant.ts';
import type { Operation } from './operation.ts';
import { type Connection, receive } from './received.ts';

/** Answers a call whose path says alone which operation it is for, or nothing. */
export type DirectWay = (request: Request, connection: Connection) => Promise<Response> | undefined;

/**
 * Adds the merchant API to an app: every operation, and the refusal of every other path and method.
 * Hands back a way around the app for most calls, which a server may try first.
 */
export function mountMerchantApi(
  app: Hono<SandboxEnv>,
  operations: readonly Operation[],
  directory: Directory,
  settle: Settle,
): DirectWay {
  const targets = new Map<string, Target & { operation: Operation }>();
  for (const operation of operations) {
    const target = { operation };
    if (!operation.path.includes(':')) targets.set(operation.path, target);
    app.on(operation.method.toUpperCase(), operation.path, (c) =>
      exchange(directory, settle, target, c),
    );
  }
  const known = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  app.notFound((c) => {
    const served = known.find(({ pattern }) => pattern.test(c.req.path))?.operation;
    return exchange(directory, settle, refused(served, c.req.method), c);
  });
  return (request, connection) => {
    const received = receive(request, connection);
    const target = targets.get(received.req.path);
    if (target?.operation.method.toUpperCase() !== request.method) return undefined;
    return exchange(directory, settle, target, received);
  };
}

function refused(operation: Operation | undefined, method: string): Target {
  if (!operation) {
    return {
      operation,
      refusal: new DomainError('route_unknown', ['The route was not found.'], ['unknown-route']),
    };
  }
  const allow = operation.method === 'get' ? 'GET, HEAD' : 'POST';
  return {
    operation,
    allow,
    refusal: new DomainError(
      'method_not_allowed',
      [`The ${method} method is not supported here; use ${allow}.`],
      ['unknown-route'],
    ),
  };
}
