/*
 * Builds `dist/`:
 *   index.js, node.js   the modules for programs (ESM; shared parts are chunks)
 *   vitest.js, playwright.js   the kits for test runners, which share the chunks
 *   cli.cjs             the command and what programs require, in one file
 *   index.cjs, node.cjs, playwright.cjs   the entries for `require`
 *   mcp-library.cjs     the MCP library, loaded on demand
 *   code/               V8's code cache of both for the command
 *   assets/             the browser files of the pages
 *   workers-assets/     the published documents, Scalar, and the other static assets of the Worker
 *   workers.js          the Worker in one file
 *   types/              the types of both
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
import {
  bundleForBrowser,
  bundleNamed,
  bundleProgram,
  packed,
  shared,
  stamped,
} from './bundle.mjs';
import { commonJsEntry, moduleOf, readerOf, writeCommonJs } from './common-js.mjs';
import { writeTypes } from './types.mjs';
import { buildWorker, writeStaticAssets } from './workers.mjs';

const onlyCommand = process.argv.includes('--command');
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** What programs import. */
const LIBRARY = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  vitest: 'src/kit/vitest.ts',
  playwright: 'src/kit/playwright.ts',
};

/** vitest runs modules only. */
const { vitest: _, ...REQUIRED } = LIBRARY;

const MCP_LIBRARY = 'src/tools/mcp/library.ts';

/** The MCP library is a file of its own, which `import` and `require` share. */
const leavesMcpLibrary = {
  name: 'leaves-mcp-library',
  setup({ onResolve }) {
    onResolve({ filter: /\/library\.ts$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path) === resolve(MCP_LIBRARY)
        ? { path: './mcp-library.cjs', external: true }
        : undefined,
    );
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
 * Leaves out HTTP/2 of `@hono/node-server`, for a faster start. The sandbox serves HTTP/1.1, and the library only asks
 * whether a request is one of HTTP/2.
 */
const servesHttp1 = {
  name: 'serves-http1',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]@hono[\\/]node-server[\\/]/.test(importer)
        ? { path: 'http2', namespace: 'no-http2' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-http2' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {};',
    }));
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

/** The files with large data by their sources. */
const data = new Map();
const browserInputs = new Set();

/** Large data is written to separate files, which `import` and `require` share. */
const leavesData = (found) => ({
  name: 'leaves-data',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/openapi\/[\w.-]+\.json$|\?(raw|gzip|bundle)$/ }, async (args) => {
      const source = resolve(args.resolveDir, args.path);
      if (!data.has(source)) data.set(source, writeData(source));
      return found(await data.get(source));
    });
    onLoad({ filter: /.*/, namespace: 'data' }, ({ path }) => ({ contents: readerOf(path) }));
  },
});

/** Writes a data file and returns its path in `dist`. */
async function writeData(source) {
  const [file, how] = source.split('?');
  const name = relative(join(root, 'src'), file)
    .replace(/^.*node_modules[\\/]/, '')
    .replaceAll(/[\\/]/g, '-');
  const write = async (path, value) => {
    await mkdir(join('dist', dirname(path)), { recursive: true });
    await writeFile(join('dist', path), moduleOf(value));
    return path;
  };
  if (!how) {
    const document = JSON.parse(await readFile(file, 'utf8'));
    return write(`workers-assets/static/${basename(file, '.json')}.js`, document);
  }
  if (how === 'bundle') {
    const { text, inputs } = await bundleForBrowser(file);
    for (const input of inputs) browserInputs.add(input);
    return write(`assets/${name}.js`, text);
  }
  browserInputs.add(relative(root, file).replaceAll('\\', '/'));
  return how === 'gzip'
    ? write('workers-assets/static/scalar.gzip.js', await packed(file))
    : write(`assets/${name}.js`, await readFile(file, 'utf8'));
}

const PEERS = Object.keys(manifest.peerDependencies);

const command = await bundleProgram(
  { contents: commonJsEntry(REQUIRED), resolveDir: root },
  'dist/cli.cjs',
  {
    external: PEERS,
    plugins: [
      manifestVersion,
      leavesMcpLibrary,
      leavesData((path) => ({ path, namespace: 'data' })),
      startsNoPrograms,
      servesHttp1,
      loadsHttpLater,
    ],
  },
);
const library = onlyCommand
  ? []
  : [
      await bundleNamed({
        entryPoints: LIBRARY,
        outdir: 'dist',
        format: 'esm',
        platform: 'neutral',
        splitting: true,
        chunkNames: 'chunk-[hash]',
        external: ['node:*', ...PEERS],
        plugins: [
          manifestVersion,
          leavesMcpLibrary,
          leavesData((path) => ({ path: `./${path}`, external: true })),
          loadsHttpLater,
        ],
      }),
    ];
const mcp = await build({
  ...shared,
  entryPoints: [MCP_LIBRARY],
  outfile: 'dist/mcp-library.cjs',
  format: 'cjs',
  platform: 'node',
  // Without the validator for Node, which is larger than the rest and never used.
  conditions: ['browser'],
  write: false,
});
for (const { path, text } of mcp.outputFiles) await writeFile(path, stamped(text));
const worker = onlyCommand ? [] : [await buildWorker([manifestVersion])];
const metafiles = [command, ...library, mcp, ...worker].map(({ metafile }) => metafile);
await writeLicences([...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...browserInputs]);
await removeStale([
  ...metafiles.flatMap(({ outputs }) => Object.keys(outputs)),
  ...(await Promise.all(data.values())).map((path) => join('dist', path)),
  ...(onlyCommand ? [] : await writeForImporters()),
  'dist/LICENSES.txt',
]);
await warmUp().catch((error) => console.warn(`Built without a code cache: ${error.message}`));

/** Writes the entries for `require`, the types, and the static assets. */
async function writeForImporters() {
  return [
    ...(await writeCommonJs(REQUIRED)),
    ...(await writeTypes(['index', 'node', 'kit/playwright'], ['workers/index', 'kit/vitest'])),
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
