/* Writes the published types. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const FOLDER = 'dist/types';

/** Packages that a test kit is for: whoever imports the kit has them. */
const PEERS = Object.keys(manifest.peerDependencies);

/**
 * Writes the types that are reachable from the entries, those for `import` and `require` and those for `import` alone.
 * Fails if they import another package. Modules may import the types of CommonJS but not the reverse, so all are
 * CommonJS, except for an entry of each module. Returns the written paths.
 */
export async function writeTypes(both, modules) {
  execFileSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.types.json'],
    {
      stdio: 'inherit',
    },
  );
  const written = [];
  const write = async (name, text) => {
    written.push(join(FOLDER, name));
    await writeFile(join(FOLDER, name), text);
  };
  const reached = new Set([...both, ...modules]);
  for (const name of reached) {
    const text = await readFile(join(FOLDER, `${name}.d.ts`), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) {
      if (PEERS.includes(from)) continue;
      if (!from.startsWith('.'))
        throw new Error(`The published types must not import ${from}: ${name}`);
      reached.add(join(dirname(name), from.replace(/\.(?:ts|js)$/, '')));
    }
    await write(
      `${name}.d.${modules.includes(name) ? 'm' : ''}ts`,
      text.replace(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'),
    );
  }
  for (const name of both)
    await write(`${name}.d.mts`, `export * from './${basename(name)}.js';\n`);
  await write('package.json', '{ "type": "commonjs" }\n');
  return written;
}
