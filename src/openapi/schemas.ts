import * as z from 'zod/mini';
import { type Component, contract } from '../core/schema.ts';

/** A JSON Schema, or any other object of a document. */
export type Json = Record<string, unknown>;

/** How schemas are written: those of a request say what may be sent, the others what is answered. */
export type Direction = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';

/** Where a document keeps a named schema. */
export const refTo = (component: Component): Json => ({
  $ref: `${COMPONENTS}${component.componentName}`,
});

/** A schema, and the named schemas it is made of, in the form of OpenAPI 3.1. */
export function writeSchema(
  schema: z.core.$ZodType,
  io: Direction,
): { schema: Json; named: Record<string, Json> } {
  const {
    $schema: _,
    $defs = {},
    ...written
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    metadata: contract,
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // zod drops the examples of what it transforms; ours are examples of what is sent.
      const examples = contract.get(zodSchema)?.examples;
      if (examples && !jsonSchema.$ref) jsonSchema.examples = [...examples];
    },
  });
  const named = Object.entries($defs).map(([name, each]) => [name, tidy(each as Json)]);
  return { schema: tidy(written), named: Object.fromEntries(named) };
}

/** The named schema of a component with all it is made of. */
export const writeComponent = (component: Component, io: Direction): Record<string, Json> =>
  writeSchema(component(), io).named;

function tidy(schema: Json): Json {
  const { published, ...shown }: Json = { ...schema, ...(schema.published as Json | undefined) };
  if (published) delete shown.pattern;
  // Strictness is for our own tests: a client must bear a field it does not know.
  if (shown.additionalProperties === false) delete shown.additionalProperties;
  if (shown.minimum === Number.MIN_SAFE_INTEGER) delete shown.minimum;
  if (shown.maximum === Number.MAX_SAFE_INTEGER) delete shown.maximum;
  if (shown.type === 'integer' && Number(shown.maximum) >= 2 ** 31) shown.format = 'int64';
  // A client that parses a format can not hold what it parsed against a pattern.
  if (shown.format !== undefined) delete shown.pattern;
  if (typeof shown.$ref === 'string') shown.$ref = shown.$ref.replace('#/$defs/', COMPONENTS);

  if (shown.items) shown.items = tidy(shown.items as Json);
  if (shown.properties) {
    const properties = Object.entries(shown.properties as Record<string, Json>);
    const meant = properties.filter(([, property]) => property.published !== false);
    shown.properties = mapValues(Object.fromEntries(meant), tidy);
  }
  if (typeof shown.additionalProperties === 'object') {
    // The name of a field is a text anyway.
    delete shown.propertyNames;
    shown.additionalProperties = tidy(shown.additionalProperties as Json);
  }
  if (Array.isArray(shown.oneOf)) shown.oneOf = (shown.oneOf as Json[]).map(tidy);
  if (!Array.isArray(shown.anyOf)) return shown;
  const { anyOf, ...rest } = shown;
  const options = (anyOf as Json[]).map(tidy);
  return { ...nullableType(options), ...rest };
}

/** `anyOf` a type and null as an array of both types, which every client generator reads. */
function nullableType(options: Json[]): Json {
  const [option, other] = options;
  const joins = options.length === 2 && other?.type === 'null' && typeof option?.type === 'string';
  if (!joins || option.enum) return { anyOf: options };
  return { ...option, type: [option.type, 'null'] };
}

export const mapValues = <From, To>(
  from: Readonly<Record<string, From>>,
  map: (value: From) => To,
) => Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]));
