import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import type { Component } from '../core/schema.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { refuseStrangers } from './access.ts';
import { readControlInput } from './input.ts';
import type { Tenant, Tenants } from './merchants.ts';
import { ControlError, type ControlStatus } from './problems.ts';

type Schema = z.core.$ZodType;

/** What a call of the control plane takes. */
export interface ControlRequest<I extends Schema = Schema> {
  readonly in: 'body' | 'query';
  readonly schema: Component<I>;
  /** Fields of a query that are numbers. */
  readonly numbers?: readonly string[];
  /** Whether a body may be absent and then counts as `{}`. */
  readonly optional?: boolean;
  /** Bytes a body may have; 1 MiB unless given. */
  readonly mostBytes?: number;
  /** Levels of nesting a body may have; 100 unless given. */
  readonly mostLevels?: number;
}

/** One call of the control plane: what it promises, and what it does. */
export interface ControlRoute<I extends Schema = Schema> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/_sandbox`. */
  readonly path: string;
  /** Over one World, chosen by the merchant's key, or over the whole sandbox. */
  readonly over: 'world' | 'sandbox';
  readonly request?: ControlRequest<I>;
  /** What is answered, and with which status. */
  readonly status: 200 | 201 | 204;
  readonly answer?: Component;
  /** Whether the answer is a list of those: `{ "data": [ … ] }`. */
  readonly list?: boolean;
  readonly refusals: readonly ControlStatus[];
  handle(call: ControlCall, input: z.output<I>): unknown;
}

/** What a control call knows besides its input. */
export interface ControlCall {
  readonly tenants: Tenants;
  /** The merchant whose key was sent. Calls over the sandbox look theirs up by `id`. */
  readonly tenant: Tenant;
  readonly id: string;
  readonly signal: AbortSignal;
}

export const controlRoute = <I extends Schema>(route: ControlRoute<I>): ControlRoute<I> => route;

/** Adds a call to the control plane's app. */
export function mountRoute(
  app: Hono<SandboxEnv>,
  route: ControlRoute,
  tenants: Tenants,
  adminToken: string | undefined,
): void {
  app.on(route.method.toUpperCase(), route.path, async (c) => {
    const tenant = route.over === 'world' ? tenantOf(c, tenants) : undefined;
    if (!tenant) refuseStrangers(c, adminToken);
    const input = await readControlInput(c, route.request);
    const answered = await route.handle(
      {
        tenants,
        tenant: tenant as Tenant,
        id: c.req.param('id') ?? '',
        get signal() {
          return c.req.raw.signal;
        },
      },
      input,
    );
    if (route.status === 204) return c.body(null, 204);
    return new Response(JSON.stringify(route.list ? { data: answered } : answered), {
      status: route.status,
      headers: { 'content-type': 'application/json' },
    });
  });
}

function tenantOf(c: SandboxContext, tenants: Tenants): Tenant {
  const merchant = tenants.authenticate(c.req.header('authorization'));
  const tenant = merchant && tenants.byId.get(merchant.id);
  if (tenant) return tenant;
  throw new ControlError(401, "This call asks for a merchant's key, as Authorization: Bearer.");
}
