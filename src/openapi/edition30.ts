import { type Json, mapValues } from './schemas.ts';

/*
 * A schema of OpenAPI 3.1 as one of 3.0. The 3.0 edition is for client generators that know nothing
 * else; they can do little with a choice of types, so it shows the one that the field's example has.
 */

/** A schema in the form of OpenAPI 3.0. */
export function schema30(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  const options = anyOf as Json[] | undefined;
  if (options?.some((option) => option.type === 'null')) {
    const option = options.find(({ type }) => type !== 'null') as Json;
    return withoutSiblings({ ...option, nullable: true, ...rest });
  }
  if (options) return schema30({ ...chosen(options, rest.examples), ...rest });
  if (schema.$ref) return withoutSiblings(schema);

  const { type, examples, exclusiveMinimum, items, properties, const: value, ...same } = schema;
  const lowered: Json = { ...type30(type, examples), ...same };
  if (value !== undefined) lowered.enum = [value];
  if (exclusiveMinimum !== undefined) {
    lowered.minimum = exclusiveMinimum;
    lowered.exclusiveMinimum = true;
  }
  if (items) lowered.items = schema30(items as Json);
  if (properties) lowered.properties = mapValues(properties as Record<string, Json>, schema30);
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) lowered.example = example;
  return lowered;
}

/** In 3.0 nothing may stand beside a reference. */
function withoutSiblings({ $ref, ...siblings }: Json): Json {
  return Object.keys(siblings).length === 0
    ? { $ref }
    : { ...schema30(siblings), allOf: [{ $ref }] };
}

function type30(type: unknown, examples: unknown): Json {
  if (type === undefined) return typeOfExample(examples);
  if (type === 'null') return { type: 'string', nullable: true };
  if (!Array.isArray(type)) return { type };
  const types = type.filter((each) => each !== 'null');
  const [only] =
    types.length === 1
      ? types
      : [
          chosen(
            types.map((each) => ({ type: each })),
            examples,
          ).type,
        ];
  return type.includes('null') ? { type: only, nullable: true } : { type: only };
}

/** For a field that may be anything. */
function typeOfExample(examples: unknown): Json {
  return Array.isArray(examples) ? { type: typeof examples[0] } : {};
}

/** The first option that is of the example's type. */
function chosen(options: readonly Json[], examples: unknown): Json {
  const example = Array.isArray(examples) ? examples[0] : undefined;
  const kind = Array.isArray(example) ? 'array' : typeof example;
  const found = options.find(({ type }) => (type === 'integer' ? 'number' : type) === kind);
  const option = found ?? options[0];
  if (!option) throw new Error('A choice of nothing');
  return option;
}
