/*
 * Leaves of the manifest's development packages those that the command is built with: `npm ci` then installs
 * them and no others, in the versions of the lock file. For a folder that is thrown away, such as a stage of an
 * image: `node scripts/build-packages.mjs && npm ci`. A test holds the list to what is imported.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const BUILD_PACKAGES = [
  '@date-fns/utc',
  '@hono/node-server',
  '@hono/zod-openapi',
  '@scalar/fastify-api-reference',
  'chokidar',
  'commander',
  'date-fns',
  'esbuild',
  'eventsource-parser',
  'fastest-levenshtein',
  'hono',
  'jsonc-parser',
  'pure-rand',
  'tinyduration',
  'zod',
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package.json', import.meta.url));
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const kept = Object.entries(manifest.devDependencies).filter(([name]) =>
    BUILD_PACKAGES.includes(name),
  );
  manifest.devDependencies = Object.fromEntries(kept);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
