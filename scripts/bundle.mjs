/* How code is bundled: the same for what is published and for what the benchmarks compare it with. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** Messages of zod in other languages are half of its code, and nobody here asks for them. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Text that is served as it is. */
export const rawText = {
  name: 'raw-text',
  setup({ onResolve, onLoad, resolve: find }) {
    onResolve({ filter: /\?raw$/ }, async ({ path, ...from }) => {
      const found = await find(path.slice(0, -'?raw'.length), { ...from });
      return { ...found, namespace: 'raw-text' };
    });
    onLoad({ filter: /.*/, namespace: 'raw-text' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
  },
};

export const shared = {
  bundle: true,
  minify: true,
  target: 'node20',
  // What a package offers as modules is bundled without what nobody uses of it.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [englishOnly],
};

/**
 * Bundles a program into one CommonJS file that `bin/micro-insurance-sandbox.cjs` can start. What it imports
 * later is in the file too, and runs only then.
 */
export async function bundleProgram(entry, outfile, plugins = []) {
  const result = await build({
    ...shared,
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    platform: 'node',
    // Code that V8 has kept can't import, but it can require; what it requires may be a module.
    supported: { 'dynamic-import': false },
    plugins: [...shared.plugins, ...plugins],
  });
  await stamp(outfile);
  return result;
}

/** Begins a bundle with its hash, by which the launcher keeps the code that V8 compiled of it. */
async function stamp(file) {
  const text = await readFile(file, 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  await writeFile(file, `/*${hash}*/${text}`);
}
