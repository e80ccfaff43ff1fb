/*
 * Bundles the benchmarks into .tmp/bench and runs them: `npm run bench`, `npm run bench -- --quick`,
 * `npm run bench -- growth memory` for some sections only.
 */
import { mkdirSync } from 'node:fs';
import { build } from 'esbuild';

const OUT = '.tmp/bench';
mkdirSync(OUT, { recursive: true });

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

const server = ['bench/servers/sandbox.ts'];
await Promise.all([
  bundle(['bench/run.ts', ...server, 'bench/servers/hono.ts', 'bench/servers/node.ts'], OUT),
  bundle(server, `${OUT}/without-journal`, [withoutJournal]),
]);
await import(`../${OUT}/run.mjs`);
