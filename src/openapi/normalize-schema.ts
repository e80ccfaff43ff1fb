/** A JSON Schema, or any other object of a document. */
export type Json = Record<string, unknown>;

export const mapValues = <From, To>(
  from: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value, key)]));

/** A schema with every schema right inside it edited. */
export function mapSubschemas(schema: Json, edit: (schema: Json) => Json): Json {
  const mapped = { ...schema };
  if (schema.properties) {
    mapped.properties = mapValues(schema.properties as Record<string, Json>, (each) => edit(each));
  }
  for (const key of ['items', 'additionalProperties']) {
    if (typeof schema[key] === 'object') mapped[key] = edit(schema[key] as Json);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[key])) mapped[key] = schema[key].map((each: Json) => edit(each));
  }
  return mapped;
}

/** A schema as the library writes it, in the form it is published in. */
export function normalizeSchema(schema: Json): Json {
  const normal = mapSubschemas(schema, normalizeSchema);
  // Strictness is for our own tests: a client must bear a field it does not know.
  if (normal.additionalProperties === false) delete normal.additionalProperties;
  if (normal.type === 'integer' && Number(normal.maximum) >= 2 ** 31) normal.format = 'int64';
  if (normal['x-blank']) return orBlank(normal);
  if (normal.properties) {
    const properties = Object.entries(normal.properties as Record<string, Json>);
    normal.properties = Object.fromEntries(
      properties.filter(([, property]) => property['x-unpublished'] !== true),
    );
  }
  return normal;
}

/** A schema that null and text of white space only fit too. */
function orBlank({ 'x-blank': _blank, ...schema }: Json): Json {
  const { description, examples, 'x-assumptions': assumptions, ...form } = schema;
  return {
    description,
    examples,
    'x-assumptions': assumptions,
    anyOf: [form, { type: 'string', pattern: String.raw`^\s*$` }, { type: 'null' }],
  };
}
