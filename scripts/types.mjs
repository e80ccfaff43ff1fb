/* Writes the published types. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/** Packages that a test kit is for: whoever imports the kit has them. */
const PEERS = Object.keys(manifest.peerDependencies);

/**
 * Writes the types that are reachable from each list of entries. Fails if they import another package. Returns the paths
 * for each list.
 */
export async function writeTypes(...lists) {
  execFileSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.types.json'],
    {
      stdio: 'inherit',
    },
  );
  const written = [];
  for (const entries of lists) written.push(await writeReachable(entries));
  return written;
}

async function writeReachable(entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    const text = await readFile(join('dist/types', file), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) {
      if (PEERS.includes(from)) continue;
      if (!from.startsWith('.'))
        throw new Error(`The published types must not import ${from}: ${file}`);
      reached.add(join(dirname(file), from.replace(/\.(?:ts|js)$/, '.d.ts')));
    }
    await writeFile(join('dist/types', file), text.replace(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
  return [...reached].map((file) => join('dist/types', file));
}
