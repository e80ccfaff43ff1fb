import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { DomainError } from '../core/errors.ts';
import type { Component } from '../core/schema.ts';
import { isJson, parseJson, readText } from '../http/body.ts';
import type { SandboxContext, SandboxEnv } from '../http/exchange.ts';
import { formProblems } from '../core/form.ts';
import { refuseStrangers } from './access.ts';
import type { Tenant, Tenants } from './merchants.ts';
import { ControlError, type ControlStatus } from './problems.ts';

type Schema = z.core.$ZodType;

/** One call of the control plane: what it promises, and what it does. */
export interface ControlRoute<I extends Schema = Schema> {
  readonly operationId: string;
  readonly summary: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/_sandbox`. */
  readonly path: string;
  /** Over one World, chosen by the merchant's key, or over the whole sandbox. */
  readonly over: 'world' | 'sandbox';
  readonly request?: {
    readonly in: 'body' | 'query';
    readonly schema: Component<I>;
    /** Whether a body may be absent and then counts as `{}`. */
    readonly optional?: boolean;
    /** Bytes a body may have; 1 MiB unless given. */
    readonly mostBytes?: number;
  };
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
  /** The merchant of a call over one World, or the one that the path names. */
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
    const input = await readControlInput(c, route);
    const answered = await route.handle(
      {
        tenants,
        // Calls over the sandbox look their merchant up by `id`.
        tenant: tenant as Tenant,
        id: c.req.param('id') ?? '',
        signal: c.req.raw.signal,
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

async function readControlInput(c: SandboxContext, { request }: ControlRoute): Promise<unknown> {
  if (!request) return undefined;
  const sent = request.in === 'query' ? c.req.query() : await readBody(c, request);
  return checked(request.schema(), sent);
}

/** The input a schema makes of what was sent, or a refusal that names every problem. */
export function checked<S extends Schema>(schema: S, sent: unknown): z.output<S> {
  const parsed = z.safeParse(schema, sent);
  if (parsed.success) return parsed.data;
  const problems = formProblems(sent, parsed.error);
  throw new ControlError(422, problems[0] as string, { errors: problems });
}

async function readBody(
  c: SandboxContext,
  { optional = false, mostBytes }: NonNullable<ControlRoute['request']>,
): Promise<unknown> {
  try {
    const text = await readText(c.req.raw, mostBytes);
    if (text === '' && optional) return {};
    if (!isJson(c.req.header('content-type'))) {
      throw new ControlError(415, 'The Content-Type header must be application/json.');
    }
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ControlError(error.code === 'too_large' ? 413 : 400, error.message);
  }
}
