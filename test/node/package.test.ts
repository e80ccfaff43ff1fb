import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** The paths of the published files. */
let published: readonly string[];
let packedBytes: number;
beforeAll(async () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', pack);
  const [{ files, size }] = JSON.parse(stdout);
  published = files.map(({ path }: { path: string }) => path);
  packedBytes = size;
});

describe('the package', () => {
  test('contains the published files only', () => {
    expect([...new Set(published.map((path) => path.split('/')[0]))].sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'examples'],
      ...['fixtures', 'openapi', 'package.json', 'skills'],
    ]);
    const examples = published.filter((path) => path.startsWith('examples/'));
    const { stdout } = spawnSync('git', ['ls-files', 'examples'], { encoding: 'utf8' });
    expect(examples.toSorted()).toEqual(stdout.trim().split('\n').toSorted());
    expect(published.filter((path) => path.startsWith('dist/code'))).toEqual([]);
    const fixtures = readdirSync('fixtures', { recursive: true, encoding: 'utf8' });
    expect(published).toEqual(
      expect.arrayContaining(
        fixtures.filter((name) => name.endsWith('.json')).map((name) => join('fixtures', name)),
      ),
    );
  });

  test('contains the files that its pages link to', () => {
    // Files that only a clone has.
    const leftOut = /^(?:bench|\.github)\/|^(?:CONTRIBUTING\.md|action\.yml)$/;
    const texts = published.filter((name) => name.endsWith('.md'));
    expect(texts).toContain('docs/clients.md');
    for (const name of texts) {
      for (const [, link] of readFileSync(name, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        const path = join(dirname(name), link as string);
        const isThere = published.some((each) => each === path || each.startsWith(`${path}/`));
        expect(leftOut.test(path) || isThere, link).toBe(true);
      }
    }
  });

  test.each([
    ['import', () => import(`../../dist/${'index'}.js`)],
    ['require', () => createRequire(import.meta.url)(manifest.name)],
  ])('%s: keeps function names in stacks, and lines short', async (_, load) => {
    const { createSandbox } = await load();
    const options = {
      get now() {
        throw new Error('mine');
      },
    };
    expect(() => createSandbox(options)).toThrow(
      expect.objectContaining({
        stack: expect.stringMatching(/at openSandbox \(.+:\d+:\d{1,3}\)/),
      }),
    );
  });

  test('runs without Node: createSandbox imports none of its modules', () => {
    const reached = new Set(['index.js']);
    for (const file of reached) {
      const code = readFileSync(join('dist', file), 'utf8');
      expect(code, file).not.toMatch(/["']node:|\brequire\(/);
      for (const [, name] of code.matchAll(/from ?"\.\/([\w/-]+\.js)"/g))
        reached.add(join(dirname(file), name as string));
    }
    expect(reached.size).toBeGreaterThan(1);
  });

  test('is at most 2.5 MB', () => {
    expect(packedBytes).toBeLessThan(2_500_000);
  });

  test('serves its pages to programs that require it', async () => {
    const { createSandbox } = createRequire(import.meta.url)('../../dist/index.cjs');
    const sandbox = createSandbox();
    for (const path of ['/', '/_sandbox', '/docs', '/docs/assets/scalar.js', '/openapi.json']) {
      expect((await sandbox.fetch(path)).status, path).toBe(200);
    }
  });

  test('has a small Worker of one module, without the static assets', () => {
    const worker = readFileSync('dist/workers.js', 'utf8');
    const imports = worker.matchAll(/(?:^|;)\s*(?:import|export)\b[^;]*?\bfrom\s*"([^"]+)"/gm);
    expect(new Set([...imports].map(([, name]) => name))).toEqual(new Set(['cloudflare:workers']));
    expect(/@scalar|#\/components\/schemas\/[A-Z]/.exec(worker)?.[0]).toBeUndefined();
    // A third of the limit of the smallest plan.
    expect(gzipSync(worker).length).toBeLessThan(1024 ** 2);
    expect(readdirSync('dist/workers-assets/static').sort()).toEqual([
      ...[
        'assumptions.htm',
        'control-plane-3.0.js',
        'control-plane.js',
        'docs-control-demo.htm',
        'docs-control.htm',
      ],
      ...['docs-demo.htm', 'docs.htm', 'merchant-api-3.0.js', 'merchant-api.js'],
      ...['reference.css', 'reference.js', 'scalar.gzip.js'],
    ]);
  });
});
