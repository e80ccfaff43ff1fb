import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ASSUMPTIONS_PAGE, generatedFiles } from '../../src/openapi/generated.ts';
import { probesOf } from '../../src/tools/check/probes/index.ts';

const page = readFileSync(ASSUMPTIONS_PAGE, 'utf8');

test.each(Object.entries(generatedFiles(manifest.version, page, probesOf)))(
  'the committed %s is up to date',
  (file, text) => {
    const committed = readFileSync(file, 'utf8');
    expect(committed === text, `${file} is out of date; run \`npm run docs\``).toBe(true);
  },
);
