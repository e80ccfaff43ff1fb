import { describe, expect, test } from 'vitest';
import { createMerchantDocument } from '../../src/openapi/merchant.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

/** A schema in a document, with the assumptions named on it or around it in its component. */
interface Place {
  readonly path: string;
  readonly schema: Any;
  readonly assumptions: readonly string[];
}

/** Keywords that narrow a value. The specification or an assumption states the type itself. */
const KEYWORDS = [
  'enum',
  'const',
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

/** Statements that come from the specification, with its words. */
const SPECIFIED: readonly (readonly [place: RegExp, words: string])[] = [
  [/^\w+(Response|Failure)\/success\/const$/, 'envelope with success (boolean); success false'],
  [
    /^MicroHealth\w*Subscription\/subscriptions_type\/enum$/,
    'subscriptions_type: monthly, quarterly or annually',
  ],
  [/^Motor\w*Policy\/inspection_date\/(format|pattern)$/, 'inspection_date (Y-m-d)'],
];

const editions = (['3.1', '3.0'] as const).map((edition) => ({
  edition,
  places: placesIn(createMerchantDocument(edition, '1.2.3')),
}));

describe.each(editions)('the $edition document', ({ places }) => {
  test('names an assumption for every statement that the specification does not make', () => {
    const groundless = places
      .filter(({ assumptions }) => assumptions.length === 0)
      .flatMap(({ path, schema }) =>
        KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map(
          (keyword) => `${path}/${keyword}`,
        ),
      )
      .filter((statement) => !SPECIFIED.some(([place]) => place.test(statement)));
    const todo =
      'name the assumption of these in `x-assumptions` of their schema, in requests.ts or schemas.ts';
    expect(groundless, todo).toEqual([]);
  });

  test.each([
    [/\/(product_id)$/, ['catalogue', 'subscriber-defaults']],
    [/Timestamp|\/(created_at|updated_at|active_date)$/, ['time-zone']],
    [/\/(user_type|verify_phone|verify_email|company_id|town)$/, ['subscriber-defaults']],
    [/Page\/\w+_page_url$/, ['page-urls']],
    [/\/(message|response_message)$/, ['success-messages', 'error-envelope']],
  ])('names an assumption for fields like %s', (field, rows) => {
    const found = places.filter(({ path }) => field.test(path));
    expect(found.length).toBeGreaterThan(0);
    const silent = found.filter(
      ({ assumptions }) => !rows.some((row) => assumptions.includes(row)),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test('sets no bounds on ids and counts, which the specification calls integers', () => {
    const bounded = places.filter(
      ({ path, schema }) =>
        /\/(id|\w+_id|total|max_beneficiaries)$/.test(path) &&
        !/Request\//.test(path) &&
        ('minimum' in schema || 'maximum' in schema),
    );
    expect(bounded.map(({ path }) => path)).toEqual([]);
  });
});

function placesIn({ components, paths }: Any): Place[] {
  const fields = Object.entries<Any>(components.schemas).flatMap(([name, schema]) => [
    ...Object.entries<Any>(schema.properties ?? {}).flatMap(([field, property]) =>
      placesAt(`${name}/${field}`, property, []),
    ),
    ...(schema.items ? placesAt(`${name}/items`, schema.items, []) : []),
  ]);
  const parameters = Object.values<Any>(paths).flatMap((methods) =>
    Object.values<Any>(methods).flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, schema, ...said }: Any) => [
        ...placesAt(`${operationId}/${name}`, { ...schema, ...said, schema: undefined }, []),
      ]),
    ),
  );
  return [...fields, ...parameters];
}

function placesAt(path: string, schema: Any, around: readonly string[]): Place[] {
  const assumptions = [...around, ...(schema['x-assumptions'] ?? [])];
  const inside = ['items', ...(schema.anyOf ?? []).keys()].flatMap((key) => {
    const sub = key === 'items' ? schema.items : schema.anyOf[key];
    return sub ? placesAt(`${path}/${key}`, sub, assumptions) : [];
  });
  return [{ path, schema, assumptions }, ...inside];
}
