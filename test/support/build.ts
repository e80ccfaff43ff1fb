import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds before the tests if anything has changed, because some tests use the published code. */
export function setup(): void {
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

const newest = (paths: readonly string[]): number =>
  Math.max(...paths.flatMap(filesBelow).map(changedAt));

const changedAt = (path: string): number => statSync(path).mtimeMs;

function builtAt(): number {
  try {
    return changedAt('dist/types/index.d.ts');
  } catch {
    return 0;
  }
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
