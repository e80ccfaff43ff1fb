import { type Json, mapSubschemas } from './normalize-schema.ts';

/**
 * A schema that the library wrote for OpenAPI 3.0, in the form for client generators that know nothing newer.
 * They can do little with a choice of types: `oneOf` and `anyOf` make some name classes they do not write. What
 * is sent gets the one type that its example has. What is answered gets none: of any one type it would be wrong
 * whenever another is answered, and a client that was told nothing takes what comes.
 */
export function downgrade30(schema: Json, answered: boolean): Json {
  const {
    anyOf,
    examples,
    const: _fixed,
    ...lowered
  } = mapSubschemas(schema, (each) => downgrade30(each, answered));
  lowerPattern(lowered);
  const example = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined) lowered.example = example;
  if (anyOf) {
    const { nullable: _said, ...untyped } = lowered;
    return answered ? untyped : { ...optionOf(anyOf as Json[], example), ...lowered };
  }
  return lowered.type || !lowered.nullable ? lowered : withType(lowered, example);
}

/**
 * A client that parses a day cannot hold what it parsed against a pattern; and some hold patterns against bytes,
 * where control characters above 7f are parts of letters.
 */
function lowerPattern(schema: Json): void {
  if (typeof schema.pattern !== 'string') return;
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern;
  else schema.pattern = schema.pattern.replaceAll(String.raw`\x7f-\x9f`, String.raw`\x7f`);
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
