/*
 * Bundles the benchmarks and runs them: `npm run bench`, `npm run bench -- --quick`,
 * `npm run bench -- growth memory` for some sections only.
 */
import { build } from 'esbuild';

// Inside node_modules, so that what stays outside the bundles is still found.
const OUT = 'node_modules/.cache/bench';

const bundle = (entryPoints, outdir, plugins = []) =>
  build({
    entryPoints,
    outdir,
    plugins,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    external: ['autocannon'],
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });

/** The same server with a journal that records nothing. */
const withoutJournal = {
  name: 'without-journal',
  setup: ({ onLoad }) =>
    onLoad({ filter: /src\/http\/recording\.ts$/ }, () => ({
      contents: 'export function record() {}',
    })),
};

await Promise.all([
  bundle(
    ['run', 'growth-child', 'memory-child', 'servers/sandbox', 'servers/hono', 'servers/node'].map(
      (name) => `bench/${name}.ts`,
    ),
    OUT,
  ),
  bundle(['bench/servers/sandbox.ts'], `${OUT}/without-journal`, [withoutJournal]),
]);
await import(`../${OUT}/run.mjs`);
