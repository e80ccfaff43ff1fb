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
  delete normal['x-spelling'];
  delete normal['x-accepted'];
  return normal['x-blank'] ? orNull(normal) : normal;
}

/** A schema with the first spelling of a field only. Generators of OpenAPI 3.0 give all of them one name. */
export function firstSpellings(schema: JsonObject): JsonObject {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties as Record<string, JsonObject>);
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([, each]) => !each['x-spelling'])),
  };
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

/** Writes every assumption behind a part of a document in one list. */
export function mergeAssumptions<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(mergeAssumptions) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { 'x-documented': documented, ...others } = part as JsonObject;
  const merged = mapValues(others, mergeAssumptions);
  if (!Array.isArray(documented)) return merged as Part;
  const own = (merged['x-assumptions'] ?? []) as readonly string[];
  return { ...merged, 'x-assumptions': [...new Set([...own, ...documented])] } as Part;
}

/** Where a document has a schema. Named schemas are in its components. */
export type SchemaUse = 'parameter' | 'response' | 'named';

/** What a schema of OpenAPI 3.0 says where one of 3.1 has a choice of these options. */
type Choose = (options: readonly JsonObject[], example: unknown) => JsonObject | undefined;

/**
 * Converts a published schema of OpenAPI 3.1 to one of 3.0, in a form for older client generators. With `oneOf` or `anyOf` some
 * of them refer to classes that they do not write. So a field with several types gets that of its example, in requests
 * and in responses: then what a client of this edition sends has the type that is returned.
 */
export function downgrade30(
  schema: JsonObject,
  place: SchemaUse,
  choose: Choose = optionOf,
): JsonObject {
  const {
    type,
    anyOf,
    examples,
    const: _fixed,
    ...others
  } = mapSubschemas(schema, (each) => downgrade30(each, place, choose));
  const lowered: JsonObject = { ...typeIn30(type), ...others };
  if (lowered.properties) {
    lowered.properties = mapValues(lowered.properties as Record<string, JsonObject>, fieldIn30);
  }
  // Some generated clients add a time of day to a date in a query.
  if (place === 'parameter' && lowered.format === 'date') delete lowered.format;
  if (typeof lowered.exclusiveMinimum === 'number') {
    lowered.minimum = lowered.exclusiveMinimum;
    lowered.exclusiveMinimum = true;
  }
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) lowered.example = example;
  return anyOf ? { ...choose(anyOf as JsonObject[], example), ...lowered } : lowered;
}

/** The first of several types. OpenAPI 3.0 has no type null. */
function typeIn30(type: unknown): JsonObject {
  if (Array.isArray(type)) return { type: type[0], nullable: true };
  return type === undefined ? {} : { type };
}

/** A field that is always null is a text that may be null. */
const fieldIn30 = (field: JsonObject): JsonObject =>
  field.type === 'null' ? { ...field, type: 'string', nullable: true } : field;

/** The option of the example's type. */
function optionOf(options: readonly JsonObject[], example: unknown): JsonObject | undefined {
  const kind = Array.isArray(example) ? 'array' : typeof example;
  return options.find(({ type }) => (type === 'integer' ? 'number' : type) === kind);
}

/** Keeps a choice between named schemas, which have classes of their own. */
export const keepNamed: Choose = (options, example) => {
  const given = options.filter(({ type }) => type !== 'null');
  const nullable = given.length < options.length ? { nullable: true } : undefined;
  const isNamed = given.some(({ $ref }) => $ref);
  const [only = {}, ...others] = given;
  if (others.length > 0)
    return { ...(isNamed ? { anyOf: given } : optionOf(given, example)), ...nullable };
  return { ...(isNamed ? { type: 'object', allOf: [only] } : only), ...nullable };
};
