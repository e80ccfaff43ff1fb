/* The build for Workers: one module, and the files that it serves as static assets. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundledText, rawText, shared } from './bundle.mjs';

const ASSETS = 'dist/workers-assets/static';

/**
 * The published documents and the files of the reference pages are larger than all the code. The Worker serves them from
 * static assets (`src/workers/worker.ts`). With a profile, the app generates the documents and their page.
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

/** Builds the Worker. Dynamic imports are in the same file, and run only when needed. */
export const buildWorker = (plugins) =>
  build({
    ...shared,
    // Stack traces have the names of functions.
    minify: false,
    minifyWhitespace: true,
    entryPoints: ['src/workers/index.ts'],
    outfile: 'dist/workers.js',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:workers'],
    plugins: [...shared.plugins, ...plugins, leavesStaticAssets, rawText, bundledText],
  });

/** The files, with their paths in a sandbox. The build of the library writes the largest one, which both serve. */
const SERVED = {
  'merchant-api.json': '/openapi.json',
  'merchant-api-3.0.json': '/openapi-3.0.json',
  'control-plane.json': '/_sandbox/openapi.json',
  'control-plane-3.0.json': '/_sandbox/openapi-3.0.json',
  'assumptions.htm': '/docs/assumptions',
  'reference.css': '/docs/assets/reference.css',
  'reference.js': '/docs/assets/reference.js',
};
/** Pages with the demo merchant's key, if that merchant exists. */
const SERVED_BY_DEMO = { docs: '/docs', 'docs-control': '/docs/control' };

/** Writes a sandbox's responses, byte for byte. Returns the written paths. */
export async function writeStaticAssets() {
  const { createSandbox } = await import(pathToFileURL(resolve('dist/index.js')));
  const withDemo = createSandbox();
  const withoutDemo = createSandbox({ fixtures: { 'merchants.json': { merchants: [] } } });
  await mkdir(ASSETS, { recursive: true });
  const written = [];
  const write = async (name, sandbox, path) => {
    // The Worker replaces this address in documents by its own.
    const response = await sandbox.fetch(`http://127.0.0.1:4015${path}`);
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
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
