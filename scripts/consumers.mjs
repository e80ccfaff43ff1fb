/*
 * Packs the package, installs it in an empty project, and uses it like merchants' developers: in test runners, with
 * compilers and HTTP clients (`test/consumers`, whose packages are installed first), and in the examples.
 * `npm run test:package` runs all checks, `npm run test:package -- jest` those with a name that contains the word.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { CHROMIUM, provide } from './needs.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const CONSUMERS = resolve('test/consumers');
const TOOLS = join(CONSUMERS, 'node_modules');

const home = await mkdtemp(join(tmpdir(), 'sandbox-consumers-'));
/** A copy of this checkout, because packing changes its package.json temporarily. */
const checkout = join(home, 'checkout');
/** The project of a merchant's developer: the package is in its `node_modules`, the tools are in a parent folder. */
const project = join(home, 'project');

/** A clean environment, without variables of npm or the test runner. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|node_|vitest)/i.test(name)),
  ),
  CHROMIUM,
};

const execute = promisify(execFile);
const run = (folder, command, ...args) =>
  execute(command, args, { cwd: folder, env, maxBuffer: 1e8, timeout: 120_000 });
const node = (folder, ...args) => run(folder, process.execPath, ...args);
const tool = (folder, name, ...args) => node(folder, join(TOOLS, name), ...args);
/** Ignores the machine's npm settings and update notices. */
const npm = (folder, ...args) =>
  run(folder, 'npm', ...args, '--userconfig', join(home, 'npmrc'), '--no-update-notifier');

/** The strictest settings, including the types of packages. Only Node's types are available. */
const STRICT = {
  ...{ target: 'es2022', types: ['node'], strict: true, skipDefaultLibCheck: true },
  ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
};

const JEST = 'jest/bin/jest.js';
const VITEST = 'vitest/vitest.mjs';

/** The published document in the installed package. */
const DOCUMENT = join(project, 'node_modules/micro-insurance-sandbox/openapi/merchant-api.json');

let tarball;

const packing = {
  'npm pack leaves the checkout unchanged': async () => {
    const before = await stateOf('.');
    const left = new Set(['node_modules', 'dist', '.git', '.tmp'].map((name) => resolve(name)));
    const isOurs = (path) => !left.has(path) && !path.endsWith('/node_modules');
    await cp('.', checkout, { recursive: true, filter: (path) => isOurs(resolve(path)) });
    await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
    const { stdout } = await npm(checkout, 'pack', '--silent');
    tarball = join(checkout, stdout.trim().split('\n').at(-1));
    assert.deepEqual(await stateOf(checkout), before);
  },
  'npm install adds one package, without warnings': async () => {
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true }\n');
    // Offline, so that any other download would fail.
    const { stdout, stderr } = await npm(project, 'install', tarball, '--offline', '--no-audit');
    assert.equal(stderr, '');
    assert.match(stdout, /^\s*added 1 package in \S+\s*$/);
  },
};

/** The files that packing rewrites, with their modes. */
const stateOf = (folder) =>
  Promise.all(
    ['package.json', 'bin/micro-insurance-sandbox.cjs'].map(async (file) => {
      const path = join(folder, file);
      return { file, text: await readFile(path, 'utf8'), mode: (await stat(path)).mode };
    }),
  );

const checks = {
  'Jest with defaults': () => tool(project, JEST, '--rootDir', 'jest'),
  'Jest with babel, import': () => tool(join(project, 'jest-babel'), JEST),
  'Jest with ts-jest, commonjs': () => tool(join(project, 'jest-ts'), JEST),
  vitest: () => tool(project, VITEST, 'run', '--root', 'vitest'),
  'node:test, import': () => node(project, '--test', 'node-test/sandbox.test.mjs'),
  'node:test, require': () => node(project, '--test', 'node-test/sandbox.test.cjs'),

  ...typeChecks('TypeScript 5.9', 'typescript/bin/tsc'),
  ...typeChecks('TypeScript 7', 'typescript-7/bin/tsc'),

  'the kit for vitest, with a test that fails': () => failingKit(VITEST, 'run'),
  'the kit for Playwright, with tests that fail': async () => {
    const failed = await failingKit('@playwright/test/cli.js', 'test', '--config', '.');
    assert.match(
      failed,
      /page of http:\/\/127\.0\.0\.1:5174: use createTest\(\{ cors: \["http:\/\/127\.0\.0\.1:5173","http:\/\/127\.0\.0\.1:5174"\] \}\)/,
    );
    assert.match(failed, /Calls without a valid key\. .*\n.*\n.* 401 {2}Unauthenticated\./);
  },

  'the kit for Playwright, however a test fails': everyFailure,
  'the kit for Playwright, as docs/browsers.md shows it': async () => {
    const folder = join(project, 'kits-page');
    const page = await readFile('docs/browsers.md', 'utf8');
    const [, shown] = /^```js\n(import \{ expect \} from '@playwright\/test';\n.*?)^```$/ms.exec(
      page,
    );
    await writeFile(join(folder, 'shop.spec.mjs'), shown);
    const { stdout } = await tool(folder, '@playwright/test/cli.js', 'test', '--config', '.');
    assert.match(stdout, /1 passed/);
  },

  'the action for GitHub workflows': useAction,

  ky: () => node(project, 'clients/ky.mjs'),
  ofetch: () => node(project, 'clients/ofetch.mjs'),
  axios: () => node(project, 'clients/axios.mjs'),
  'global fetch, replaced': () => node(project, 'clients/global-fetch.mjs'),
  'openapi-fetch with types from openapi-typescript': () =>
    generatedClient(
      'openapi-fetch',
      'openapi-typescript/bin/cli.js',
      DOCUMENT,
      '-o',
      'merchant-api.d.ts',
    ),
  'a client from hey-api': () =>
    generatedClient(
      'hey-api',
      ...[
        '@hey-api/openapi-ts/bin/run.js',
        '-i',
        DOCUMENT,
        '-o',
        'hey-api',
        '-c',
        '@hey-api/client-fetch',
      ],
    ),

  attw: () => attw('--exclude-entrypoints', 'workers', 'vitest'),
  // Workers and vitest always support modules.
  'attw, the Worker and vitest': () =>
    attw('--entrypoints', 'workers', 'vitest', '--profile', 'esm-only'),
  publint: () => tool(project, 'publint/src/cli.js', tarball, '--strict'),

  'example: Jest': () => tool(project, JEST, '--rootDir', 'examples/jest'),
  'example: Jest, one sandbox for all workers': () =>
    tool(project, JEST, '--config', 'examples/jest-global-setup/jest.config.cjs', '-w', '2'),
  'example: Playwright, a page in a browser': () =>
    tool(project, '@playwright/test/cli.js', 'test', '--config', 'examples/playwright'),
  'example: Playwright, a shop whose server has the key': () =>
    tool(project, '@playwright/test/cli.js', 'test', '--config', 'examples/playwright-server'),
  'example: vitest': () => tool(project, VITEST, 'run', '--root', 'examples/vitest'),
  'example: vitest, one sandbox for all workers': () =>
    tool(project, VITEST, 'run', '--root', 'examples/vitest-global-setup'),
};

/** Runs a kit whose test fails, opens what it leaves, and returns what it prints. */
async function failingKit(...command) {
  const folder = join(project, 'kits');
  const failed = await tool(folder, ...command).then(
    () => assert.fail('no test failed'),
    ({ stdout, stderr }) => stripVTControlCharacters(stdout + stderr),
  );
  assert.match(failed, /Calls of the merchant "sells \/ cover 🚗":/);
  assert.match(failed, /comprehensive_motor_verify_policy 400 {2}Invalid token/);
  const files = [...failed.matchAll(/npx micro-insurance-sandbox show (\S+\.json)/g)];
  assert.ok(files.length > 0, failed);
  for (const [, file] of files) {
    const { version } = JSON.parse(await readFile(resolve(folder, file), 'utf8'));
    assert.equal(version, 2);
  }
  assert.equal(new Set(files.map(([, file]) => file)).size, command[0] === VITEST ? 1 : 3, failed);
  return failed;
}

/** What an attempt of a test is called when it fails: the error that its World is saved with. */
const FAILED_ATTEMPTS = {
  body: ['fails in the body'],
  'hooks > before each': ['fails in beforeEach'],
  'hooks > after each': ['fails in afterEach'],
  teardown: ['fails in a teardown'],
  'own teardown': ['fails in an own teardown'],
  soft: ['expect(received).toBe(expected)'],
  'time-out': ['Test timeout of 300ms exceeded'],
  object: ['{ status: 500 }'],
  'tries > retried': ['fails the first time'],
  'tries > in vain': ['fails try 0', 'fails try 1'],
  'unused fault': ['never acted'],
  'not as expected': ['did not fail'],
};

/** Each failed attempt prints its calls once and saves its World, and no other attempt does. */
async function everyFailure() {
  const folder = join(project, 'kits-attempts');
  const stdout = await tool(folder, '@playwright/test/cli.js', 'test', '--config', '.').then(
    () => assert.fail('no test failed'),
    (error) => error.stdout,
  );
  const told = {};
  for (const [title, { results }] of testsIn(JSON.parse(stdout).suites)) {
    for (const { errors } of results) {
      const text = stripVTControlCharacters(errors.map(({ message }) => message).join('\n'));
      const calls = text.split(`Calls of the merchant "${title}":`).length - 1;
      const [, file] = /npx micro-insurance-sandbox show (\S+\.json)/.exec(text) ?? [];
      if (file === undefined) {
        assert.equal(calls, 0, `${title}: ${text}`);
        continue;
      }
      assert.equal(calls, title === 'unused fault' ? 0 : 1, `${title}: ${text}`);
      const { test } = JSON.parse(await readFile(resolve(folder, file), 'utf8'));
      assert.equal(test.name, title);
      told[title] = [...(told[title] ?? []), test.error];
    }
  }
  assert.deepEqual(Object.keys(told).sort(), Object.keys(FAILED_ATTEMPTS).sort());
  for (const [title, errors] of Object.entries(FAILED_ATTEMPTS)) {
    assert.equal(told[title].length, errors.length, title);
    for (const [attempt, error] of errors.entries()) {
      assert.ok(told[title][attempt].includes(error), `${title}: ${told[title][attempt]}`);
    }
  }
}

/** The tests of a report of Playwright, with their titles as the kit shows them. */
const testsIn = (suites, groups = []) =>
  suites.flatMap(({ specs, suites: inner = [], title, file }) => {
    const path = title === file ? groups : [...groups, title];
    return [
      ...specs.flatMap((spec) =>
        spec.tests.map((test) => [[...path, spec.title].join(' > '), test]),
      ),
      ...testsIn(inner, path),
    ];
  });

/** Runs the step of action.yml like a workflow, and sends a request to the running sandbox. */
async function useAction() {
  const outputs = join(home, 'outputs');
  const inputs = {
    INPUT_PACKAGE: tarball,
    INPUT_ARGUMENTS: '--now 2026-01-31T10:00:00Z --freeze',
  };
  const runner = { ...env, ...inputs, RUNNER_TEMP: home, GITHUB_OUTPUT: outputs };
  await execute(process.execPath, ['scripts/action.mjs'], { env: runner });
  const lines = (await readFile(outputs, 'utf8')).trim().split('\n');
  const { url, key, log } = Object.fromEntries(lines.map((line) => line.split(/=(.*)/)));
  const { pid } = JSON.parse(await readFile(log, 'utf8'));
  try {
    const headers = { authorization: `Bearer ${key}` };
    const clock = await fetch(`${url}/_sandbox/clock`, { headers });
    assert.deepEqual(await clock.json(), { now: '2026-01-31T10:00:00.000Z', mode: 'frozen' });
  } finally {
    process.kill(pid);
  }
}

const attw = (...args) =>
  tool(project, '@arethetypeswrong/cli/dist/index.js', tarball, '--no-emoji', ...args);

/** Generates a client from the published document, then compiles and runs a program that uses it. */
async function generatedClient(name, ...generator) {
  const folder = join(project, 'clients');
  await tool(folder, ...generator);
  const compilerOptions = {
    ...STRICT,
    // Generated code is less strict, and requires browser types.
    ...{ skipLibCheck: true, exactOptionalPropertyTypes: false, lib: ['ES2023', 'DOM'] },
    ...{ module: 'nodenext', outDir: `out/${name}` },
  };
  const config = `tsconfig.${name}.json`;
  await writeFile(
    join(folder, config),
    JSON.stringify({ compilerOptions, files: [`${name}.mts`] }),
  );
  await tool(folder, 'typescript/bin/tsc', '-p', config);
  await node(folder, `out/${name}/${name}.mjs`);
}

/**
 * Compiles programs with each kind of module resolution in TypeScript. Runs the output, if there is any for Node.
 */
function typeChecks(name, compiler) {
  const one = ['program.ts', 'worker.ts'];
  const both = ['program.mts', 'program.cts', 'worker.mts'];
  const ways = {
    bundler: [one, { module: 'esnext', moduleResolution: 'bundler', noEmit: true }],
    node16: [both, { module: 'node16' }],
    nodenext: [both, { module: 'nodenext' }],
    commonjs: [one, { module: 'commonjs' }],
    // A project with an older library.
    es2020: [one, { module: 'commonjs', lib: ['ES2020'], noEmit: true }],
  };
  // The types of the runners themselves are less strict, and one of them requires browser types.
  const runners = { skipLibCheck: true, lib: ['ES2022', 'DOM'], noEmit: true };
  const kits = {
    'kits, bundler': [['kits.ts'], { ...ways.bundler[1], ...runners }],
    'kits, nodenext': [['kits.mts'], { module: 'nodenext', ...runners }],
  };
  const check = async (way, [files, options]) => {
    const folder = join(project, 'types', `${name} ${way}`);
    await mkdir(folder);
    for (const file of files) {
      const source = file.replace(/[cm]ts$/, 'ts');
      await cp(join(project, 'types', source), join(folder, file));
    }
    const compilerOptions = { ...STRICT, lib: ['ES2022'], outDir: 'out', ...options };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    await tool(folder, compiler, '-p', '.');
    if (options.noEmit) return;
    for (const file of files.filter((name) => name.startsWith('program'))) {
      const { stdout } = await node(folder, join('out', file.replace('ts', 'js')));
      assert.match(stdout, /^\[200,true,true,\["No merchant has the key/);
    }
  };
  return Object.fromEntries(
    Object.entries({ ...ways, ...kits }).map(([way, program]) => [
      `${name}, ${way}`,
      () => check(way, program),
    ]),
  );
}

let passed = 0;
let failed = 0;

async function attempt([name, check]) {
  const start = performance.now();
  try {
    await check();
    passed++;
    console.log(`ok      ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (problem) {
    failed++;
    console.log(`FAILED  ${name}`);
    console.log([problem.message, problem.stdout].filter(Boolean).join('\n'));
  }
}

async function runCooperatively(work) {
  const waiting = work[Symbol.iterator]();
  const worker = async () => {
    for (const each of waiting) await attempt(each);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const wanted = Object.entries(checks).filter(
  ([name]) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
try {
  await writeFile(join(home, 'npmrc'), '');
  await provide('consumers', 'chromium');
  for (const each of Object.entries(packing)) await attempt(each);
  if (failed === 0) {
    await symlink(TOOLS, join(home, 'node_modules'));
    const isProgram = (path) => !/^(node_modules|package.*\.json)$/.test(relative(CONSUMERS, path));
    await cp(CONSUMERS, project, { recursive: true, filter: isProgram });
    await cp('examples', join(project, 'examples'), { recursive: true });
    await runCooperatively(wanted);
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
