/* How code is bundled: the same for what is published and for what the benchmarks compare it with. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, relative, resolve as resolvePath } from 'node:path';
import { gzipSync } from 'node:zlib';
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

/** A file by a name that is the same on every machine: a bundle says in comments what it is made of. */
const portable = (file) => relative('.', file).replaceAll('\\', '/');

/** What is large is kept compressed: gzip, as base64. */
export const packed = async (file) =>
  gzipSync(await readFile(file), { level: 9 }).toString('base64');

/** Text that is served as it is, or compressed where it is asked for so. */
export const rawText = {
  name: 'raw-text',
  setup({ onResolve, onLoad, resolve: find }) {
    onResolve({ filter: /\?raw$/ }, async ({ path, ...from }) => {
      const file = path.slice(0, -'?raw'.length);
      const found = await find(file, { ...from });
      if (!found.external) {
        return { ...found, path: portable(found.path), namespace: 'raw-text' };
      }
      // Where packages are left outside, what is served of one is not.
      const { resolve } = createRequire(`${from.resolveDir}/`);
      return { path: portable(resolve(file)), namespace: 'raw-text' };
    });
    onLoad({ filter: /.*/, namespace: 'raw-text' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
    onResolve({ filter: /\?gzip$/ }, ({ path, resolveDir }) => ({
      path: portable(resolvePath(resolveDir, path.slice(0, -'?gzip'.length))),
      namespace: 'gzip',
    }));
    onLoad({ filter: /.*/, namespace: 'gzip' }, async ({ path }) => ({
      contents: await packed(path),
      loader: 'text',
    }));
  },
};

/** Browsers since 2024: what they know already is not written out for older ones. */
const BROWSERS = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

/**
 * The code or the style sheet of a page with everything it imports, small: `text` is what a browser
 * loads, `inputs` are the files it is made of.
 */
export async function bundleForBrowser(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    loader: { '.svg': 'dataurl' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return { text: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

/** `import script from './main.tsx?bundle'` is the text that a browser loads. */
export const bundledText = {
  name: 'bundled-text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?bundle$/ }, ({ path, resolveDir }) => ({
      path: portable(resolvePath(resolveDir, path.slice(0, -'?bundle'.length))),
      namespace: 'bundled-text',
    }));
    onLoad({ filter: /.*/, namespace: 'bundled-text' }, async ({ path }) => {
      const { text, inputs } = await bundleForBrowser(path);
      return {
        contents: text,
        loader: 'text',
        watchFiles: inputs.map((input) => resolvePath(input)),
      };
    });
  },
};

const VIRTUAL = '\0bundled-text:';

/** The same where vitest loads the source. */
export const bundledTextForVite = {
  name: 'bundled-text',
  enforce: 'pre',
  resolveId(id, importer) {
    const [, file, how] = /^(.+)\?(bundle|gzip)$/.exec(id) ?? [];
    if (!file || !importer) return undefined;
    // A name of its own: what ends in .css or .tsx, or lies in node_modules, would be taken for something else.
    const name = Buffer.from(resolvePath(dirname(importer), file)).toString('base64url');
    return `${VIRTUAL}${how}-${name}.js`;
  },
  async load(id) {
    if (!id.startsWith(VIRTUAL)) return undefined;
    const [, how, name] = /^(bundle|gzip)-(.+)\.js$/.exec(id.slice(VIRTUAL.length)) ?? [];
    const file = Buffer.from(name, 'base64url').toString();
    if (how === 'gzip') return `export default ${JSON.stringify(await packed(file))};`;
    const { text, inputs } = await bundleForBrowser(file);
    for (const input of inputs) this.addWatchFile(resolvePath(input));
    return `export default ${JSON.stringify(text)};`;
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
