import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { newFolder } from './command.ts';

const execute = promisify(execFile);
const folder = newFolder();
const inFolder = { cwd: folder };
const installed = join(folder, 'node_modules', manifest.name);
const NODE = process.execPath;

/** What is packed changes package.json, which other tests read meanwhile: it is done to a copy. */
const checkout = join(folder, 'checkout');
const inCheckout = { cwd: checkout };
const manifestScript = (name: 'strip' | 'restore') =>
  execute(NODE, ['scripts/manifest.mjs', name], inCheckout);

/** Installs the package as npm would fetch it, into an empty folder. */
beforeAll(async () => {
  const copied = ['README.md', 'LICENSE', 'package.json', 'scripts/manifest.mjs'];
  for (const name of [...copied, ...manifest.files.filter((name) => !name.startsWith('!'))])
    cpSync(name, join(checkout, name), { recursive: true });
  await manifestScript('strip');
  // Without scripts: the build stands.
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts'], inCheckout);
  await manifestScript('restore');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quick = ['--no-audit', '--no-fund', '--offline'];
  await execute('npm', ['install', ...quick, join(checkout, stdout.trim())], inFolder);
});

/** What is loaded when somebody asks. */
const LATE = [
  ...['/openapi.json', '/openapi-3.0.json', '/_sandbox/openapi.json'],
  ...['/', '/docs', '/docs/control', '/docs/assumptions', '/docs/assets/scalar.js', '/_sandbox'],
  ...['/_sandbox/assets/inspector.js', '/_sandbox/assets/front-page.css', '/favicon.ico'],
];

describe('the installed package', () => {
  test('needs no other package and holds what is published, nothing else', () => {
    expect(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual([manifest.name]);
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'fixtures',
      'openapi',
      'package.json',
    ]);
    expect(readdirSync(join(installed, 'dist'))).not.toContain('code');
    expect(readdirSync(join(installed, 'fixtures'))).toEqual(readdirSync('fixtures'));
  });

  // What only a clone has: the package is what runs, and what its users read.
  const LEFT_OUT = /^(?:examples|bench|\.github)\/|^(?:CONTRIBUTING\.md|action\.yml|examples)$/;

  test('brings along what its texts link to', () => {
    const texts = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(texts).toContain(join('docs', 'clients.md'));
    for (const name of texts) {
      const text = readFileSync(join(installed, name), 'utf8');
      for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        const path = join(dirname(name), link as string);
        expect(LEFT_OUT.test(path) || existsSync(join(installed, path)), link).toBe(true);
      }
    }
  });

  test('gives the command', async () => {
    const command = join(folder, 'node_modules', '.bin', manifest.name);
    expect((await execute(command, ['--version'], inFolder)).stdout).toBe(`${manifest.version}\n`);
    const { stdout } = await execute(command, ['openapi', '--version', '3.0'], inFolder);
    expect(JSON.parse(stdout).openapi).toMatch(/^3\.0\./);
  });

  test.each([
    [
      'import',
      'use.mjs',
      `import { createSandbox, ControlError } from '${manifest.name}';
       import { startSandbox, ControlError as same } from '${manifest.name}/node';
       import { createRequire } from 'node:module';
       const require = createRequire(import.meta.url);`,
    ],
    [
      'require',
      'use.cjs',
      `const { createSandbox, ControlError } = require('${manifest.name}');
       const { startSandbox, ControlError: same } = require('${manifest.name}/node');`,
    ],
  ])(
    'serves in process and over a socket, with its documents and its pages, by %s',
    async (_, file, opening) => {
      writeFileSync(
        join(folder, file),
        `${opening}
         const use = async () => {
           const sandbox = createSandbox({ now: '2026-11-30T10:00:00Z', clock: 'frozen' });
           const merchant = sandbox.createMerchant();
           const headers = { authorization: 'Bearer ' + merchant.apiKey };
           const list = 'http://sandbox/api/merchant/micro_health/all_subscriptions';
           const answer = await sandbox.fetch(new Request(list, { headers }));
           const server = await startSandbox({ port: 0 });
           const statuses = [];
           for (const path of ${JSON.stringify(LATE)}) statuses.push((await fetch(server.url + path)).status);
           await server.close();
           const refusal = (work) => { try { work(); } catch (error) { return error; } };
           const refused = refusal(() => sandbox.merchant('sk_nobody'));
           return {
             status: answer.status,
             advanced: merchant.clock.advance('PT15M').now,
             statuses,
             oneClass: ControlError === same && refused instanceof ControlError,
             stack: refusal(() => createSandbox({ get now() { throw new Error('mine'); } })).stack,
             openapi: require('${manifest.name}/openapi.json').openapi,
             older: require('${manifest.name}/openapi-3.0.json').openapi,
           };
         };
         use().then((seen) => console.log(JSON.stringify(seen)));`,
      );
      const { stdout } = await execute(NODE, [file], inFolder);
      expect(JSON.parse(stdout)).toEqual({
        status: 200,
        advanced: '2026-11-30T10:15:00.000Z',
        statuses: LATE.map(() => 200),
        oneClass: true,
        // Functions by the names they have in the source.
        stack: expect.stringContaining('at openSandbox ('),
        openapi: expect.stringMatching(/^3\.1\./),
        older: expect.stringMatching(/^3\.0\./),
      });
    },
  );

  test('has a build for require without import(), which Jest has no support for', () => {
    const folders = [join(installed, 'dist/cjs'), join(installed, 'dist')];
    const [required = [], imported = []] = folders.map((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .filter((name) =>
          /^(?!\s*\/\/).*\bimport\(/m.test(readFileSync(join(folder, name), 'utf8')),
        ),
    );
    expect(required).toEqual([]);
    expect(imported).not.toEqual([]);
  });

  test('runs where there is no Node: what createSandbox loads imports none of its modules', () => {
    const reached = new Set(['index.js']);
    for (const file of reached) {
      const code = readFileSync(join(installed, 'dist', file), 'utf8');
      expect(code, file).not.toMatch(/["']node:|\brequire\(/);
      for (const [, name] of code.matchAll(/from ?"\.\/([\w/-]+\.js)"/g))
        reached.add(join(dirname(file), name as string));
    }
    expect(reached.size).toBeGreaterThan(1);
  });

  test('has a Worker that is one small module, without what it serves as static assets', () => {
    const worker = readFileSync(join(installed, 'dist/workers.js'), 'utf8');
    const imports = worker.matchAll(/^\s*(?:import|export)\b[^;]*?\bfrom "([^"]+)"/gm);
    expect(new Set([...imports].map(([, name]) => name))).toEqual(new Set(['cloudflare:workers']));
    expect(/@scalar|#\/components\/schemas\/[A-Z]/.exec(worker)?.[0]).toBeUndefined();
    // A third of what the smallest plan takes.
    expect(gzipSync(worker).length).toBeLessThan(1024 ** 2);
    const assets = readdirSync(join(installed, 'dist/workers-assets'), { recursive: true });
    expect(assets.sort()).toEqual([
      'static',
      ...[
        ...['assumptions.htm', 'control-plane.json', 'docs-control-demo.htm', 'docs-control.htm'],
        ...['docs-demo.htm', 'docs.htm', 'merchant-api-3.0.json', 'merchant-api.json'],
        ...['reference.css', 'reference.js', 'scalar.js'],
      ].map((name) => join('static', name)),
    ]);
  });

  test.each(['dist/types', 'dist/cjs/types'])('says in %s what await using needs', (types) => {
    for (const entry of ['index.d.ts', 'node/index.d.ts']) {
      const text = readFileSync(join(installed, types, entry), 'utf8');
      expect(text).toMatch(/^\/\/\/ <reference lib="esnext\.disposable"/);
    }
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'has types that stand alone, for module %s with resolution %s',
    async (module, moduleResolution) => {
      const name = `typed-${moduleResolution}`;
      writeFileSync(
        join(folder, `${name}.ts`),
        `import { ControlError, createSandbox, FixtureError, type JournalEntry, type Sandbox } from '${manifest.name}';
       import { startSandbox, type SandboxServer } from '${manifest.name}/node';
       import worker, { WorldObject } from '${manifest.name}/workers';
       const sandbox: Sandbox = createSandbox({ seed: 7, clock: 'frozen', now: new Date() });
       const entries: JournalEntry[] = sandbox.createMerchant({ records: 'demo' }).journal.list({ status: 200 });
       const server: SandboxServer = await startSandbox({ port: 0, state: 'x' });
       // @ts-expect-error a chance is a number
       createSandbox({ seed: 'seven' });
       export const problems = (error: unknown): readonly string[] =>
         error instanceof FixtureError ? error.problems : error instanceof ControlError ? [error.problem.detail] : [];
       export { entries, server, worker, WorldObject };`,
      );
      writeFileSync(
        join(folder, `${name}.json`),
        JSON.stringify({
          compilerOptions: {
            module,
            moduleResolution,
            target: 'es2023',
            lib: ['ES2023', 'DOM'],
            types: [],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
          },
          files: [`${name}.ts`],
        }),
      );
      const compiler = resolve('node_modules/typescript/bin/tsc');
      await execute(NODE, [compiler, '-p', `${name}.json`], inFolder).catch(({ stdout }) => {
        expect(stdout).toBe('');
      });
    },
  );
});
