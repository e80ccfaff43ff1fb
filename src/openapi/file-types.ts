/* Writes the TypeScript types of the files that people write: fixtures and profiles. */

import { OpenAPIHono, z } from '@hono/zod-openapi';
import { profileSchema } from '../control/profile.ts';
import type { ProductFamily } from '../products/family.ts';
import { fileOf, fileSchemas } from '../products/fixtures.ts';
import { anyFamilies } from '../products/world.ts';
import type { Document } from './document.ts';
import { createTypeWriter } from './types.ts';

/** The types of all files, and `FixtureFiles` with each fixture file by its name. */
export function fileTypes(): string[] {
  const files = Object.keys(fileSchemas());
  const written = writtenSchemas({
    ...Object.fromEntries(files.map((file) => [nameOf(file), writableSchema(file)])),
    Profile: profileSchema(),
  });
  const schemas = {
    ...written,
    FixtureFiles: {
      description: 'Fixture files by name. The built-in files fill the gaps.',
      properties: Object.fromEntries(
        files.map((file) => [file, { $ref: `#/components/schemas/${nameOf(file)}` }]),
      ),
    },
  };
  const document = { paths: {}, components: { schemas } } as unknown as Document;
  return createTypeWriter(document, {
    exported: ['FixtureFiles', 'Profile'],
    readonlyInputs: 'all',
    isOpen: true,
  }).schemas();
}

/** The schema of a file as people write it: keys may be left out. */
function writableSchema(file: string): z.ZodType {
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
  const { operations, initiateOperation, dayFields, impliedAmount } = family;
  const implied = [...dayFields, ...(impliedAmount ? ['amount'] : [])];
  const initiate = operations.find(({ role }) => role === 'initiate');
  const at = z.string().meta({
    description:
      'When the policy is bought: a time, or a duration before the start of the World, such as `-P10D`.',
    examples: ['-P10D', '2026-01-05T10:00:00Z'],
  });
  const optional = Object.entries(initiate?.input?.shape ?? {})
    .filter(([name]) => implied.includes(name))
    .map(([name, field]) => [name, (field as z.ZodType).optional()]);
  return z
    .array(z.object({ at, ...initiate?.input?.shape, ...Object.fromEntries(optional) }))
    .optional()
    .meta({ description: `Policies to buy at the start: the body of ${initiateOperation}.` });
}

/** Schemas as OpenAPI 3.1 writes them, by name, and the named schemas that they use. */
function writtenSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, { readonly properties?: object }>> {
  const app = new OpenAPIHono();
  for (const [name, schema] of Object.entries(schemas)) app.openAPIRegistry.register(name, schema);
  const info = { title: 'schemas', version: '' };
  const { components } = app.getOpenAPI31Document({ openapi: '3.1.0', info });
  return (components?.schemas ?? {}) as ReturnType<typeof writtenSchemas>;
}

/** `micro-health.json` is a `MicroHealthFile`. */
const nameOf = (file: string): string =>
  file
    .replace('.json', '-file')
    .replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
