/*
 * Builds `dist/`:
 *   index.js, node.js   the modules for programs (ESM, not minified; shared parts are chunks)
 *   vitest.js, playwright.js   the kits for test runners, which share the chunks
 *   front-page.js, inspector.js, reference.js   the pages, loaded on demand (shared parts are chunks too)
 *   mcp-library.js      the MCP library, loaded on demand
 *   assets/, documents/ the browser files of the pages, and the published documents
 *   cjs/                the same for `require`, with types
 *   workers.js          the Worker in one file, with its static assets in workers-assets/
 *   types/              the types of the modules
 *   cli.cjs             the command in one file, with V8's code cache next to it
 *   LICENSES.txt        the licences of the bundled libraries
 * `--command` builds only what the command needs, with fewer packages: see `build-packages.mjs`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { bundleForBrowser, bundleProgram, packed, shared } from './bundle.mjs';
import { moduleOf, writeCommonJs, writeCommonJsTypes } from './common-js.mjs';
import { writeTypes } from './types.mjs';
import { buildWorker, writeStaticAssets } from './workers.mjs';

const onlyCommand = process.argv.includes('--command');
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** The pages are separate files that are loaded on demand. */
const PAGES = {
  'front-page': 'src/ui/front-page/page.tsx',
  inspector: 'src/ui/inspector/page.tsx',
  reference: 'src/ui/reference/reference.ts',
};

/** What programs import. */
const LIBRARY = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  vitest: 'src/kit/vitest.ts',
  playwright: 'src/kit/playwright.ts',
};

/** vitest runs modules only. */
const MODULES_ONLY = ['dist/vitest.js'];

/** Every file that is loaded on demand, by its name in `dist`. */
const ON_DEMAND = { ...PAGES, 'mcp-library': 'src/tools/mcp/library.ts' };

const leavesOnDemand = {
  name: 'leaves-on-demand',
  setup({ onResolve }) {
    onResolve({ filter: /\.tsx?$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      const [name] = Object.entries(ON_DEMAND).find(([, source]) => source === file) ?? [];
      return name && { path: `./${name}.js`, external: true };
    });
  },
};

/** The command reads the published documents from `openapi/`. */
const leavesDocuments = {
  name: 'leaves-documents',
  setup({ onResolve }) {
    onResolve({ filter: /\/openapi\/[\w.-]+\.json$/ }, ({ path }) => ({
      path: `../openapi/${basename(path)}`,
      external: true,
    }));
  },
};

/** Only the version of the manifest is bundled. */
const manifestVersion = {
  name: 'manifest-version',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (dirname(path) !== root.replace(/[\\/]$/, '')) return undefined;
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** Leaves out Commander's support for external commands, for a faster start. */
const startsNoPrograms = {
  name: 'starts-no-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
        ? { path: 'child_process', namespace: 'no-programs' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-programs' }, () => ({ contents: '' }));
  },
};

/**
 * Loads Node's HTTP module when the code runs. An `import` of it loads undici in Node 22 and later, before any code runs:
 * where the platform's classes are missing that fails, and nobody would read which environment to use
 * (`src/world/platform.ts`).
 */
const loadsHttpLater = {
  name: 'loads-http-later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'built-in' }));
    onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

const data = new Set();
const browserInputs = new Set();

/** Large data is written to separate files, which `import` and `require` share. */
const leavesData = {
  name: 'leaves-data',
  setup({ onResolve }) {
    const leave = async (folder, name, value) => {
      const file = `${folder}/${name}.js`;
      await mkdir(`dist/${folder}`, { recursive: true });
      await writeFile(`dist/${file}`, moduleOf(value));
      data.add(`dist/${file}`);
      return { path: `./${file}`, external: true };
    };
    onResolve({ filter: /\/openapi\/[\w.-]+\.json$/ }, async ({ path, resolveDir }) =>
      leave(
        'documents',
        basename(path, '.json'),
        JSON.parse(await readFile(join(resolveDir, path), 'utf8')),
      ),
    );
    onResolve({ filter: /\?(raw|gzip|bundle)$/ }, async ({ path, resolveDir }) => {
      const [file, how] = resolve(resolveDir, path).split('?');
      const name = relative(join(root, 'src'), file)
        .replace(/^.*node_modules[\\/]/, '')
        .replaceAll(/[\\/]/g, '-');
      if (how === 'gzip') {
        browserInputs.add(relative(root, file));
        return leave('workers-assets/static', 'scalar.gzip', await packed(file));
      }
      if (how === 'raw') {
        browserInputs.add(file.replaceAll('\\', '/'));
        return leave('assets', name, await readFile(file, 'utf8'));
      }
      const { text, inputs } = await bundleForBrowser(file);
      for (const input of inputs) browserInputs.add(input);
      return leave('assets', name, text);
    });
  },
};

const command = await bundleProgram('src/command/main.ts', 'dist/cli.cjs', [
  manifestVersion,
  leavesOnDemand,
  leavesDocuments,
  startsNoPrograms,
]);
const modules = {
  ...shared,
  // Readable in stack traces.
  minify: false,
  outdir: 'dist',
  format: 'esm',
  platform: 'neutral',
  splitting: true,
  chunkNames: 'chunk-[hash]',
};
const library = onlyCommand
  ? []
  : [
      await build({
        ...modules,
        entryPoints: LIBRARY,
        external: ['node:*', ...Object.keys(manifest.peerDependencies)],
        plugins: [...shared.plugins, manifestVersion, leavesOnDemand, leavesData, loadsHttpLater],
      }),
    ];
const pages = await build({
  ...modules,
  entryPoints: PAGES,
  // The command needs these chunks as well.
  chunkNames: 'page-[hash]',
  plugins: [...shared.plugins, leavesData],
});
const mcp = await build({
  ...modules,
  minify: true,
  entryPoints: { 'mcp-library': ON_DEMAND['mcp-library'] },
  splitting: false,
  // Without the validator for Node, which is larger than the rest and never used.
  conditions: ['browser'],
});
const worker = onlyCommand ? [] : [await buildWorker([manifestVersion])];
const metafiles = [command, ...library, pages, mcp, ...worker].map(({ metafile }) => metafile);
await writeLicences([...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...browserInputs]);
await removeStale([
  ...metafiles.flatMap(({ outputs }) => Object.keys(outputs)),
  ...data,
  ...(onlyCommand ? [] : await writeForImporters([...library, pages, mcp])),
  'dist/LICENSES.txt',
]);
await warmUp().catch((error) => console.warn(`Built without a code cache: ${error.message}`));

/** Writes the CommonJS version, the types of both, and the static assets. */
async function writeForImporters(builds) {
  const outputs = builds
    .flatMap(({ metafile }) => Object.keys(metafile.outputs))
    .filter((file) => !MODULES_ONLY.includes(file));
  const written = await writeCommonJs(outputs, [...data]);
  const [types, ofModules] = await writeTypes(
    ['index.d.ts', 'node.d.ts', 'kit/playwright.d.ts'],
    ['workers/index.d.ts', 'kit/vitest.d.ts'],
  );
  return [
    ...[...written, ...types, ...ofModules, ...(await writeCommonJsTypes(types))],
    ...(await writeStaticAssets()),
  ];
}

/** Removes files of earlier builds. Files in use are never missing, not even for a moment. */
async function removeStale(outputs) {
  await rm('dist/code', { recursive: true, force: true });
  const kept = new Set(outputs.map((file) => relative('dist', file)));
  for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(relative('dist', file))) await rm(file);
  }
}

/** Writes the licences of the bundled libraries. */
async function writeLicences(inputs) {
  const libraries = new Set();
  for (const input of inputs) {
    const [, name] = /(?:^|\/|:)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (name) libraries.add(name);
  }
  const texts = [];
  for (const name of [...libraries].sort()) {
    const folder = join('node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    texts.push(`${name} ${version} (${license})`);
    for (const file of (await readdir(folder)).sort()) {
      if (/^(licen[cs]e|notice)/i.test(file))
        texts.push(await readFile(join(folder, file), 'utf8'));
    }
  }
  await writeFile('dist/LICENSES.txt', `${texts.map((text) => text.trim()).join('\n\n')}\n`);
}

/** Starts the command and requests a quote, to fill V8's code cache. */
async function warmUp() {
  const command = spawn(
    process.execPath,
    ['bin/micro-insurance-sandbox.cjs', '--port', '0', '--json'],
    {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const patience = { signal: AbortSignal.timeout(10_000) };
  const [line] = await once(command.stdout, 'data', patience);
  const { url, key } = JSON.parse(line);
  await fetch(`${url}/api/merchant/micro_health/get_quote`, {
    ...patience,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' }),
  });
  command.kill();
  await once(command, 'exit', patience);
}
