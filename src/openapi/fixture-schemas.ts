/* The JSON schemas of fixture files, with which editors complete and check them. */

import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { ProductFamily } from '../products/family.ts';
import { fileOf, fileSchemas } from '../products/fixtures.ts';
import { anyFamilies } from '../products/world.ts';

/** The JSON schemas of the fixture files, by file name. Editors use them for completion. */
export const fixtureSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.keys(fileSchemas()).map((name) => [
      name.replace('.json', '.schema.json'),
      jsonSchemaOf(name, writableSchema(name)),
    ]),
  );

/** The schema of a file as people write it: keys may be left out. */
export function writableSchema(file: string): z.ZodType {
  const family = anyFamilies.find((each) => fileOf(each) === file);
  if (!family) return fileSchemas()[file] as z.ZodType;
  const { shape } = family.records();
  const lists = Object.entries(shape).map(([name, list]) => [
    name,
    list.optional().meta({ description: 'Without it, those of the built-in file are used.' }),
  ]);
  return z.strictObject({ ...Object.fromEntries(lists), purchases: purchasesOf(family) });
}

/** Purchases: what initiate takes, and when. */
function purchasesOf(family: ProductFamily): z.ZodType {
  const { operations, initiateOperation, dayFields, pricedPurchase, renewPolicy } = family;
  const implied = [...dayFields, ...(pricedPurchase ? ['amount'] : [])];
  const initiate = operations.find(({ role }) => role === 'initiate');
  const time = z
    .string()
    .regex(PURCHASE_TIME)
    .meta({ examples: ['-P10D', '2026-01-05T10:00:00Z'] });
  const own = {
    at: time.describe(
      'When the policy is bought: a time, or a duration before the start of the World, such as `-P10D`.',
    ),
    policy_number: z
      .string()
      .optional()
      .describe('The number of the policy. Default: a drawn one.'),
    ...(renewPolicy && {
      renewals: z
        .array(time)
        .optional()
        .describe('When the policy is renewed, oldest first, in the forms of `at`.'),
    }),
  };
  const optional = Object.entries(initiate?.input?.shape ?? {})
    .filter(([name]) => implied.includes(name))
    .map(([name, field]) => [name, (field as z.ZodType).optional()]);
  return z
    .array(z.object({ ...own, ...initiate?.input?.shape, ...Object.fromEntries(optional) }))
    .optional()
    .meta({ description: `Policies to buy at the start: the body of ${initiateOperation}.` });
}

/** Roughly: an editor only needs to tell what is neither a time nor a duration. */
const PURCHASE_TIME = /^(-P\d*[YMWDT].*|\d{4}-\d\d-\d\dT\d\d:\d\d.*)$/;

/**
 * The library writes a schema together with the named schemas it uses. For these schemas its OpenAPI 3.1 output is also
 * valid JSON Schema draft 7, which editors support without further settings.
 */
function jsonSchemaOf(fileName: string, schema: z.ZodType): object {
  const { File: file, ...definitions } = forEditors(writtenSchemas({ File: schema }));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${fileName} of micro-insurance-sandbox`,
    ...file,
    properties: { $schema: { type: 'string' }, ...file?.properties },
    definitions,
  };
}

/** Schemas as OpenAPI 3.1 writes them, by name, and the named schemas that they use. */
export function writtenSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, { readonly properties?: object }>> {
  const app = new OpenAPIHono();
  for (const [name, schema] of Object.entries(schemas)) app.openAPIRegistry.register(name, schema);
  const info = { title: 'schemas', version: '' };
  const { components } = app.getOpenAPI31Document({ openapi: '3.1.0', info });
  return (components?.schemas ?? {}) as ReturnType<typeof writtenSchemas>;
}

const DOCUMENT_ONLY = ['x-assumptions', 'x-documented'];

/** The schemas without the extensions that only the OpenAPI documents use. */
const forEditors = (written: object): ReturnType<typeof writtenSchemas> =>
  JSON.parse(
    JSON.stringify(written).replaceAll('"#/components/schemas/', '"#/definitions/'),
    (key, value) => (DOCUMENT_ONLY.includes(key) ? undefined : value),
  );
