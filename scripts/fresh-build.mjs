/* Builds what tests and benchmarks use of the published code, unless it is built. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds if anything has changed since the last build. vitest calls this before its tests. */
export function setup() {
  const sources = [
    'src',
    'fixtures',
    'openapi',
    'bin',
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/common-js.mjs',
    'scripts/types.mjs',
    'scripts/workers.mjs',
    'package.json',
  ];
  if (newest(sources) > builtAt())
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}

const newest = (paths) => Math.max(...paths.flatMap(filesBelow).map(changedAt));

const changedAt = (path) => statSync(path).mtimeMs;

function builtAt() {
  try {
    return changedAt('dist/types/index.d.ts');
  } catch {
    return 0;
  }
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
