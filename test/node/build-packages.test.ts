import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILD_PACKAGES } from '../../scripts/build-packages.mjs';

/** The packages that a source imports, except for types, which a build does not need. */
function packagesIn(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]+;/gm, '');
  return (
    [
      ...code.matchAll(
        /(?:from|^import|import\() ?'(?:(?:\.\.\/)+node_modules\/)?([@\w][\w./?-]*)'/gm,
      ),
    ]
      .map(([, name]) => name as string)
      // Samples in texts import the package itself.
      .filter((name) => !name.startsWith('node:') && name !== 'micro-insurance-sandbox')
      .map((name) => /^(?:@[^/]+\/)?[^/?]+/.exec(name)?.[0] as string)
  );
}

/** The peer dependencies of a package. */
function peersOf(name: string): string[] {
  const text = readFileSync(join('node_modules', name, 'package.json'), 'utf8');
  return Object.keys(JSON.parse(text).peerDependencies ?? {});
}

/** The command does not have them; whoever uses one has its test runner. */
const KITS = /^kit.(vitest|playwright)/;

test('the image is built with only the packages that the command needs', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !KITS.test(file))
    .map((file) => join('src', file));
  const files = [...sources, 'scripts/build.mjs', 'scripts/bundle.mjs'];
  const imported = files.flatMap(packagesIn);
  expect([...new Set([...imported, ...imported.flatMap(peersOf)])].sort()).toEqual([
    ...BUILD_PACKAGES,
  ]);
});

test('how-it-works.md names every library of ours that the package bundles', () => {
  const licences = readFileSync('dist/LICENSES.txt', 'utf8');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const page = readFileSync('docs/how-it-works.md', 'utf8').replaceAll(
    'Scalar',
    '@scalar/fastify-api-reference',
  );
  const bundled = Object.keys(devDependencies).filter((name) =>
    licences.includes(`${name} ${devDependencies[name]} (`),
  );
  expect(bundled.length).toBeGreaterThan(10);
  expect(bundled.filter((name) => !page.includes(name))).toEqual([]);
});

test('the release publishes what a job without write permissions built, and runs no code of packages', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
  const jobs = new Map(
    workflow.split(/^ {2}(?=\w+:\n)/m).map((job) => [job.slice(0, job.indexOf(':')), job]),
  );
  const permissionsOf = (name: string) =>
    [...(jobs.get(name)?.matchAll(/^ {6}([\w-]+): (read|write)\b/gm) ?? [])].map((found) =>
      found.slice(1).join(' '),
    );
  expect(permissionsOf('build')).toEqual(['contents read']);
  expect(permissionsOf('package')).toEqual(['contents write', 'id-token write']);
  expect(jobs.get('build')).toContain('npm ci');
  expect(jobs.get('package')).not.toMatch(/checkout|npm (ci|install|run|pack)|npx|node /);
  for (const [, used] of workflow.matchAll(/uses: (?!\.\/)(\S+)/g))
    expect(used).toMatch(/@[0-9a-f]{40}$/);
});
