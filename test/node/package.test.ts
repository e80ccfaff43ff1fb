import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { newFolder } from './command.ts';

const execute = promisify(execFile);
const folder = newFolder();
const inFolder = { cwd: folder };
const installed = join(folder, 'node_modules', manifest.name);
const NODE = process.execPath;

/** Installs the package as npm would fetch it, into an empty folder. */
beforeAll(async () => {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  // Without scripts: the build stands, and other tests use it meanwhile.
  await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', packed]);
  const [tarball] = readdirSync(packed);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await execute('npm', ['install', ...quick, join(packed, tarball as string)], inFolder);
}, 60_000);

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
      'schemas',
    ]);
    expect(readdirSync(join(installed, 'dist'))).not.toContain('code');
    expect(readdirSync(join(installed, 'fixtures'))).toEqual(readdirSync('fixtures'));
  });

  // What only a clone has: the package is what runs, and what its users read.
  const LEFT_OUT =
    /^(?:examples|bench)\/|^(?:compose\.yaml|CONTRIBUTING\.md|SECURITY\.md|examples)$/;

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

  test('serves in process and over a socket, with its documents and its reference page', async () => {
    writeFileSync(
      join(folder, 'use.js'),
      `import { createSandbox, ControlError } from '${manifest.name}';
       import { startSandbox, ControlError as same } from '${manifest.name}/node';
       import { createRequire } from 'node:module';
       const require = createRequire(import.meta.url);
       const sandbox = createSandbox({ now: '2026-11-30T10:00:00Z', clock: 'frozen' });
       const merchant = sandbox.createMerchant();
       const headers = { authorization: 'Bearer ' + merchant.apiKey };
       const list = 'http://sandbox/api/merchant/micro_health/all_subscriptions';
       const answer = await sandbox.fetch(new Request(list, { headers }));
       const server = await startSandbox({ port: 0 });
       const statuses = [];
       for (const path of ['/openapi.json', '/openapi-3.0.json', '/_sandbox/openapi.json', '/docs', '/docs/reference.js']) {
         statuses.push((await fetch(server.url + path)).status);
       }
       await server.close();
       console.log(JSON.stringify({
         status: answer.status,
         advanced: merchant.clock.advance('PT15M').now,
         statuses,
         oneClass: ControlError === same,
         openapi: require('${manifest.name}/openapi.json').openapi,
         older: require('${manifest.name}/openapi-3.0.json').openapi,
       }));`,
    );
    const { stdout } = await execute(NODE, ['use.js'], inFolder);
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      advanced: '2026-11-30T10:15:00.000Z',
      statuses: [200, 200, 200, 200, 200],
      oneClass: true,
      openapi: expect.stringMatching(/^3\.1\./),
      older: expect.stringMatching(/^3\.0\./),
    });
  });

  test('runs where there is no Node: what createSandbox loads imports none of its modules', () => {
    const reached = new Set(['index.js']);
    for (const file of reached) {
      const code = readFileSync(join(installed, 'dist', file), 'utf8');
      expect(code, file).not.toMatch(/["']node:|\brequire\(/);
      for (const [, name] of code.matchAll(/from"\.\/([\w/-]+\.js)"/g))
        reached.add(join(dirname(file), name as string));
    }
    expect(reached.size).toBeGreaterThan(1);
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
       const sandbox: Sandbox = createSandbox({ seed: 7, clock: 'frozen', now: new Date() });
       const entries: JournalEntry[] = sandbox.createMerchant({ records: 'demo' }).journal.list({ status: 200 });
       const server: SandboxServer = await startSandbox({ port: 0, state: 'x' });
       // @ts-expect-error a chance is a number
       createSandbox({ seed: 'seven' });
       export const problems = (error: unknown): readonly string[] =>
         error instanceof FixtureError ? error.problems : error instanceof ControlError ? [error.problem.detail] : [];
       export { entries, server };`,
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
