/*
 * Runs a TypeScript file: `node scripts/run.mjs scripts/openapi.ts [arguments]`. It bundles the file first, because the
 * oldest supported Node cannot run TypeScript.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundledText, rawText } from './bundle.mjs';

const [entry, ...rest] = process.argv.slice(2);
if (!entry) {
  console.error('Usage: node scripts/run.mjs FILE [arguments]');
  process.exit(2);
}

// Inside node_modules, so that external packages are found.
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
await mkdir(cache, { recursive: true });
const folder = await mkdtemp(join(cache, 'run-'));
try {
  const outfile = join(folder, 'entry.mjs');
  await build({
    entryPoints: [resolve(entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    plugins: [rawText, bundledText],
    logLevel: 'warning',
  });
  process.argv.splice(1, process.argv.length - 1, resolve(entry), ...rest);
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
