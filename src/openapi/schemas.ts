import type { Settings } from '../world/settings.ts';

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
  // The pattern is for our own tests: a format says the same in words that people and generators know.
  if (normal.format !== undefined) delete normal.pattern;
  if (normal['x-blank']) return orNull(normal);
  if (normal.properties) {
    const properties = Object.entries(normal.properties as Record<string, Json>);
    normal.properties = Object.fromEntries(
      properties.filter(([, property]) => property['x-unpublished'] !== true),
    );
  }
  return normal;
}

/** The schema of a field that may be left out: null and blank text count as left out. */
const orNull = ({ 'x-blank': _blank, minLength: _blankFits, ...schema }: Json): Json => ({
  ...schema,
  type: [schema.type, 'null'],
});

type Meta = Record<string, unknown>;

/**
 * What the library wrote, with what our own words of a schema mean: each says what it says in a sandbox with
 * these settings, names every assumption behind it, and leaves out the keywords that are not published.
 */
export function applyMeta<Written>(written: Written, settings: Settings): Written {
  return apply(written) as Written;

  function apply(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== 'object' || value === null) return value;
    const applied = Object.entries(ownMeta(value as Meta)).map(([key, each]) => [key, apply(each)]);
    return Object.fromEntries(applied);
  }

  function ownMeta(value: Meta): Meta {
    const {
      'x-by-settings': say,
      'x-documented': documented,
      'x-issued': _issued,
      'x-key': _key,
      'x-provider': _provider,
      ...meta
    } = value;
    if (typeof say === 'function') Object.assign(meta, say(settings));
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

/** Where a document has a schema; a named schema of both requests and responses counts as one of responses. */
export type Place = 'parameter' | 'request' | 'response';

/**
 * A schema that the library wrote for OpenAPI 3.0, in the form for client generators that know nothing newer.
 * They can do little with a choice of types: `oneOf` and `anyOf` make some name classes they do not write. What
 * is sent gets the one type that its example has. What is answered gets none: of any one type it would be wrong
 * whenever another is answered, and a client that was told nothing takes what comes.
 */
export function downgrade30(schema: Json, place: Place): Json {
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
    return place === 'response' ? untyped : { ...optionOf(anyOf as Json[], example), ...lowered };
  }
  return lowered.type || !lowered.nullable ? lowered : withType(lowered, example);
}

/** The option of the example's type. */
function optionOf(options: readonly Json[], example: unknown): Json | undefined {
  const kind = Array.isArray(example) ? 'array' : typeof example;
  return options.find(({ type }) => (type === 'integer' ? 'number' : type) === kind);
}

/** The library writes both null alone and anything as what is nullable, which means nothing without a type. */
function withType({ nullable, ...schema }: Json, example: unknown): Json {
  return example === undefined
    ? { type: 'string', nullable, ...schema }
    : { type: typeof example, ...schema };
}
