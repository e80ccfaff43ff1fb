/*
 * Builds the image and runs it as strictly as anybody might: `npm run test:image`.
 * CONTAINER_ENGINE=docker uses Docker and the real base, IMAGE_PLATFORM another platform with it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { openEngine } from './engine.mjs';

const MOST_BYTES = 5_000_000;
const MOST_STOP_MS = 1500;
const NAME = 'micro-insurance-sandbox';
const IMAGE = `${NAME}:test`;
const STRICT = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const ADMIN = 'image-admin';

const LOOK_AROUND = `
import { readdirSync, statSync, writeFileSync } from 'node:fs';
const refusal = (work) => { try { work(); return 'none'; } catch ({ code }) { return code; } };
console.log(JSON.stringify({
  user: process.getuid(),
  written: refusal(() => writeFileSync('/tmp/file', '')),
  shell: refusal(() => statSync('/bin/sh')),
  compiled: readdirSync('/app/dist/code').length,
}));`;

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const dockerfile = readFileSync('Dockerfile', 'utf8');
const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
const buying = new URL('./buy.mjs', import.meta.url);
const buy = readFileSync(buying, 'utf8');
const port = await freePort();
const closed = `sandbox-closed-${process.pid}`;
const published = `sandbox-published-${process.pid}`;
const volume = `sandbox-state-${process.pid}`;
const url = `http://127.0.0.1:${port}`;

const folder = `${process.cwd()}/.tmp/image-${process.pid}`;
const engine = await openEngine(folder);
let passed = 0;
let failed = 0;
try {
  await main();
} catch {
  // The check that failed has said why; what needed it is left out.
} finally {
  for (const name of [closed, published]) engine.run(['rm', '-f', name], { mayFail: true });
  engine.run(['volume', 'rm', '-f', volume], { mayFail: true });
  engine.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function main() {
  await check('the Dockerfile has nothing a linter minds', () => {
    assert.deepEqual(
      validate(dockerfile).map(({ message }) => message),
      [],
    );
  });
  await check(`a base ${base} is there`, () => engine.prepareBase(base));
  await check('it builds', () => build(IMAGE, { VERSION: version }));
  await check('what it adds to its base is small', () => {
    const bytes = sizeOf(IMAGE) - sizeOf(engine.baseName(base));
    assert.ok(bytes <= MOST_BYTES, `${megabytes(bytes)} is more than ${megabytes(MOST_BYTES)}`);
    return `${megabytes(bytes)} without the base`;
  });
  await check('it says what it is and runs as nobody special, without a shell', () => {
    const config = configOf(IMAGE);
    assert.equal(config.User, 'node');
    assert.equal(config.StopSignal, 'SIGTERM');
    assert.equal(config.Entrypoint[0], 'node');
    // The form that needs no shell.
    assert.equal(config.Healthcheck.Test[0], 'CMD');
    assert.ok('4015/tcp' in config.ExposedPorts);
  });
  await check('its health is asked for every half minute, and not all the time', () => {
    const { Healthcheck: health } = configOf(IMAGE);
    assert.equal(health.Interval, 30e9);
    assert.equal(health.StartPeriod, 10e9);
    assert.ok(health.Timeout <= 5e9);
  });
  await check('it is labelled with its version and licence', () => {
    assert.deepEqual(labelsOf(IMAGE), { licenses: 'MIT', title: NAME, version });
  });

  await check(
    'it gets healthy without network, privileges, anything to write to, or a shell',
    () => {
      // An empty folder over /bin: nothing there that could run a command line.
      const nothing = `${folder}/nothing`;
      mkdirSync(nothing, { recursive: true });
      start(closed, ['--network', 'none', '--volume', `${nothing}:/bin:ro`, ...engine.strictFlags]);
      return untilHealthy(closed);
    },
  );
  await check('ready works a second time', () => {
    engine.run([
      'exec',
      closed,
      'node',
      'bin/micro-insurance-sandbox.cjs',
      'ready',
      '--timeout',
      '0',
    ]);
  });
  await check('a policy is bought in it', () => {
    const { policy } = JSON.parse(inside(closed, buy));
    assert.match(policy, /^\d{10}$/);
    return `policy ${policy}`;
  });
  await check('its log has a line for every call', () => {
    const lines = engine.run(['logs', closed]).split('\n');
    const line = /^\d\d:\d\d:\d\d POST \/api\/merchant\/\S+ 200 [\d.]+ ms {2}/;
    assert.ok(lines.filter((each) => line.test(each)).length >= 2, lines.join('\n'));
    assert.ok(!lines.some((each) => each.includes('/readyz')), 'health checks are not logged');
  });
  await check('it can write nowhere, has no shell, and has its compiled code', () => {
    const seen = JSON.parse(inside(closed, LOOK_AROUND));
    assert.deepEqual(seen, { user: 1000, written: 'EROFS', shell: 'ENOENT', compiled: 1 });
  });
  await check('SIGTERM ends it at once', () => stop(closed));

  await check('it serves on every address, at the port it is told', () => {
    const settings = { PORT: port, ADMIN_TOKEN: ADMIN, STATE: '/state/sandbox.json' };
    start(published, [
      ...['--network', 'host', '--volume', `${volume}:/state`],
      ...Object.entries(settings).flatMap(([name, value]) => ['-e', `SANDBOX_${name}=${value}`]),
    ]);
    return untilHealthy(published);
  });
  let minted;
  await check('a policy is bought from outside', () => {
    const env = { ...process.env, SANDBOX_URL: url, SANDBOX_ADMIN_TOKEN: ADMIN };
    const bought = execFileSync(process.execPath, [fileURLToPath(buying)], {
      env,
      encoding: 'utf8',
    });
    minted = JSON.parse(bought).key;
  });
  await check('it shows its pages with all of their files', async () => {
    for (const page of ['/', '/_sandbox', '/docs', '/docs/control']) {
      const text = await (await fetch(url + page)).text();
      const files = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+)"/g)];
      assert.ok(files.length >= 2, `${page} has its script and its style`);
      for (const [, file] of files) assert.equal((await fetch(url + file)).status, 200, file);
    }
  });
  await check('SIGTERM ends it at once while a call hangs', async () => {
    await hangingCall();
    return stop(published);
  });
  await check('what it keeps in a volume is there at the next start', async () => {
    engine.run(['start', published]);
    await untilHealthy(published);
    const headers = { authorization: `Bearer ${minted}` };
    const list = await fetch(`${url}/api/merchant/micro_health/all_subscriptions`, { headers });
    assert.equal((await list.json()).data.total, 1);
  });
}

/** Builds the image with these arguments. */
function build(name, args) {
  const given = Object.entries(args).flatMap(([arg, value]) => ['--build-arg', `${arg}=${value}`]);
  engine.run(['build', ...engine.buildFlags, ...given, '-t', name, '.']);
}

function configOf(image) {
  const [{ Config: config, Healthcheck: beside }] = inspect(image);
  // Podman keeps it beside the configuration.
  return { Healthcheck: beside, ...config };
}

/** The labels whose meaning is agreed on, but for the description. */
function labelsOf(image) {
  const PREFIX = 'org.opencontainers.image.';
  const labels = Object.entries(configOf(image).Labels)
    .filter(([name]) => name.startsWith(PREFIX) && name !== `${PREFIX}description`)
    .map(([name, value]) => [name.slice(PREFIX.length), value]);
  return Object.fromEntries(labels);
}

function inspect(image) {
  return JSON.parse(engine.run(['image', 'inspect', image]));
}

/** Does one check and says how it went. What it answers is said too. */
async function check(name, work) {
  const begun = performance.now();
  try {
    const remark = await work();
    passed++;
    const spent = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    console.log(`ok      ${name} (${remark ? `${remark}; ` : ''}${spent})`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.message}`);
    throw error;
  }
}

function start(name, flags) {
  engine.run(['run', '-d', '--name', name, ...STRICT, ...engine.runFlags, ...flags, IMAGE]);
}

async function untilHealthy(name) {
  const begun = performance.now();
  while (!engine.isHealthy(name)) {
    if (performance.now() - begun > 20_000) {
      throw new Error(`Not healthy after 20 s.\n${engine.run(['logs', name])}`);
    }
    await sleep(100);
  }
}

/** Counts from before the signal until the program is gone. */
async function stop(name) {
  const pid = Number(engine.run(['inspect', '-f', '{{.State.Pid}}', name]));
  const begun = performance.now();
  engine.run(['kill', '--signal', 'TERM', name]);
  while (existsSync(`/proc/${pid}`) && performance.now() - begun < 15_000) await sleep(5);
  const spent = Math.round(performance.now() - begun);
  assert.equal(engine.run(['wait', name]).trim(), '0', 'the exit code');
  assert.ok(spent < MOST_STOP_MS, `it took ${spent} ms`);
  return `exit code 0 after ${spent} ms`;
}

/** Runs a module in a container, with the container's own Node. */
function inside(name, module) {
  return engine.run(['exec', '-i', name, 'node', '--input-type=module', '-'], { input: module });
}

/** A call that will never be answered, once it has reached the sandbox. */
async function hangingCall() {
  const headers = { authorization: 'Bearer sk_sandbox_demo', 'sandbox-fault': 'before; hang' };
  const path = '/api/merchant/micro_health/all_subscriptions';
  const call = get({ port, path, headers }).on('error', () => {});
  await once(call, 'finish');
  await sleep(100);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}

function sizeOf(image) {
  return Number(engine.run(['image', 'inspect', '-f', '{{.Size}}', image]));
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
