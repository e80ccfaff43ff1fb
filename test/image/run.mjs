/*
 * Builds the image and runs it with strict settings: `npm run test:image`.
 * CONTAINER_ENGINE=docker uses Docker and the real base image. IMAGE_PLATFORM chooses its platform.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { openEngine } from './engine.mjs';

const MOST_BYTES = 5_000_000;
/** A few hundred on an idle machine. An engine kills what has not stopped after 10,000. */
const MOST_STOP_MS = 5000;
const NAME = 'micro-insurance-sandbox';
const IMAGE = `${NAME}:test`;
const STRICT = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const ADMIN = 'image-admin';
const LIST = '/api/merchant/micro_health/all_subscriptions';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const dockerfile = readFileSync('Dockerfile', 'utf8');
const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
const closed = `sandbox-closed-${process.pid}`;
const flagged = `sandbox-flagged-${process.pid}`;
const published = `sandbox-published-${process.pid}`;
const volume = `sandbox-state-${process.pid}`;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const folder = `${process.cwd()}/.tmp/image-${process.pid}`;
const engine = await openEngine(folder);

before(() => {
  engine.prepareBase(base);
  const flags = [...engine.buildFlags, '--build-arg', `VERSION=${version}`];
  engine.run(['build', ...flags, '-t', IMAGE, '.']);
});
after(() => {
  for (const name of [closed, flagged, published])
    engine.run(['rm', '-f', name], { mayFail: true });
  engine.run(['volume', 'rm', '-f', volume], { mayFail: true });
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the Dockerfile has no linter warnings', () => {
  const problems = validate(dockerfile).map(({ message }) => message);
  assert.deepEqual(problems, []);
});

test('the image adds at most 5 MB to its base', () => {
  const sizeOf = (image) => engine.run(['image', 'inspect', '-f', '{{.Size}}', image]);
  const bytes = sizeOf(IMAGE) - sizeOf(engine.baseName(base));
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes are more than ${MOST_BYTES}`);
});

test('the image has labels, a health check and an unprivileged user', () => {
  const [image] = JSON.parse(engine.run(['image', 'inspect', IMAGE]));
  const { Config: config } = image;
  assert.equal(config.User, 'node');
  assert.equal(config.StopSignal, 'SIGTERM');
  assert.equal(config.Entrypoint[0], 'node');
  assert.ok('4015/tcp' in config.ExposedPorts);
  // Podman has it outside of the configuration.
  const health = config.Healthcheck ?? image.Healthcheck;
  // The form without a shell.
  assert.equal(health.Test[0], 'CMD');
  assert.deepEqual([health.Interval, health.StartPeriod], [5e9, 10e9]);
  assert.ok(health.Timeout <= 5e9);
  const labelOf = (name) => config.Labels[`org.opencontainers.image.${name}`];
  const labels = ['title', 'version', 'licenses'].map(labelOf);
  assert.deepEqual(labels, [NAME, version, 'MIT']);
});

test('the container is healthy without network, privileges, writable files or a shell', async () => {
  // An empty folder over /bin hides the shell.
  const nothing = `${folder}/nothing`;
  mkdirSync(nothing, { recursive: true });
  start(closed, ['--network', 'none', '--volume', `${nothing}:/bin:ro`, ...engine.strictFlags]);
  await untilHealthy(closed);
  const ready = ['bin/micro-insurance-sandbox.cjs', 'ready', '--timeout', '0'];
  engine.run(['exec', closed, 'node', ...ready]);
});

test('a policy can be bought in the container, and the log has a line for each request', () => {
  const { policy } = JSON.parse(inside(closed, readFileSync('test/image/buy.mjs', 'utf8')));
  assert.match(policy, /^\d{10}$/);
  const lines = engine.run(['logs', closed]).split('\n');
  const line = /^\d\d:\d\d:\d\d 200 {2}POST micro_health\/\S+ [\d.]+ ms$/;
  assert.ok(lines.filter((each) => line.test(each)).length >= 2, lines.join('\n'));
  assert.ok(!lines.some((each) => each.includes('/readyz')), 'health checks are not logged');
});

test('the container has no writable files and no shell, but has its compiled code', () => {
  const seen = inside(
    closed,
    `import { readdirSync, statSync, writeFileSync } from 'node:fs';
     const refusal = (work) => { try { work(); return 'none'; } catch ({ code }) { return code; } };
     console.log(JSON.stringify({
       user: process.getuid(),
       written: refusal(() => writeFileSync('/tmp/file', '')),
       shell: refusal(() => statSync('/bin/sh')),
       compiled: readdirSync('/app/dist/code').length,
     }));`,
  );
  const expected = { user: 1000, written: 'EROFS', shell: 'ENOENT', compiled: 1 };
  assert.deepEqual(JSON.parse(seen), expected);
});

test('SIGTERM stops the container at once', () => stop(closed));

test('the health check follows a --port of the command', async () => {
  start(flagged, ['--network', 'none', ...engine.strictFlags], ['--port', '8080']);
  await untilHealthy(flagged);
  await stop(flagged);
});

/** The key of a merchant that bought a policy from outside the container. */
let key;

test('the container serves pages with all their files at the chosen port', async () => {
  const settings = { PORT: port, ADMIN_TOKEN: ADMIN, STATE: '/state/sandbox.json' };
  start(published, [
    ...['--network', 'host', '--volume', `${volume}:/state`],
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `SANDBOX_${name}=${value}`]),
  ]);
  await untilHealthy(published);
  const env = { ...process.env, SANDBOX_URL: url, SANDBOX_ADMIN_TOKEN: ADMIN };
  const bought = execFileSync(process.execPath, ['test/image/buy.mjs'], { env, encoding: 'utf8' });
  key = JSON.parse(bought).key;

  for (const page of ['/', '/_sandbox', '/docs', '/docs/control']) {
    const text = await (await fetch(url + page)).text();
    const files = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+)"/g)];
    assert.ok(files.length >= 2, `${page} has a script and a style sheet`);
    for (const [, file] of files) assert.equal((await fetch(url + file)).status, 200, file);
  }
});

test('SIGTERM stops the container at once during a hang fault', async () => {
  const headers = { authorization: 'Bearer sk_sandbox_demo', 'sandbox-fault': 'before; hang' };
  const hanging = get({ port, path: LIST, headers }).on('error', () => {});
  await once(hanging, 'finish');
  await sleep(100);
  await stop(published);
});

test('state in a volume survives a restart', async () => {
  engine.run(['start', published]);
  await untilHealthy(published);
  const list = await fetch(url + LIST, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await list.json()).data.total, 1);
});

function start(name, flags, command = []) {
  const all = [...STRICT, ...engine.runFlags, ...flags];
  engine.run(['run', '-d', '--name', name, ...all, IMAGE, ...command]);
}

async function untilHealthy(name) {
  const end = performance.now() + 20_000;
  while (!engine.isHealthy(name)) {
    if (performance.now() > end) throw new Error(`Not healthy:\n${engine.run(['logs', name])}`);
    await sleep(100);
  }
}

/** Stops a container, and checks its exit code and the time until its process is gone. */
async function stop(name) {
  const pid = Number(engine.run(['inspect', '-f', '{{.State.Pid}}', name]));
  const begun = performance.now();
  engine.run(['kill', '--signal', 'TERM', name]);
  while (existsSync(`/proc/${pid}`) && performance.now() - begun < 15_000) await sleep(5);
  const spent = Math.round(performance.now() - begun);
  assert.equal(engine.run(['wait', name]).trim(), '0', 'the exit code');
  assert.ok(spent < MOST_STOP_MS, `it took ${spent} ms`);
}

/** Runs a module with the Node of a container. */
function inside(name, module) {
  return engine.run(['exec', '-i', name, 'node', '--input-type=module', '-'], { input: module });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  await once(server.close(), 'close');
  return free;
}
