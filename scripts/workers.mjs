/* The build for Workers: its code as one module, and beside it the files that are served as static assets. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundledText, rawText, shared } from './bundle.mjs';

const ASSETS = 'dist/workers-assets/static';

/**
 * The published documents and what the reference pages load are larger than all the code: the Worker answers them
 * from static assets (`src/workers/worker.ts`), before the app is asked. A document of a profile is made by the
 * app, and the page that shows it as well.
 */
const leavesStaticAssets = {
  name: 'leaves-static-assets',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]openapi[\\/][\w.-]+\.json$/ }, () => ({
      contents: 'null',
      loader: 'json',
    }));
    onLoad({ filter: /[\\/]src[\\/]ui[\\/]reference[\\/]reference\.ts$/ }, ({ path }) => ({
      contents: `
        export { assumptionsPage, referencePage } from './page.tsx';
        export const referenceAsset = () => undefined;
      `,
      resolveDir: join(path, '..'),
      loader: 'ts',
    }));
  },
};

/** Builds the Worker. What it loads late is in its file too, and runs only then. */
export const buildWorker = (plugins) =>
  build({
    ...shared,
    // A merchant's developer meets it in stack traces.
    minify: false,
    entryPoints: ['src/workers/index.ts'],
    outfile: 'dist/workers.js',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:workers'],
    plugins: [...shared.plugins, ...plugins, leavesStaticAssets, rawText, bundledText],
  });

/** What is written, by the path at which a sandbox answers it. */
const SERVED = {
  'merchant-api.json': '/openapi.json',
  'merchant-api-3.0.json': '/openapi-3.0.json',
  'control-plane.json': '/_sandbox/openapi.json',
  'assumptions.htm': '/docs/assumptions',
  'reference.css': '/docs/assets/reference.css',
  'reference.js': '/docs/assets/reference.js',
  'scalar.js': '/docs/assets/scalar.js',
};
/** The pages show a key to try calls with where there is the demo merchant. */
const SERVED_BY_DEMO = { docs: '/docs', 'docs-control': '/docs/control' };

/** Writes what a sandbox answers, to the byte. Gives the paths that it wrote. */
export async function writeStaticAssets() {
  const { createSandbox } = await import(pathToFileURL(resolve('dist/index.js')));
  const withDemo = createSandbox();
  const withoutDemo = createSandbox({ fixtures: { 'merchants.json': { merchants: [] } } });
  await mkdir(ASSETS, { recursive: true });
  const written = [];
  const write = async (name, sandbox, path) => {
    // The Worker replaces this address in documents by its own.
    const response = await sandbox.fetch(`http://127.0.0.1:4015${path}`);
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}`);
    const file = join(ASSETS, name);
    await writeFile(file, new Uint8Array(await response.arrayBuffer()));
    written.push(file);
  };
  for (const [name, path] of Object.entries(SERVED)) await write(name, withDemo, path);
  for (const [name, path] of Object.entries(SERVED_BY_DEMO)) {
    await write(`${name}.htm`, withoutDemo, path);
    await write(`${name}-demo.htm`, withDemo, path);
  }
  return written;
}
