/* Bundling, for the published code and for the servers that the benchmarks compare it with. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, relative, resolve as resolvePath } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

/** Leaves out zod's messages in other languages, which are half of its code. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** A path that is the same on every machine, because comments in a bundle name its sources. */
const portable = (file) => relative('.', file).replaceAll('\\', '/');

/** Compresses a large file: gzip, as base64. */
export const packed = async (file) =>
  gzipSync(await readFile(file), { level: 9 }).toString('base64');

/** Imports a file as text with `?raw`, or compressed with `?gzip`. */
export const rawText = {
  name: 'raw-text',
  setup({ onResolve, onLoad, resolve: find }) {
    onResolve({ filter: /\?raw$/ }, async ({ path, ...from }) => {
      const file = path.slice(0, -'?raw'.length);
      const found = await find(file, { ...from });
      if (!found.external) {
        return { ...found, path: portable(found.path), namespace: 'raw-text' };
      }
      // Even if packages are external, their served files are bundled.
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

/** Browsers since 2024. Their features need no polyfills. */
const BROWSERS = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

/**
 * Bundles and minifies the code or the style sheet of a page: `text` is what a browser loads, `inputs` are the source
 * files.
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

/** `import script from './main.tsx?bundle'` imports the text that a browser loads. */
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

/** The same for vitest. */
export const bundledTextForVite = {
  name: 'bundled-text',
  enforce: 'pre',
  resolveId(id, importer) {
    const [, file, how] = /^(.+)\?(bundle|gzip)$/.exec(id) ?? [];
    if (!file || !importer) return undefined;
    // An opaque name, because Vite treats names with .css, .tsx or node_modules differently.
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
  // Modules allow tree shaking.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [englishOnly],
};

/** The imports of a bundled module, as esbuild writes them. */
const IMPORT = /^import (?:[^"'`;]+ from )?"[^"]+";\n/gm;
/** Its exports, at the end. */
const EXPORTS = /(?<=^|\n)export \{[^}]*\};\n$/;

/**
 * Bundles and minifies code whose functions keep their names, for stack traces: esbuild renames what a module declares,
 * but not the globals of a script, and a bundle without its imports and exports is one. `finish` edits the code.
 */
export async function bundleNamed(options, finish = (code) => code) {
  const result = await build({
    ...shared,
    ...options,
    minify: false,
    minifySyntax: true,
    write: false,
    plugins: [...shared.plugins, ...options.plugins],
  });
  for (const { path, text } of result.outputFiles) {
    const [exports = ''] = EXPORTS.exec(text) ?? [];
    const imports = text.match(IMPORT) ?? [];
    refuseOthers(imports, result.metafile.outputs[portable(path)].imports);
    const script = text.slice(0, text.length - exports.length).replace(IMPORT, '');
    const { code } = await transform(script, {
      minify: true,
      target: shared.target,
      // Node prints the whole line that an error comes from.
      lineLimit: 200,
    });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, finish(imports.join('') + code + exports));
  }
  return result;
}

/** Throws if a line that looks like an import is none: a line of a text that a program prints, for instance. */
function refuseOthers(imports, known) {
  const names = known.map(({ path }) => basename(path));
  for (const line of imports) {
    const [, from] = /"([^"]+)";\n$/.exec(line);
    const isKnown = known.some(({ path }) => path === from);
    if (isKnown || (from.startsWith('./') && names.includes(basename(from)))) continue;
    throw new Error(`The bundle has a text with a line that looks like an import: ${line}`);
  }
}

/**
 * Bundles a program into one CommonJS file that `bin/micro-insurance-sandbox.cjs` can start. Dynamic imports are in the
 * file too, and run only when needed.
 */
export const bundleProgram = (stdin, outfile, { plugins = [], ...options } = {}) =>
  bundleNamed(
    {
      ...options,
      stdin,
      outfile,
      format: 'cjs',
      platform: 'node',
      // Code from V8's cache cannot import, but it can require.
      supported: { 'dynamic-import': false },
      plugins,
    },
    stamped,
  );

/** Adds the hash of a bundle as its first line. The launcher uses it as the key of V8's code cache. */
export function stamped(code) {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  return `/*${hash}*/${code}`;
}
