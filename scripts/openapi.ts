import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { ASSUMPTIONS_PAGE, generatedFiles } from '../src/openapi/generated.ts';
import { probesOf } from '../src/tools/check/probes/index.ts';

/** Writes the documents of `openapi/`, the types of both APIs and the tables of the assumptions. */
mkdirSync('openapi', { recursive: true });
const page = readFileSync(ASSUMPTIONS_PAGE, 'utf8');
for (const [file, text] of Object.entries(generatedFiles(manifest.version, page, probesOf))) {
  writeFileSync(file, text);
  console.log(file);
}
