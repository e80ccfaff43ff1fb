/*
 * Removes all development packages from the manifest except those that the build of the command requires, so that
 * `npm ci` installs only these, in the versions of the lock file. Use it in a temporary folder, such as a stage of an
 * image: `node scripts/build-packages.mjs && npm ci`. A test compares the list with the imports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const BUILD_PACKAGES = [
  '@date-fns/utc',
  '@hono/node-server',
  '@hono/zod-openapi',
  '@modelcontextprotocol/server',
  '@scalar/fastify-api-reference',
  'commander',
  'date-fns',
  'esbuild',
  'eventsource-parser',
  'fastest-levenshtein',
  'hono',
  'httpxy',
  'jsonc-parser',
  'pure-rand',
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
