import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { generatedFiles } from '../../src/openapi/generated.ts';

test.each(Object.entries(generatedFiles(manifest.version)))(
  'the committed %s is the one that the code makes',
  (file, text) => {
    const committed = readFileSync(file, 'utf8');
    expect(committed === text, `${file} is out of date; run \`npm run docs\``).toBe(true);
  },
);
