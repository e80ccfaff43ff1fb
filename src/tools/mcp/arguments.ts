/*
 * Fits the arguments of a tool to its schema: clients send null for an argument that they leave out, and numbers,
 * objects and arrays as their text. What does not fit stays as it is, for the schema to refuse.
 */

import { z } from '@hono/zod-openapi';
import { readDecimal } from '../../control/json.ts';
import { parseJson } from '../../world/json.ts';

type Schema = z.core.$ZodType;

/** The arguments of a tool as its schema takes them. */
export function fitted(schema: Schema, given: unknown): unknown {
  if (schema instanceof z.ZodOptional) {
    return given === null ? undefined : fitted(schema.unwrap(), given);
  }
  if (schema instanceof z.ZodObject) {
    const object = readObject(given);
    return isObject(object) ? fittedObject(schema, object) : object;
  }
  // What is behind a `preprocess`, such as a record.
  if (schema instanceof z.ZodPipe) return fitted(schema.out, given);
  if (schema instanceof z.ZodUnion) return nearestFit(schema.options, given);
  // Inside them any JSON may stand: a text is a text there, and null is null.
  if (schema instanceof z.ZodRecord) return readObject(given);
  if (schema instanceof z.ZodUnknown) return readStructure(given);
  if (schema instanceof z.ZodNumber) return readDecimal(given);
  if (schema instanceof z.ZodBoolean) return wordOf([true, false], given);
  if (schema instanceof z.ZodEnum) return wordOf(schema.options, given);
  if (schema instanceof z.ZodLiteral) return wordOf([...schema.values], given);
  return given;
}

function fittedObject({ shape }: z.ZodObject, given: object): object {
  const fields = Object.entries(given).map(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, field ? fitted(field, value) : value] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** As an alternative of a union takes it, or as the one that could do most with it. */
function nearestFit(options: readonly Schema[], given: unknown): unknown {
  const fits = options.map((option) => {
    const fit = fitted(option, given);
    const problems = z.safeParse(option, fit).error?.issues.length ?? 0;
    return { fit, rank: problems === 0 || fit !== given ? problems : Number.MAX_SAFE_INTEGER };
  });
  const [best] = fits.toSorted((a, b) => a.rank - b.rank);
  return best?.fit;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object or the array in a text. */
function readStructure(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return given;
  return parseJson(given) ?? given;
}

/** The object in a text. An empty array stands for one: PHP writes it so. */
function readObject(given: unknown): unknown {
  const read = readStructure(given);
  return Array.isArray(read) && read.length === 0 ? {} : read;
}

/** The word that a text is, in any case. */
function wordOf(words: readonly unknown[], given: unknown): unknown {
  if (typeof given !== 'string' || words.includes(given)) return given;
  const same = words.filter((word) => `${word}`.toLowerCase() === given.trim().toLowerCase());
  return same.length === 1 ? same[0] : given;
}
