/*
 * Generates a client from the published documents, compiles it, and buys policies with it from a new sandbox:
 * `node scripts/clients.mjs typescript python php java`. The sandbox's journal shows whether the client really sent every
 * request.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { provide } from './needs.mjs';
import { startCommand } from './sandbox.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const CODEGEN = resolve('test/clients/codegen');
const TYPESCRIPT_GENERATOR = join(CODEGEN, 'node_modules/.bin/openapi-typescript');
const TYPESCRIPT_COMPILER = join(CODEGEN, 'node_modules/.bin/tsc');
const GENERATOR = join(
  CODEGEN,
  'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
);
const DOCUMENT = resolve('openapi/merchant-api.json');
const DOCUMENT_30 = resolve('openapi/merchant-api-3.0.json');

const PYTHON = '/usr/bin/python3';
/** Hides PHP's deprecation warnings about the older generator's code. */
const PHP = ['-d', 'display_errors=stderr', '-d', 'error_reporting=24575'];

/** Names that a generator invents for unnamed schemas. */
const ANONYMOUS = /\b(?:class|interface|enum) ((?:InlineResponse|InlineObject|AnyOf|OneOf)\w*)/g;

/*
 * Each client is built in .tmp/clients/<name>, with a copy of its journey. `journey` is the command that runs it.
 */
const clients = {
  typescript: {
    async build(home) {
      await symlink(join(CODEGEN, 'node_modules'), join(home, 'node_modules'));
      await run(home, TYPESCRIPT_GENERATOR, DOCUMENT, '-o', 'merchant-api.ts');
      await run(home, TYPESCRIPT_COMPILER, '-p', '.');
    },
    journey: [process.execPath, 'out/journey.mjs'],
  },
  python: {
    async build(home) {
      await generate(home, '-g', 'python', '--package-name', 'merchant_api');
      await run(home, PYTHON, '-m', 'compileall', '-q', 'client/merchant_api');
    },
    env: { PYTHONPATH: 'client' },
    journey: [PYTHON, 'journey.py'],
  },
  php: {
    async build(home) {
      await generate(home, '-g', 'php', '--invoker-package', 'MerchantApi');
      await mkdir(join(home, 'vendor'));
      await cp(join(home, 'autoload.php'), join(home, 'vendor/autoload.php'));
      const files = (await filesOf(join(home, 'client/lib'))).join('\n');
      const load =
        'require "vendor/autoload.php"; foreach (explode("\\n", $argv[1]) as $file) require_once $file;';
      await run(home, 'php', ...PHP, '-r', load, files);
    },
    journey: ['php', ...PHP, 'journey.php'],
  },
  java: {
    async build(home) {
      await generate(
        home,
        ...['-g', 'java', '--library', 'native', '--invoker-package', 'com.example.merchant'],
        ...['--api-package', 'com.example.merchant.api'],
        ...['--model-package', 'com.example.merchant.model'],
        ...['--additional-properties', 'openApiNullable=false'],
      );
      // The generator's jar contains Jackson and the annotations that its clients require.
      const sources = await filesOf(join(home, 'client/src/main/java'));
      await run(home, 'javac', '-cp', GENERATOR, '-d', 'out', 'Journey.java', ...sources);
    },
    journey: ['java', '-cp', `out:${GENERATOR}`, 'Journey'],
  },
};

const execute = promisify(execFile);

async function run(home, command, ...args) {
  return (await execute(command, args, { cwd: home, maxBuffer: 1e8 })).stdout;
}

const generate = (home, ...args) =>
  run(home, 'java', '-jar', GENERATOR, 'generate', '-i', DOCUMENT_30, '-o', 'client', ...args);

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

async function control(sandbox, method, path, { key, body } = {}) {
  const response = await fetch(`${sandbox}/_sandbox${path}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

async function refuseAnonymous(home) {
  const sources = (await filesOf(home)).filter((file) => /\.(?:py|php|java|ts)$/.test(file));
  for (const file of sources) {
    const [found] = (await readFile(file, 'utf8')).matchAll(ANONYMOUS);
    if (found)
      throw new Error(
        `${file}: ${found[1]} is a name that the generator invented: name the schema in the document`,
      );
  }
}

/** The journey that the others follow: each sends the operations that it names. */
const REFERENCE = 'test/clients/typescript/journey.mts';

/** The operations that every journey sends: at least one of each family. */
async function promisedOperations() {
  const { paths, tags } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  const journey = await readFile(REFERENCE, 'utf8');
  const operations = Object.entries(paths)
    .filter(([path]) => journey.includes(`'${path}'`))
    .flatMap(([, methods]) => Object.values(methods).filter(({ operationId }) => operationId));
  const missing = tags.filter(({ name }) => !operations.some((each) => each.tags.includes(name)));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new Error(`${REFERENCE} calls no operation of ${names}: buy, list and look up in each`);
  }
  return operations.map(({ operationId }) => operationId);
}

/** Compares the requests in the journal with those that a journey must send. */
async function checkJournal(sandbox, key) {
  const { data } = await control(sandbox, 'GET', '/journal?limit=100', { key });
  const seen = new Set(data.map(({ operation, status }) => `${operation} ${status}`));
  const operations = await promisedOperations();
  const promised = [
    ...operations.map((operation) => `${operation} 200`),
    'initiateMicroHealthSubscription 422',
    'verifyMicroHealthSubscription 400',
  ];
  const missing = promised.filter((each) => !seen.has(each));
  if (missing.length > 0) throw new Error(`The journey did not send: ${missing.join(', ')}`);
  return operations.length;
}

async function tryClient(name, sandbox) {
  const { build, journey, env } = clients[name];
  // All generators except TypeScript's require Java.
  await provide('codegen', ...(name === 'typescript' ? [] : ['java', name]));

  const home = resolve('.tmp/clients', name);
  await rm(home, { recursive: true, force: true });
  await cp(join('test/clients', name), home, { recursive: true });
  await build(home);
  await refuseAnonymous(home);

  // A new merchant with enough records for a second page.
  const merchant = { name, records: 'demo' };
  const { api_key: key } = await control(sandbox, 'POST', '/merchants', { body: merchant });
  const [command, ...args] = journey;
  const { stdout, stderr } = await execute(command, [...args, sandbox, key], {
    cwd: home,
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  const said = stdout.trim();
  if (!/^bought \w+(, \w+)* and \w+$/.test(said) || stderr) throw new Error(`${stdout}${stderr}`);
  return `${await checkJournal(sandbox, key)} operations, a 422 and an expired token; ${said}`;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(clients, name));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Usage: node scripts/clients.mjs ${Object.keys(clients).join(' ')}`);
  process.exit(2);
}

const { url, stop } = await startCommand();

let failed = 0;
for (const name of names) {
  try {
    console.log(`${name}: ${await tryClient(name, url)}`);
  } catch (problem) {
    failed += 1;
    console.log(`${name}: FAILED`);
    console.log([problem.message, problem.stdout].filter(Boolean).join('\n'));
  }
}
stop();
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
