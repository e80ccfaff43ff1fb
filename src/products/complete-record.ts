/*
 * Completes records of fixture files. They may leave out what the sandbox knows itself: nulls, the defaults of fields
 * that no request sets, and ids.
 */

import { z } from '@hono/zod-openapi';

declare module 'zod' {
  interface GlobalMeta {
    /** The value of a field that no request sets (`subscriber-defaults`). Not in documents. */
    'x-default'?: unknown;
  }
}

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

/** The value of each kind of id in a record: `user`, `subscription`, `policy_no`. */
type Ids = Map<string, unknown>;

/** Completes the records of a list. What is not a record stays as it is, for its schema to refuse. */
export function completeRecords(
  schema: Schema,
  records: readonly unknown[],
  merchantId: number,
): unknown[] {
  const highest = new Map<string, number>();
  for (const record of records) noteHighest(schema, record, highest);
  const nextId: NextId = (kind) => {
    const id = (highest.get(kind) ?? 0) + 1;
    highest.set(kind, id);
    return id;
  };
  return records.map((record) =>
    complete(schema, record, new Map([['merchant', merchantId]]), nextId),
  );
}

/** Whether a fixture file may leave a field out. */
export const isOmittable = (schema: Schema): boolean =>
  isNullable(schema) || metaOf(schema)['x-default'] !== undefined || isId(schema);

type NextId = (kind: string) => number;

const metaOf = (schema: Schema) => z.globalRegistry.get(schema) ?? {};

/** An id, or a text of a form. */
interface Issued {
  readonly as: string;
  readonly form?: unknown;
}

/** What the service issues as the value of a field, which may be nullable. */
function issuedOf(schema: Schema): Issued | undefined {
  const { innerType } = schema._zod.def as { readonly innerType?: Schema };
  return metaOf(schema)['x-issued'] ?? (innerType && issuedOf(innerType));
}

const kindOf = (schema: Schema): string | undefined => issuedOf(schema)?.as;

const isId = (schema: Schema): boolean => {
  const issued = issuedOf(schema);
  return issued !== undefined && issued.form === undefined;
};

const isNullable = ({ _zod: { def } }: Schema): boolean =>
  def.type === 'nullable' || def.type === 'null';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (schema: z.ZodObject): [string, Schema][] => Object.entries(schema.shape);

function noteHighest(schema: Schema, value: unknown, highest: Map<string, number>): void {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const element of value) noteHighest(schema.element, element, highest);
  } else if (schema instanceof z.ZodObject && isFields(value)) {
    for (const [name, field] of fieldsOf(schema)) noteHighest(field, value[name], highest);
  } else if (typeof value === 'number' && isId(schema)) {
    const kind = kindOf(schema) as string;
    highest.set(kind, Math.max(highest.get(kind) ?? 0, value));
  }
}

function complete(schema: Schema, value: unknown, around: Ids, nextId: NextId): unknown {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element) => complete(schema.element, element, around, nextId));
  }
  if (!(schema instanceof z.ZodObject) || !isFields(value)) return value;
  const ids = new Map([...around, ...givenIds(schema, value)]);
  for (const kind of ownKinds(schema)) if (!ids.has(kind)) ids.set(kind, nextId(kind));
  const completed = fieldsOf(schema).flatMap(([name, field]) => {
    const filled =
      value[name] === undefined
        ? missingValue(field, ids, nextId)
        : complete(field, value[name], ids, nextId);
    return filled === undefined ? [] : [[name, filled]];
  });
  // Unknown fields stay, for the schema to refuse.
  return { ...Object.fromEntries(completed), ...without(value, schema) };
}

const without = (value: Fields, { shape }: z.ZodObject): Fields =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !(name in shape)));

/** The ids in an object and in the objects inside it, but not in lists. The outermost comes first. */
function givenIds(schema: z.ZodObject, value: Fields): Ids {
  const ids: Ids = new Map();
  for (const [name, field] of fieldsOf(schema)) {
    const [kind, given] = [kindOf(field), value[name]];
    if (kind !== undefined && given !== undefined && given !== null && !ids.has(kind)) {
      ids.set(kind, given);
    }
  }
  for (const [name, field] of fieldsOf(schema)) {
    const inside = value[name];
    if (!(field instanceof z.ZodObject) || !isFields(inside)) continue;
    for (const [kind, given] of givenIds(field, inside)) if (!ids.has(kind)) ids.set(kind, given);
  }
  return ids;
}

/** The kinds of the ids of an object itself and of the objects inside it: other fields refer to them. */
const ownKinds = (schema: z.ZodObject): string[] =>
  fieldsOf(schema).flatMap(([name, field]) => {
    if (field instanceof z.ZodObject) return ownKinds(field);
    return name === 'id' && isId(field) ? [kindOf(field) as string] : [];
  });

/** The value of a field that a record leaves out. Undefined if the record has to have it. */
function missingValue(field: Schema, ids: Ids, nextId: NextId): unknown {
  const kind = kindOf(field);
  if (kind !== undefined && ids.has(kind)) return ids.get(kind);
  if (isId(field) && kind !== undefined) {
    ids.set(kind, nextId(kind));
    return ids.get(kind);
  }
  return defaultOf(field);
}

/** The value of a field that no request sets. Undefined for other fields. */
export const defaultOf = (field: Schema): unknown =>
  metaOf(field)['x-default'] ?? (isNullable(field) ? null : undefined);

/** The schema of a record in a fixture file, for editors: what may be left out is not required. */
export function fixtureForm(schema: Schema): z.ZodType {
  if (schema instanceof z.ZodArray)
    return z.array(fixtureForm(schema.element)).meta(metaOf(schema));
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = fieldsOf(schema).map(([name, field]) => [
    name,
    isOmittable(field) ? (field as z.ZodType).optional() : fixtureForm(field),
  ]);
  return z.strictObject(Object.fromEntries(fields)).meta(metaOf(schema));
}
