/*
 * Builds `dist/`:
 *   index.js, node.js     what programs import (ESM; parts they share are chunks beside them)
 *   documents.js, …       what is loaded when somebody asks for it, shared by the programs and the command
 *   cli.cjs               the command, one lean file, with V8's code cache beside it
 *   types/                the types of index.js and node.js
 *   LICENSES.txt          the licences of the libraries that are bundled
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** Text that is served as it is. */
const rawText = {
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

/** What is imported when it is first needed stays outside the bundle; the parts found are collected. */
const laterParts = (found) => ({
  name: 'later-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      found.add(relative(root, resolve(resolveDir, path)));
      return { path: `./${basename(path, '.ts')}.js`, external: true };
    });
  },
});

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

const shared = {
  bundle: true,
  minify: true,
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

const parts = new Set();
const command = await build({
  ...shared,
  entryPoints: ['src/node/main.ts'],
  outfile: 'dist/cli.cjs',
  format: 'cjs',
  platform: 'node',
  plugins: [manifestVersion, laterParts(parts)],
});
await stamp('dist/cli.cjs');
const library = await build({
  ...shared,
  entryPoints: [
    { in: 'src/index.ts', out: 'index' },
    { in: 'src/node/index.ts', out: 'node' },
    ...[...parts].map((part) => ({ in: part, out: basename(part, '.ts') })),
  ],
  outdir: 'dist',
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['node:*'],
  splitting: true,
  chunkNames: 'parts/[hash]',
  plugins: [manifestVersion, rawText],
});
await removeStale(['dist', 'dist/parts'], {
  ...command.metafile.outputs,
  ...library.metafile.outputs,
});
await writeLicences({ ...command.metafile.inputs, ...library.metafile.inputs });
await writeTypes(['index.d.ts', 'node/index.d.ts']);
await warmUp().catch((error) => console.warn(`Built without a code cache: ${error.message}`));

/** Removes what an earlier build left; what is in use meanwhile is never gone for a moment. */
async function removeStale(folders, outputs) {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = `${folder}/${entry.name}`;
      if (entry.isFile() && !(file in outputs)) await rm(file);
    }
  }
  await rm('dist/code', { recursive: true, force: true });
}

/** Bundled libraries are given on under their own licences, whose texts go with them. */
async function writeLicences(inputs) {
  const libraries = new Set();
  for (const input of Object.keys(inputs)) {
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

/**
 * Begins a bundle with its hash, by which the launcher keeps the code that V8 compiled of it. Kept code
 * has lost the way to load modules, so the launcher lends its own, under the name `importLater`.
 */
async function stamp(file) {
  const text = (await readFile(file, 'utf8')).replace(/\bimport\(/g, 'importLater(');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  await writeFile(file, `/*${hash}*/${text}`);
}
