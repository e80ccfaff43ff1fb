import { z } from '@hono/zod-openapi';

/** A success that shows the outcome, as its document declares it. */
export const done = <S extends z.ZodType>(schema: S) => withExample(schema, exampleOf(schema));

/** The same where the outcome is a list: `{ "data": [ … ] }`. */
export const doneList = <S extends z.ZodType>(name: string, element: S) =>
  withExample(z.strictObject({ data: z.array(element) }).openapi(name), {
    data: [exampleOf(element)],
  });

/** A success without a body. */
export const noContent = { description: 'Done.' } as const;

const exampleOf = (schema: z.ZodType): unknown => schema.meta()?.examples?.[0];

const withExample = <S extends z.ZodType>(schema: S, example: unknown) => ({
  description: 'Done; the answer shows the outcome.',
  content: { 'application/json': { schema, example } },
});
