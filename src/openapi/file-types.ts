/* Writes the TypeScript types of the files that people write: fixtures and profiles. */

import { profileSchema } from '../control/profile.ts';
import { fileSchemas } from '../products/fixtures.ts';
import type { Document } from './document.ts';
import { writableSchema, writtenSchemas } from './fixture-schemas.ts';
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
    ...Object.fromEntries(
      files.map((file) => [nameOf(file), withEditorKey(written[nameOf(file)])]),
    ),
    FixtureFiles: {
      description: 'Fixture files by name. The built-in files fill the gaps.',
      properties: Object.fromEntries(
        files.map((file) => [file, { $ref: `#/components/schemas/${nameOf(file)}` }]),
      ),
    },
  };
  const document = { paths: {}, components: { schemas } } as unknown as Document;
  return createTypeWriter(document, { isReadonly: true, isOpen: true }).schemas();
}

/** A fixture file with the key that editors read. */
const withEditorKey = (schema: { readonly properties?: object } | undefined) => ({
  ...schema,
  properties: { $schema: { type: 'string' }, ...schema?.properties },
});

/** `micro-health.json` is a `MicroHealthFile`. */
const nameOf = (file: string): string =>
  file
    .replace('.json', '-file')
    .replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
