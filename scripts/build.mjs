/*
 * Builds `dist/`:
 *   index.js, node.js   what programs import (ESM; parts they share are chunks beside them)
 *   front-page.js, inspector.js, reference.js   the pages and what they load, by programs and the command when somebody
 *                       asks (parts they share are chunks beside them, too)
 *   cli.cjs             the command, one lean file, with V8's code cache beside it
 *   types/              the types of index.js and node.js
 *   LICENSES.txt        the licences of the libraries that are bundled
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserInputs, bundledText, bundleProgram, rawText, shared } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** What is seldom asked for stays beside what is bundled, and is loaded when somebody asks. */
const PAGES = {
  'front-page': 'src/front-page/index.ts',
  inspector: 'src/inspector/index.ts',
  reference: 'src/openapi/reference.ts',
};

const leavesPages = {
  name: 'leaves-pages',
  setup({ onResolve }) {
    onResolve({ filter: /\.tsx?$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      const [name] = Object.entries(PAGES).find(([, source]) => source === file) ?? [];
      return name && { path: `./${name}.js`, external: true };
    });
  },
};

/** The command finds the published documents where they are published. */
const leavesDocuments = {
  name: 'leaves-documents',
  setup({ onResolve }) {
    onResolve({ filter: /\/openapi\/[\w.-]+\.json$/ }, ({ path }) => ({
      path: `../openapi/${basename(path)}`,
      external: true,
    }));
  },
};

/** The manifest is read for its version alone. */
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

const command = await bundleProgram('src/node/main.ts', 'dist/cli.cjs', [
  manifestVersion,
  leavesPages,
  leavesDocuments,
]);
const modules = {
  ...shared,
  outdir: 'dist',
  format: 'esm',
  platform: 'neutral',
  splitting: true,
  chunkNames: 'chunk-[hash]',
};
const library = await build({
  ...modules,
  entryPoints: { index: 'src/index.ts', node: 'src/node/index.ts' },
  external: ['node:*'],
  plugins: [...shared.plugins, manifestVersion, leavesPages],
});
const pages = await build({
  ...modules,
  entryPoints: PAGES,
  // The command needs these chunks as well.
  chunkNames: 'page-[hash]',
  plugins: [...shared.plugins, rawText, bundledText],
});
const metafiles = [command, library, pages].map(({ metafile }) => metafile);
await removeStale(metafiles.flatMap(({ outputs }) => Object.keys(outputs)));
await writeLicences([...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...browserInputs]);
await writeTypes(['index.d.ts', 'node/index.d.ts']);
await warmUp().catch((error) => console.warn(`Built without a code cache: ${error.message}`));

/** Removes what an earlier build left; what is in use meanwhile is never gone for a moment. */
async function removeStale(outputs) {
  for (const entry of await readdir('dist', { withFileTypes: true })) {
    const file = `dist/${entry.name}`;
    if (entry.isFile() && !outputs.includes(file)) await rm(file);
  }
  await rm('dist/code', { recursive: true, force: true });
}

/** Bundled libraries are given on under their own licences, whose texts go with them. */
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

/** Starts the command and asks for a quote, so that the code V8 compiles for that is kept beside it. */
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

/** Publishes the types that are reachable from the entries, and refuses any that need another package. */
async function writeTypes(entries) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const reached = new Set(entries);
  for (const file of reached) {
    const text = await readFile(join('dist/types', file), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) {
      if (!from.startsWith('.')) throw new Error(`The published types need ${from}: ${file}`);
      reached.add(join(dirname(file), from.replace(/\.ts$/, '.d.ts')));
    }
    await writeFile(join('dist/types', file), text.replace(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
  for (const file of await readdir('dist/types', { recursive: true })) {
    if (file.endsWith('.d.ts') && !reached.has(file)) await rm(join('dist/types', file));
  }
}
