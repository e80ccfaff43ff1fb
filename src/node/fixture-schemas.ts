import { OpenAPIHono, type z } from '@hono/zod-openapi';
import { fixtureSchemas as schemas } from '../products/fixtures.ts';

/** The JSON Schemas of the fixture files, by file name, for the editors of those who change them. */
export const fixtureSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name.replace('.json', '.schema.json'),
      jsonSchemaOf(name, schema),
    ]),
  );

/**
 * The library writes a schema with all the named ones it is made of; what it writes for OpenAPI 3.1 is, for
 * these schemas, draft 7 too, which is what editors complete from without being told more.
 */
function jsonSchemaOf(fileName: string, schema: z.ZodType): object {
  const app = new OpenAPIHono();
  app.openAPIRegistry.register('File', schema);
  const info = { title: fileName, version: '' };
  const { components } = app.getOpenAPI31Document({ openapi: '3.1.0', info });
  const { File: file, ...definitions } = forEditors(components?.schemas);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${fileName} of micro-insurance-sandbox`,
    ...file,
    properties: { $schema: { type: 'string' }, ...file?.properties },
    definitions,
  };
}

const DOCUMENT_ONLY = [
  'x-assumptions',
  'x-documented',
  'x-unpublished',
  'x-issued',
  'x-key',
  'x-provider',
];

/** Schemas as a file of their own holds them; what they rest on is for the documents alone. */
const forEditors = (written: unknown): Record<string, { readonly properties?: object }> =>
  JSON.parse(
    JSON.stringify(written).replaceAll('"#/components/schemas/', '"#/definitions/'),
    (key, value) => (DOCUMENT_ONLY.includes(key) ? undefined : value),
  );
