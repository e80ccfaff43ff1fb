import { z } from '@hono/zod-openapi';
import type { Envelope, ResponseCode, SuccessBody } from './envelope.ts';

/*
 * The responses a route declares, their whole bodies included. The documents publish these, and tests and
 * `check` hold responses against them: fixed values are refinements, not literals, because a client
 * generated from a literal breaks on a service that answers another code, and some do not even compile.
 * `success` alone is published as a constant: by it a program tells the two forms of a body apart.
 */

export const HEADERS = {
  'Sandbox-Request-Id': { $ref: '#/components/headers/RequestId' },
  'Sandbox-Assumptions': { $ref: '#/components/headers/Assumptions' },
};

export const fixed = <S extends z.ZodType>(schema: S, value: z.output<S>, description: string) =>
  schema.refine((answered: unknown) => answered === value).meta({ description, examples: [value] });

/** What `success` says: true in a success, false in a refusal. */
export const successIs = (succeeded: boolean) =>
  fixed(z.boolean(), succeeded, `Always ${succeeded}.`).meta({ const: succeeded });

const SUCCEEDED = successIs(true);
const DONE = z.string().meta({
  description: 'What was done.',
  'x-assumptions': ['success-messages'],
});

/** The success of a call: its data in its envelope, as a named schema. */
export function success<Code extends ResponseCode, Data extends z.ZodType>(
  name: string,
  envelope: Envelope<Code>,
  data: Data,
) {
  const schema = successSchema(name, envelope, data);
  return {
    description: `${envelope.message}.`,
    headers: HEADERS,
    content: {
      // The order of the fields is the envelope's, which their types can't say.
      'application/json': {
        schema: schema as unknown as z.ZodType<SuccessBody<Code, z.output<Data>>>,
      },
    },
  };
}

/** The body of a success, as a named schema. */
export const successSchema = (name: string, envelope: Envelope, data: z.ZodType): z.ZodObject =>
  z.strictObject(successFields(envelope, data)).openapi(name);

function successFields({ order, code }: Envelope, data: z.ZodType) {
  const fields = {
    success: SUCCEEDED,
    data,
    message: DONE,
    response_message: DONE,
    response_code: codeSchema(code),
  };
  return Object.fromEntries(order.map((key) => [key, fields[key]]));
}

const codes = new Map<ResponseCode, z.ZodType>();

function codeSchema(code: ResponseCode): z.ZodType {
  const schema = codes.get(code) ?? createCodeSchema(code);
  codes.set(code, schema);
  return schema;
}

function createCodeSchema(code: ResponseCode): z.ZodType {
  if (typeof code === 'number') return fixed(z.int(), code, `Always ${code}.`);
  return fixed(z.string(), code ?? '', code === '' ? 'Always empty.' : `Always \`${code}\`.`);
}
