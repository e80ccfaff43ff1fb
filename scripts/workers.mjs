/* The build for Workers: one module, and the files that it serves as static assets. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledText, bundleNamed, rawText } from './bundle.mjs';

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
  bundleNamed({
    entryPoints: ['src/workers/index.ts'],
    outfile: 'dist/workers.js',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:workers'],
    plugins: [...plugins, leavesStaticAssets, rawText, bundledText],
  });

/** The files, with their paths in a sandbox. The library has written the largest ones, which both serve. */
const SERVED = {
  'assumptions.htm': '/docs/assumptions',
  'reference.css': '/docs/assets/reference.css',
  'reference.js': '/docs/assets/reference.js',
};
/** Pages with the demo merchant's key, if that merchant exists. */
const SERVED_BY_DEMO = { docs: '/docs', 'docs-control': '/docs/control' };

/** Writes the remaining static assets: a sandbox's responses, byte for byte. Returns the written paths. */
export async function writeStaticAssets() {
  const { createSandbox } = await import(pathToFileURL(resolve('dist/index.js')));
  const withDemo = createSandbox();
  const withoutDemo = createSandbox({ fixtures: { 'merchants.json': { merchants: [] } } });
  const written = [];
  const write = async (name, text) => {
    const file = join(ASSETS, name);
    await writeFile(file, text);
    written.push(file);
  };
  const writeServed = async (name, sandbox, path) => {
    const response = await sandbox.fetch(path);
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    await write(name, await response.text());
  };
  for (const [name, path] of Object.entries(SERVED)) await writeServed(name, withDemo, path);
  for (const [name, path] of Object.entries(SERVED_BY_DEMO)) {
    await writeServed(`${name}.htm`, withoutDemo, path);
    await writeServed(`${name}-demo.htm`, withDemo, path);
  }
  return written;
}
