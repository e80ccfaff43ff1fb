import { mkdirSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { contract } from '../src/core/schema.ts';
import { fixtureForms } from '../src/products/fixtures.ts';

/** The JSON Schemas of the fixture files as they are committed: texts by file name. */
export function schemaFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fixtureForms).map(([name, form]) => [
      name.replace('.json', '.schema.json'),
      `${JSON.stringify(schemaOf(name, form()), null, 2)}\n`,
    ]),
  );
}

/** Draft 7 is what editors complete from without being told more. */
function schemaOf(name: string, form: z.core.$ZodType): object {
  const schema = z.toJSONSchema(form, {
    target: 'draft-7',
    io: 'input',
    metadata: contract,
    override: ({ jsonSchema }) => {
      delete jsonSchema['x-assumptions'];
      delete jsonSchema.id;
    },
  });
  const definitions = schema.definitions as Record<string, z.core.JSONSchema.BaseSchema>;
  const own = definitions[schema.$ref?.split('/').at(-1) as string];
  return {
    $schema: schema.$schema,
    title: `${name} of micro-insurance-sandbox`,
    ...own,
    properties: { $schema: { type: 'string' }, ...own?.properties },
    definitions: Object.fromEntries(Object.entries(definitions).filter(([, each]) => each !== own)),
  };
}

if (process.argv[1]?.endsWith('fixture-schemas.ts')) {
  mkdirSync('schemas', { recursive: true });
  for (const [name, text] of Object.entries(schemaFiles())) {
    writeFileSync(`schemas/${name}`, text);
    console.log(`schemas/${name}`);
  }
}
