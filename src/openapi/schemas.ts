/* Converts schemas of the library to their published forms, one of them for OpenAPI 3.0. */

/** A JSON Schema, or any other object of a document. */
export type JsonObject = Record<string, unknown>;

export const mapValues = <From, To>(
  from: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value, key)]));

/** Edits every schema directly inside a schema. */
export function mapSubschemas(
  schema: JsonObject,
  edit: (schema: JsonObject) => JsonObject,
): JsonObject {
  const mapped = { ...schema };
  if (schema.properties) {
    mapped.properties = mapValues(schema.properties as Record<string, JsonObject>, (each) =>
      edit(each),
    );
  }
  for (const key of ['items', 'additionalProperties']) {
    if (typeof schema[key] === 'object') mapped[key] = edit(schema[key] as JsonObject);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[key])) mapped[key] = schema[key].map((each: JsonObject) => edit(each));
  }
  return mapped;
}

/** Converts a schema of the library to its published form. */
export function normalizeSchema(schema: JsonObject): JsonObject {
  const normal = mapSubschemas(schema, normalizeSchema);
  // Strictness is for our tests. Clients must ignore unknown fields.
  if (normal.additionalProperties === false) delete normal.additionalProperties;
  if (normal.type === 'integer' && Number(normal.maximum) >= 2 ** 31) normal.format = 'int64';
  // The pattern is for our tests. A format says the same in a way that people and generators know.
  if (normal.format !== undefined) delete normal.pattern;
  if (normal['x-blank']) return orNull(normal);
  if (normal.properties) {
    const properties = Object.entries(normal.properties as Record<string, JsonObject>);
    normal.properties = Object.fromEntries(
      properties.filter(([, property]) => property['x-unpublished'] !== true),
    );
  }
  return normal;
}

/** The schema of an optional field: null and blank text count as missing. */
const orNull = ({
  'x-blank': _blank,
  minLength: _blankFits,
  ...schema
}: JsonObject): JsonObject => ({
  ...schema,
  type: [schema.type, 'null'],
});

type Meta = Record<string, unknown>;

/**
 * Applies our own keywords to the library's schemas: every assumption behind a schema, and the keywords that are not
 * published.
 */
export function applyMeta<Written>(written: Written): Written {
  return apply(written) as Written;

  function apply(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== 'object' || value === null) return value;
    const applied = Object.entries(ownMeta(value as Meta)).map(([key, each]) => [key, apply(each)]);
    return Object.fromEntries(applied);
  }

  function ownMeta(value: Meta): Meta {
    const {
      'x-documented': documented,
      'x-issued': _issued,
      'x-default': _default,
      'x-key': _key,
      'x-provider': _provider,
      'x-accepted': _accepted,
      ...meta
    } = value;
    if (Array.isArray(documented)) {
      const ids = [...((meta['x-assumptions'] as string[] | undefined) ?? []), ...documented];
      meta['x-assumptions'] = [...new Set(ids)];
    }
    const { 'x-unpublished': keywords } = meta;
    if (Array.isArray(keywords)) {
      for (const keyword of [...keywords, 'x-unpublished']) delete meta[keyword];
    }
    return meta;
  }
}

/** Where a document has a schema. A named schema in both requests and responses counts as a response. */
export type SchemaUse = 'parameter' | 'request' | 'response';

/**
 * Converts a schema of the library for OpenAPI 3.0 to a form for older client generators. With `oneOf` or `anyOf` some
 * of them refer to classes that they do not write. A request gets the type of its example. A response with several types
 * gets none, because any one would be wrong for the others, and clients without a type accept all.
 */
export function downgrade30(schema: JsonObject, place: SchemaUse): JsonObject {
  const {
    anyOf,
    examples,
    const: _fixed,
    ...lowered
  } = mapSubschemas(schema, (each) => downgrade30(each, place));
  // Some generated clients add a time of day to a date in a query.
  if (place === 'parameter' && lowered.format === 'date') delete lowered.format;
  if (Array.isArray(lowered.type)) {
    lowered.type = lowered.type[0];
    lowered.nullable = true;
  }
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) lowered.example = example;
  if (anyOf) {
    const { nullable: _said, ...untyped } = lowered;
    return place === 'response'
      ? untyped
      : { ...optionOf(anyOf as JsonObject[], example), ...lowered };
  }
  return lowered.type || !lowered.nullable ? lowered : withType(lowered, example);
}

/** The option of the example's type. */
function optionOf(options: readonly JsonObject[], example: unknown): JsonObject | undefined {
  const kind = Array.isArray(example) ? 'array' : typeof example;
  return options.find(({ type }) => (type === 'integer' ? 'number' : type) === kind);
}

/** The library writes both null and unknown as nullable, which means nothing without a type. */
function withType({ nullable, ...schema }: JsonObject, example: unknown): JsonObject {
  return example === undefined
    ? { type: 'string', nullable, ...schema }
    : { type: typeof example, ...schema };
}
