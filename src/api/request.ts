import type { z } from '@hono/zod-openapi';

/** What a route takes, in the form that `createRoute` wants. */
export interface RouteRequest {
  readonly body?: {
    readonly required: true;
    readonly content: {
      readonly 'application/json': { readonly schema: z.ZodObject; readonly example: unknown };
    };
  };
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
}

/** A JSON body. */
export const jsonBody = <S extends z.ZodObject>(schema: S) => ({
  body: {
    required: true as const,
    content: { 'application/json': { schema, example: schema.meta()?.examples?.[0] } },
  },
});

/** The schema of what a route takes, wherever that stands. */
export const requestSchema = ({ body, query, params }: RouteRequest): z.ZodObject | undefined =>
  body?.content['application/json'].schema ?? query ?? params;

/** The input that a route's schema makes of what it takes. */
export type RequestInput<R> = R extends {
  body: { content: { 'application/json': { schema: infer S extends z.ZodType } } };
}
  ? z.output<S>
  : R extends { query: infer S extends z.ZodType } | { params: infer S extends z.ZodType }
    ? z.output<S>
    : undefined;
