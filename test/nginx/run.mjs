/*
 * Puts sandboxes behind nginx as examples/nginx does, and holds that a key stays with its World whatever happens, and
 * that calls go through as if nginx were not there: `npm run test:nginx`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ADA, createShop } from '../../examples/shop.mjs';
import { provide } from '../../scripts/needs.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const PROGRAM = 'bin/micro-insurance-sandbox.cjs';
const CONFIGURATION = fs.readFileSync('examples/nginx/nginx.conf', 'utf8');
const ADMIN = 'nginx-admin';
/** Where Debian has nginx is not in the PATH of ordinary users. */
const env = { PATH: `${process.env.PATH}:/usr/sbin`, SANDBOX_ADMIN_TOKEN: ADMIN };
/** nginx runs as an ordinary user, also where the test is run by root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const LIST = '/api/merchant/micro_health/all_subscriptions';
const QUOTE = '/api/merchant/micro_health/get_quote';
const KEYS = Array.from({ length: 200 }, (_, number) => `sk_team_${number}`);
/** Of 200 keys a third is 67; the places of consistent hashing are not quite even. */
const LEAST_SHARE = 25;

const folder = fs.mkdtempSync(`${tmpdir()}/sandboxes-`);
// Where root runs the test, nginx is another user.
fs.chmodSync(folder, 0o755);
/** How to end what was started and still runs. */
const running = new Set();
const sandboxes = [];
let url;
/** The port of the sandbox that has the World of a key. */
const homes = new Map();
const keysAt = ({ port }) => KEYS.filter((key) => homes.get(key) === port);

before(async () => {
  await provide('nginx');
  for (let count = 0; count < 3; count++) sandboxes.push(await startSandbox(await freePort()));
  url = await startNginx('three', sandboxes);
});
after(async () => {
  // As each ends by itself: workers of a killed nginx would go on.
  await Promise.all([...running].map((end) => end('SIGTERM')));
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Starts the command as the example does; started again it has the same port and the same file. */
async function startSandbox(port) {
  const state = `${folder}/${port}.json`;
  const args = [PROGRAM, '--port', port, '--auto-merchants', '--state', state, '--quiet'];
  const url = `http://127.0.0.1:${port}`;
  return { end: await start(process.execPath, args, url), port, url };
}

/** Starts a program, and waits until it answers. Answers how to end it, which answers its exit code. */
async function start(program, args, url, user = {}) {
  const child = spawn(program, args, { ...user, env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (text) => {
      said += text;
    });
  }
  const end = (signal) => {
    child.kill(signal);
    running.delete(end);
    return ended;
  };
  running.add(end);
  const isThere = () => fetch(`${url}/livez`).then(Boolean, () => false);
  for (let tries = 0; !(await isThere()); tries++) {
    if (child.exitCode !== null || tries > 3000) throw new Error(`${program}: ${said}`);
    await sleep(10);
  }
  return end;
}

/** Starts nginx before these sandboxes, once it has nothing against its configuration. Answers its address. */
async function startNginx(name, behind) {
  const home = `${folder}/${name}`;
  const port = await freePort();
  fs.mkdirSync(home);
  if (NOBODY.uid !== undefined) fs.chownSync(home, NOBODY.uid, NOBODY.gid);
  fs.writeFileSync(`${home}.conf`, configurationFor(port, behind));
  const args = ['-e', 'stderr', '-p', home, '-c', `${home}.conf`];
  const options = { ...NOBODY, env, encoding: 'utf8' };
  const { status, stderr } = spawnSync('nginx', ['-t', ...args], options);
  if (status !== 0 || /\[(warn|alert|emerg)\]/.test(stderr)) throw new Error(stderr);
  const url = `http://127.0.0.1:${port}`;
  await start('nginx', args, url, NOBODY);
  return url;
}

/** The example's configuration with its sandboxes and a port of its own. */
function configurationFor(port, sandboxes) {
  const [line, ...more] = CONFIGURATION.match(/^ *server 127\.0\.0\.1:\d+ .*\n/gm);
  let text = CONFIGURATION.replace(/(^ *listen \S+:)\d+/m, `$1${port}`);
  for (const each of more) text = text.replace(each, '');
  const lines = sandboxes.map((sandbox) => line.replace(/:\d+/, `:${sandbox.port}`));
  return text.replace(line, lines.join(''));
}

/** Something on a port that takes no connection, as a machine that is gone. */
async function startStuck() {
  const port = await freePort();
  const listening = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => process.kill(process.pid, 'SIGSTOP'))`;
  const child = spawn(process.execPath, ['-e', listening], { stdio: 'ignore' });
  const sockets = [];
  const end = () => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  };
  running.add(end);
  // The system takes two connections for a program that takes none; from then on nobody is answered.
  while (sockets.filter(({ destroyed }) => !destroyed).length < 6) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
    await sleep(50);
  }
  return { port };
}

/**
 * A port that nothing listens on, below those that systems give to connections: of these one could be taken while
 * a sandbox is down.
 */
async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => false);
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}

/** Calls with a key, or without one. */
const call = (base, path, { key, body, headers, ...init } = {}) =>
  fetch(base + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    ...init,
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });

/** The body of a call that has to succeed. */
async function ask(base, path, options) {
  const response = await call(base, path, options);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Asks with headers as they are: the platform's fetch makes its own Host, and trims. */
async function askRaw(address, headers) {
  const [response] = await once(get(address, { headers }), 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return JSON.parse(text);
}

const shopOf = (apiKey, baseUrl = url) => createShop({ baseUrl, apiKey });
/** A list as it left: the bytes of its answer. */
const listText = async (key, base = url) => JSON.stringify(await ask(base, LIST, { key }));

/** The keys that a sandbox itself has Worlds for, those of the fixtures left out. */
async function keysOf(sandbox) {
  const { data } = await ask(sandbox.url, '/_sandbox/merchants', { key: ADMIN });
  return data.map(({ api_key: key }) => key).filter((key) => !key.startsWith('sk_sandbox_'));
}

/** Does something for each of many at once; answers what came of each. */
const forEach = (items, work) => Promise.all(items.map(work));

/** Holds that a response is the balancer's own refusal, in the form of the control plane's. */
async function assertProblem(response, ...statuses) {
  assert.ok(statuses.includes(response.status), `${response.url}: ${response.status}`);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const { title, detail, ...more } = await response.json();
  assert.match(`${title}: ${detail}`, /^[A-Z].*: .+\.$/);
  assert.deepEqual(more, { type: 'about:blank', status: response.status });
}

test('a key is one key however the header writes it', async () => {
  const key = 'sk_written';
  const policy = await shopOf(key).sell(ADA);
  const ways = [`bearer ${key}`, `BEARER   ${key}`, ` Bearer ${key}  `, `\tBearer ${key}\t`];
  for (const authorization of ways) {
    const { data } = await askRaw(url + LIST, { authorization });
    assert.equal(data.data[0]?.policy_no, policy.policy_no, JSON.stringify(authorization));
  }
});

test('lists name the address that was asked in their page URLs', async () => {
  const key = 'sk_pages';
  for (let time = 0; time < 2; time++) await shopOf(key).sell(ADA);
  const { data: first } = await ask(url, `${LIST}?per_page=1`, { key });
  assert.equal(new URL(first.next_page_url).origin, url);
  assert.equal(first.path, url + LIST);
  assert.equal((await ask('', first.next_page_url, { key })).data.from, 2);
  const host = 'sandboxes.example:8080';
  const named = await askRaw(url + LIST, { host, authorization: `Bearer ${key}` });
  assert.equal(named.data.path, `http://${host}${LIST}`);
});

test('every call over a whole sandbox is refused', async () => {
  const { paths } = await ask(url, '/_sandbox/openapi.json');
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags?.includes('Sandbox'))
      .map(([method]) => [path.replace('{id}', 1), method.toUpperCase()]),
  );
  assert.ok(calls.length >= 7, 'the document names them');
  for (const [path, method] of [...calls, ['/_sandbox/%6Derchants', 'GET']]) {
    for (const key of [ADMIN, 'sk_world', undefined]) {
      await assertProblem(await call(url, path, { key, method }), 403);
    }
  }
});

test('pages, their files, documents and health need no key', async () => {
  const pages = ['/', '/docs', '/docs/control', '/_sandbox', '/_sandbox/assets/inspector.js'];
  const others = ['/livez', '/readyz', '/openapi.json', '/openapi-3.0.json'];
  for (const path of [...pages, ...others]) {
    // From each sandbox.
    for (const _ of sandboxes) assert.equal((await call(url, path)).status, 200, path);
  }
});

test('a fault acts as without nginx, but for a dropped answer, which is 502', async () => {
  const key = 'sk_faults';
  const withFault = (fault, more) =>
    call(url, LIST, { key, headers: { 'sandbox-fault': fault }, ...more });
  const refused = await withFault('before; respond; status=502');
  assert.equal(refused.status, 502);
  assert.doesNotMatch(await refused.text(), /No other has the World/);
  await assertProblem(await withFault('after; drop'), 502);
  const cut = await withFault('after; truncate');
  assert.equal(cut.status, 200);
  await assert.rejects(cut.text());

  // A hang ends in the sandbox too once the client gives up: only then is it in the journal.
  const body = { count: 1, timeout: 'PT1M' };
  const awaited = ask(url, '/_sandbox/journal/await', { key: 'sk_hang', body });
  const signal = AbortSignal.timeout(200);
  await assert.rejects(withFault('before; hang', { key: 'sk_hang', signal }));
  assert.equal((await awaited).data[0].fault.effect.kind, 'hang');
});

test('a snapshot of some megabytes goes through both ways', async () => {
  const [from, to] = ['sk_large', 'sk_copy'];
  await ask(url, '/_sandbox/clock', { key: from, method: 'PUT', body: { mode: 'frozen' } });
  // What a call sent and was answered is in the journal, and the journal in the snapshot.
  const note = 'x'.repeat(900_000);
  const body = { product_id: 1, no_of_users: 2, subscription_type: 'monthly', note };
  for (let time = 0; time < 5; time++) await ask(url, QUOTE, { key: from, body });
  const whole = await (await call(url, '/_sandbox/snapshot', { key: from })).text();
  assert.ok(whole.length > 4_000_000, `it has ${whole.length} bytes`);
  await ask(url, '/_sandbox/snapshot', { key: to, method: 'PUT', body: JSON.parse(whole) });
  const copy = await (await call(url, '/_sandbox/snapshot', { key: to })).text();
  assert.ok(copy === whole, 'the copy is the same to the byte');
});

test('200 keys stay in their sandboxes', async () => {
  for (let round = 0; round < 3; round++) await forEach(KEYS, (key) => ask(url, LIST, { key }));
  for (const sandbox of sandboxes) {
    const held = (await keysOf(sandbox)).filter((key) => KEYS.includes(key));
    assert.ok(held.length >= LEAST_SHARE, `one has ${held.length} keys`);
    for (const key of held) {
      assert.ok(!homes.has(key), `${key} is in one sandbox`);
      homes.set(key, sandbox.port);
    }
  }
  assert.equal(homes.size, KEYS.length);
});

test('a killed sandbox has lost nothing, and nobody took its keys meanwhile', async () => {
  const [dead, ...others] = sandboxes;
  const some = keysAt(dead).slice(0, 30);
  const tokens = await forEach(some, async (key) => {
    await shopOf(key).sell(ADA);
    return shopOf(key).reserve(ADA);
  });
  const lists = await forEach(some, (key) => listText(key));
  await dead.end('SIGKILL');
  await forEach(keysAt(dead), async (key) => {
    await assertProblem(await call(url, LIST, { key }), 502, 504);
  });
  await forEach(others.flatMap(keysAt), (key) => ask(url, LIST, { key }));

  sandboxes[0] = await startSandbox(dead.port);
  assert.deepEqual(await forEach(some, (key) => listText(key)), lists);
  await forEach(some, (key, index) => shopOf(key).pay(tokens[index]));
  await forEach(KEYS, (key) => ask(url, LIST, { key }));
  for (const sandbox of sandboxes) {
    const held = (await keysOf(sandbox)).filter((key) => homes.has(key));
    assert.deepEqual(held.sort(), keysAt(sandbox).sort());
  }
});

test('a fourth takes its share, no other key moves, and a World is brought after', async () => {
  const fourth = await startSandbox(await freePort());
  const wider = await startNginx('four', [...sandboxes, fourth]);
  const was = await forEach(KEYS, (key) => listText(key));
  const places = await forEach(KEYS, async (key) => {
    const { headers } = await call(wider, LIST, { key });
    return Number(headers.get('sandbox-upstream').split(':')[1]);
  });
  const moved = KEYS.filter((key, index) => places[index] !== homes.get(key));
  assert.ok(moved.length >= LEAST_SHARE / 2 && moved.length <= 90, `${moved.length} moved`);
  assert.deepEqual((await keysOf(fourth)).sort(), moved.toSorted());
  for (const key of moved) {
    // As the README says: out of the sandbox that had it, and in by the new address.
    const home = sandboxes.find((sandbox) => sandbox.port === homes.get(key));
    const world = await ask(home.url, '/_sandbox/snapshot', { key });
    await ask(wider, '/_sandbox/snapshot', { key, method: 'PUT', body: world });
  }
  const now = await forEach(KEYS, (key) => listText(key, wider));
  const renamed = was.map((text) => text.replaceAll(url, wider));
  assert.deepEqual(now, renamed);
});

test('a sandbox that takes no connection is 504 soon', async () => {
  const stuck = await startNginx('stuck', [await startStuck()]);
  const signal = AbortSignal.timeout(10_000);
  await assertProblem(await call(stuck, LIST, { key: KEYS[0], signal }), 504);
});

test('start.sh starts what nginx.conf names, ends it, and goes on where it was', async () => {
  const copy = `${folder}/clone/examples/nginx`;
  const ports = [await freePort(), await freePort(), await freePort()];
  const [address, ...behind] = ports.map((port) => ({ port, url: `http://127.0.0.1:${port}` }));
  fs.mkdirSync(copy, { recursive: true });
  fs.symlinkSync(`${process.cwd()}/bin`, `${folder}/clone/bin`);
  fs.copyFileSync('examples/nginx/start.sh', `${copy}/start.sh`);
  fs.writeFileSync(`${copy}/nginx.conf`, configurationFor(address.port, behind));
  const run = () => start('sh', [`${copy}/start.sh`], address.url);

  const end = await run();
  const shop = shopOf('sk_script', address.url);
  const token = await shop.reserve(ADA);
  assert.deepEqual((await Promise.all(behind.map(keysOf))).flat(), ['sk_script']);
  assert.equal(await end('SIGTERM'), 0);
  for (const each of [address, ...behind]) await assert.rejects(call(each.url, '/livez'));

  const endAgain = await run();
  assert.match((await shop.pay(token)).policy_no, /^\d{10}$/);
  assert.equal(await endAgain('SIGTERM'), 0);
});
