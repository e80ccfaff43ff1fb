import { mkdirSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { generatedFiles } from '../src/openapi/generated.ts';

/** Writes the published documents to `openapi/`, and the types of the merchant API to `src/wire.ts`. */
mkdirSync('openapi', { recursive: true });
for (const [file, text] of Object.entries(generatedFiles(manifest.version))) {
  writeFileSync(file, text);
  console.log(file);
}
