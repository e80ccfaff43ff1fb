import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../core/assumptions.ts';
import { midnight } from '../core/time.ts';
import { describeExpected } from '../core/zod-issues.ts';
import { stripEmpty } from '../http/body.ts';
import type { Operation } from '../http/operation.ts';
import { assumptionsOf } from '../http/request-fields.ts';
import type { ProductFamily } from '../products/family.ts';
import { type Json, jsonPath, valueAt } from './assertions.ts';

/* What the routes say of themselves: nothing of it is stated here a second time. */

type Schema = z.core.$ZodType;

/** What the document says of a schema, nullable, optional and the like looked through. */
function metaOf(schema: Schema): z.GlobalMeta {
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return { ...(innerType && metaOf(innerType)), ...z.globalRegistry.get(schema) };
}

/** The schema of a field or of the elements of a list; undefined where there is none. */
export function schemaInside(schema: Schema, key: PropertyKey): Schema | undefined {
  const { innerType, shape, element } = schema._zod.def as {
    innerType?: Schema;
    shape?: Readonly<Record<PropertyKey, Schema>>;
    element?: Schema;
  };
  if (innerType) return schemaInside(innerType, key);
  if (typeof key === 'number') return element;
  return shape && Object.hasOwn(shape, key) ? shape[key] : undefined;
}

/** The schema of the `data` of a success. */
export const dataSchema = ({ success }: Operation): Schema => success.shape.data as Schema;

/** What the published document shows as the input of an operation. */
export function exampleInput({ input }: Operation): Readonly<Record<string, unknown>> {
  const [whole] = input?.meta()?.examples ?? [];
  if (typeof whole === 'object' && whole !== null) return { ...whole };
  return mapValues(input?.shape ?? {}, (schema) => schema.meta()?.examples?.[0]);
}

/** An input of the documented form, with a token or policy number that nobody was given. */
export const unassignedInput = (operation: Operation): Readonly<Record<string, string>> =>
  mapValues(exampleInput(operation), (value) => String(value).replace(/[0-9a-f]/g, '0'));

const mapValues = <From, To>(from: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]));

/** The fields an input can't do without, in the order of the contract. */
export function requiredFields({ input }: Operation): readonly string[] {
  // Of several spellings of one field only the document says that one of them is required.
  const documented = input?.meta()?.required as readonly string[] | undefined;
  const shape = Object.entries(input?.shape ?? {});
  return (
    documented ??
    shape.filter(([, schema]) => !schema.safeParse(undefined).success).map(([key]) => key)
  );
}

/** What an operation reads from an input that it accepts. */
export const parseInput = ({ input }: Operation, sent: Json): Json =>
  input?.parse(stripEmpty(sent));

/**
 * What a response says again of something sent, or answered elsewhere: the fields its schema knows by the
 * same names, in its own form. A day is midnight where a timestamp is due, and the other way round.
 */
export function echoIn(schema: Schema, value: Json): Json {
  if (Array.isArray(value)) {
    const element = schemaInside(schema, 0);
    return element ? value.map((each) => echoIn(element, each)) : value;
  }
  if (typeof value === 'object' && value !== null) {
    const echoed = Object.entries(value).flatMap(([key, held]) => {
      const inside = schemaInside(schema, key);
      return inside && held !== undefined ? [[key, echoIn(inside, held)]] : [];
    });
    return Object.fromEntries(echoed);
  }
  if (typeof value !== 'string') return value;
  const { format } = metaOf(schema);
  if (format === 'date') return value.slice(0, 10);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  return format === 'date-time' && isDay ? midnight(value) : value;
}

/** A place where a body has not its declared form. */
export interface SchemaMismatch {
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
  readonly assumptions: readonly AssumptionId[];
  /** Nothing is declared there. */
  readonly unknownField?: true;
}

/** What is expected where a body has a field of its own. */
export const UNKNOWN_FIELD = 'nothing: the contract has no such field';

/** Holds a body against its schema, both ways: what is missing, what is too much, what is of another type. */
export const schemaMismatches = (schema: z.ZodType, body: Json): SchemaMismatch[] =>
  (schema.safeParse(body).error?.issues ?? []).flatMap((issue) =>
    mismatchesOf(schema, body, issue),
  );

function mismatchesOf(schema: z.ZodType, body: Json, issue: z.core.$ZodIssue): SchemaMismatch[] {
  const seen = valueAt(body, issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: jsonPath([...issue.path, key]),
      expected: UNKNOWN_FIELD,
      seen: seen?.[key],
      assumptions: [],
      unknownField: true as const,
    }));
  }
  const declared = issue.path.reduce<Schema | undefined>(
    (inside, key) => inside && schemaInside(inside, key),
    schema,
  );
  return [
    {
      path: jsonPath(issue.path),
      expected: fixedValue(declared, issue) ?? describeExpected(issue),
      seen,
      assumptions: declared ? assumptionsOf(declared) : [],
    },
  ];
}

/** A fixed value is a refinement, and the only example of its schema. */
function fixedValue(schema: Schema | undefined, { code }: z.core.$ZodIssue): string | undefined {
  if (!schema || code !== 'custom') return undefined;
  const [fixed] = metaOf(schema).examples ?? [];
  return fixed === undefined ? undefined : JSON.stringify(fixed);
}

/** The list of a family: it needs no input and changes nothing. */
export const listOf = ({ operations }: ProductFamily): Operation =>
  operations.find(({ method, path }) => method === 'get' && !path.includes(':')) as Operation;
