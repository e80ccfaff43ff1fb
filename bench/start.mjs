/*
 * Bundles the benchmarks and runs them: `npm run bench`, `npm run bench -- --quick`,
 * `npm run bench -- growth memory` for some sections only.
 */
import { cp, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundledText, bundleProgram, rawText } from '../scripts/bundle.mjs';
import { setup as buildIfChanged } from '../scripts/fresh-build.mjs';

// Inside node_modules, so that external packages are found.
const OUT = 'node_modules/.cache/bench';

const bundle = (entryPoints, outdir, plugins = []) =>
  build({
    entryPoints,
    outdir,
    plugins: [rawText, bundledText, ...plugins],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Bundled like the published code.
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    external: ['autocannon'],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });

/** The same server with a journal that records nothing. */
const withoutJournal = {
  name: 'without-journal',
  setup: ({ onLoad }) =>
    onLoad({ filter: /src\/api\/journal\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const silenced = code.replace(/(?<=function record\(.*\): void \{)/, ' return;');
      if (silenced === code) throw new Error(`${path} has no code that writes entries`);
      return { contents: silenced, loader: 'ts' };
    }),
};

buildIfChanged();
await rm(`${OUT}/stack`, { recursive: true, force: true });
const servers = ['sandbox', 'stack', 'hono', 'node'].map((name) => `servers/${name}`);
await Promise.all([
  bundle(
    ['run', 'growth-child', 'memory-child', 'libraries', ...servers].map(
      (name) => `bench/${name}.ts`,
    ),
    OUT,
  ),
  bundle(['bench/servers/sandbox.ts'], `${OUT}/without-journal`, [withoutJournal]),
  // The bare stack uses the sandbox's bundling and launcher.
  bundleProgram(
    { contents: "export * from './bench/servers/stack-command.ts';", resolveDir: process.cwd() },
    `${OUT}/stack/dist/cli.cjs`,
  ),
  cp('bin/micro-insurance-sandbox.cjs', `${OUT}/stack/bin/stack.cjs`),
]);
await import(`../${OUT}/run.mjs`);
