import { mkdirSync, writeFileSync } from 'node:fs';
import { fixtureSchemas } from '../src/openapi/fixture-schemas.ts';

/** Writes the JSON schemas of the fixture files to `fixtures/schemas/`. */
mkdirSync('schemas', { recursive: true });
for (const [name, schema] of Object.entries(fixtureSchemas())) {
  writeFileSync(`fixtures/schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`fixtures/schemas/${name}`);
}
