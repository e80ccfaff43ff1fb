import { mkdirSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { documentFiles } from '../src/openapi/files.ts';

/** Writes the published documents into `openapi/`. */
mkdirSync('openapi', { recursive: true });
for (const [name, text] of Object.entries(documentFiles(manifest.version))) {
  writeFileSync(`openapi/${name}`, text);
  console.log(`openapi/${name}`);
}
