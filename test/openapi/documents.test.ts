import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { documentFiles } from '../../src/openapi/files.ts';

test.each(Object.entries(documentFiles(manifest.version)))(
  'the committed %s is the one that the code makes',
  (name, text) => {
    const committed = readFileSync(`openapi/${name}`, 'utf8');
    expect(committed === text, `openapi/${name} is out of date; run \`npm run docs\``).toBe(true);
  },
);
