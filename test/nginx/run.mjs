/*
 * Runs sandboxes behind nginx like examples/nginx. Checks that a key always reaches its World, and
 * that requests and responses pass nginx unchanged: `npm run test:nginx`.
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
import { sampleRequests } from 'micro-insurance-sandbox';
import { createShop } from '../../examples/node-test/shop.mjs';
import { provide } from '../../scripts/needs.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const ADA = sampleRequests.initiateMicroHealthSubscription;
const PROGRAM = 'bin/micro-insurance-sandbox.cjs';
const CONFIGURATION = fs.readFileSync('examples/nginx/nginx.conf', 'utf8');
const ADMIN = 'nginx-admin';
/** On Debian, nginx is not in the PATH of ordinary users. */
const env = { PATH: `${process.env.PATH}:/usr/sbin`, SANDBOX_ADMIN_TOKEN: ADMIN };
/** nginx runs as an ordinary user, even if root runs the test. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const LIST = '/api/merchant/micro_health/all_subscriptions';
const QUOTE = '/api/merchant/micro_health/get_quote';
const KEYS = Array.from({ length: 200 }, (_, number) => `sk_team_${number}`);
/** A third of 200 keys is 67, but consistent hashing is uneven. */
const LEAST_SHARE = 25;

const folder = fs.mkdtempSync(`${tmpdir()}/sandboxes-`);
// nginx may run as another user.
fs.chmodSync(folder, 0o755);
/** Functions that stop the running programs. */
const running = new Set();
const sandboxes = [];
let url;
/** The port of the sandbox with the World of a key. */
const homes = new Map();
const keysAt = ({ port }) => KEYS.filter((key) => homes.get(key) === port);

before(async () => {
  await provide('nginx');
  for (let count = 0; count < 3; count++) sandboxes.push(await startSandbox(await freePort()));
  url = await startNginx('three', sandboxes);
});
after(async () => {
  // Not SIGKILL, because the workers of a killed nginx would keep running.
  await Promise.all([...running].map((end) => end('SIGTERM')));
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Starts the command like the example. A restart uses the same port and file. */
async function startSandbox(port) {
  const state = `${folder}/${port}.json`;
  const args = [PROGRAM, '--port', port, '--auto-merchants', '--state', state, '--quiet'];
  const url = `http://127.0.0.1:${port}`;
  return { end: await start(process.execPath, args, url), port, url };
}

/** Starts a program, and waits until it responds. The result stops it and returns its exit code. */
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
  let why;
  const isThere = () =>
    fetch(`${url}/livez`).then(Boolean, (error) => {
      why = error.cause?.message ?? error.message;
      return false;
    });
  for (let tries = 0; !(await isThere()); tries++) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || tries > 1000) {
      await end('SIGTERM');
      const exit = child.exitCode ?? child.signalCode;
      throw new Error(`${program} on ${url}: ${why}; it ended with ${exit}: ${said}`);
    }
    await sleep(10);
  }
  return end;
}

/** Starts nginx in front of these sandboxes. Another program may take its port, so it tries three. Returns its URL. */
async function startNginx(name, behind) {
  for (let tries = 1; ; tries++) {
    try {
      return await tryNginx(`${name}-${tries}`, behind);
    } catch (error) {
      console.error(error);
      if (tries === 3) throw error;
    }
  }
}

/** Checks the configuration, and starts nginx on a free port. */
async function tryNginx(name, behind) {
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

/** The example's configuration with other sandboxes and another port. */
function configurationFor(port, sandboxes) {
  const [line, ...more] = CONFIGURATION.match(/^ *server 127\.0\.0\.1:\d+ .*\n/gm);
  let text = CONFIGURATION.replace(/(^ *listen \S+:)\d+/m, `$1${port}`);
  for (const each of more) text = text.replace(each, '');
  const lines = sandboxes.map((sandbox) => line.replace(/:\d+/, `:${sandbox.port}`));
  return text.replace(line, lines.join(''));
}

/** A port that accepts no connection, like a machine that is down. */
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
  // The system accepts two connections for the stopped program, and no more.
  while (sockets.filter(({ destroyed }) => !destroyed).length < 6) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
    await sleep(50);
  }
  return { port };
}

/**
 * A free port below those for outgoing connections. A connection could take one of these while a
 * sandbox is down. Fetch calls no port 10080.
 */
async function freePort() {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => false);
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}

/** Sends a request, with or without a key. */
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

/** Sends a request that must succeed. Returns the body of the response. */
async function ask(base, path, options) {
  const response = await call(base, path, options);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Sends headers unchanged: fetch would set its own Host and trim values. */
async function askRaw(address, headers) {
  const [response] = await once(get(address, { headers }), 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return JSON.parse(text);
}

const shopOf = (apiKey, baseUrl = url) => createShop({ baseUrl, apiKey });
/** The text of a list. */
const listText = async (key, base = url) => JSON.stringify(await ask(base, LIST, { key }));

/** The keys with a World in a sandbox, without those of the fixtures. */
async function keysOf(sandbox) {
  const { data } = await ask(sandbox.url, '/_sandbox/merchants', { key: ADMIN });
  return data.map(({ api_key: key }) => key).filter((key) => !key.startsWith('sk_sandbox_'));
}

/** Runs `work` for all items concurrently. */
const forEach = (items, work) => Promise.all(items.map(work));

/** Expects a refusal by nginx itself, in the format of the control plane. */
async function assertProblem(response, ...statuses) {
  assert.ok(statuses.includes(response.status), `${response.url}: ${response.status}`);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const { title, detail, ...more } = await response.json();
  assert.match(`${title}: ${detail}`, /^[A-Z].*: .+\.$/);
  assert.deepEqual(more, { type: 'about:blank', status: response.status });
}

test('a key reaches its World whatever the case and spaces of its header', async () => {
  const key = 'sk_written';
  const policyNo = await shopOf(key).sell(ADA);
  const ways = [`bearer ${key}`, `BEARER   ${key}`, ` Bearer ${key}  `, `\tBearer ${key}\t`];
  for (const authorization of ways) {
    const { data } = await askRaw(url + LIST, { authorization });
    assert.equal(data.data[0]?.policy_no, policyNo, JSON.stringify(authorization));
  }
});

test('page URLs have the address of the request', async () => {
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

test('every operation on a whole sandbox is refused', async () => {
  const { paths } = await ask(url, '/_sandbox/openapi.json');
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags?.includes('Sandbox'))
      .map(([method]) => [path.replace('{id}', 1), method.toUpperCase()]),
  );
  assert.ok(calls.length >= 7, 'the document lists the operations');
  for (const [path, method] of [...calls, ['/_sandbox/%6Derchants', 'GET']]) {
    for (const key of [ADMIN, 'sk_world', undefined]) {
      await assertProblem(await call(url, path, { key, method }), 403);
    }
  }
});

test('pages, documents and health checks need no key', async () => {
  const pages = ['/', '/docs', '/docs/control', '/_sandbox', '/_sandbox/assets/inspector.js'];
  const others = ['/livez', '/readyz', '/openapi.json', '/openapi-3.0.json'];
  for (const path of [...pages, ...others]) {
    // Once for each sandbox.
    for (const _ of sandboxes) assert.equal((await call(url, path)).status, 200, path);
  }
});

test('faults apply as without nginx, except that a dropped response may be 502', async () => {
  const key = 'sk_faults';
  const withFault = (fault, more) =>
    call(url, LIST, { key, headers: { 'sandbox-fault': fault }, ...more });
  const refused = await withFault('before; respond; status=502');
  assert.equal(refused.status, 502);
  assert.doesNotMatch(await refused.text(), /No other has the World/);
  // On a connection that nginx reuses, the headers are sent before the reset.
  const lost = await withFault('after; drop');
  if (lost.status === 502) await assertProblem(lost, 502);
  else await assert.rejects(lost.text());
  const cut = await withFault('after; truncate');
  assert.equal(cut.status, 200);
  await assert.rejects(cut.text());

  // A hanging request is in the journal only after the client aborts it.
  const body = { count: 1, timeout: 'PT1M' };
  const awaited = ask(url, '/_sandbox/journal/await', { key: 'sk_hang', body });
  const signal = AbortSignal.timeout(200);
  await assert.rejects(withFault('before; hang', { key: 'sk_hang', signal }));
  assert.equal((await awaited).data[0].fault.effect.kind, 'hang');
});

test('a snapshot of 4 MB passes in both directions', async () => {
  const [from, to] = ['sk_large', 'sk_copy'];
  await ask(url, '/_sandbox/clock', { key: from, method: 'PUT', body: { mode: 'frozen' } });
  // The journal contains the bodies of requests, and the snapshot contains the journal.
  const note = 'x'.repeat(900_000);
  const body = { product_id: 1, no_of_users: 2, subscription_type: 'monthly', note };
  for (let time = 0; time < 5; time++) await ask(url, QUOTE, { key: from, body });
  const whole = await (await call(url, '/_sandbox/snapshot', { key: from })).text();
  assert.ok(whole.length > 4_000_000, `it has ${whole.length} bytes`);
  await ask(url, '/_sandbox/snapshot', { key: to, method: 'PUT', body: JSON.parse(whole) });
  const copy = await (await call(url, '/_sandbox/snapshot', { key: to })).text();
  // Putting a World back is an event of it.
  const withoutEvents = (text) => {
    const { journal, ...world } = JSON.parse(text).world;
    return JSON.stringify({ ...world, journal: journal.filter(({ kind }) => kind === undefined) });
  };
  assert.ok(withoutEvents(copy) === withoutEvents(whole), 'the copy has the same rows');
});

test('200 keys stay in their sandboxes', async () => {
  for (let round = 0; round < 3; round++) await forEach(KEYS, (key) => ask(url, LIST, { key }));
  for (const sandbox of sandboxes) {
    const held = (await keysOf(sandbox)).filter((key) => KEYS.includes(key));
    assert.ok(held.length >= LEAST_SHARE, `one has ${held.length} keys`);
    for (const key of held) {
      assert.ok(!homes.has(key), `${key} is in one sandbox only`);
      homes.set(key, sandbox.port);
    }
  }
  assert.equal(homes.size, KEYS.length);
});

test('a killed sandbox loses nothing, and no other sandbox takes its keys', async () => {
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

test('a fourth sandbox takes a share of the keys, and Worlds can be moved to it', async () => {
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
    // As in the README: downloaded from the old sandbox, uploaded to the new address.
    const home = sandboxes.find((sandbox) => sandbox.port === homes.get(key));
    const world = await ask(home.url, '/_sandbox/snapshot', { key });
    await ask(wider, '/_sandbox/snapshot', { key, method: 'PUT', body: world });
  }
  const now = await forEach(KEYS, (key) => listText(key, wider));
  const renamed = was.map((text) => text.replaceAll(url, wider));
  assert.deepEqual(now, renamed);
});

test('a sandbox that accepts no connection is 504 within ten seconds', async () => {
  const stuck = await startNginx('stuck', [await startStuck()]);
  const signal = AbortSignal.timeout(10_000);
  await assertProblem(await call(stuck, LIST, { key: KEYS[0], signal }), 504);
});

test('start.sh starts and stops the sandboxes of nginx.conf, and keeps their state', async () => {
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
  assert.match(await shop.pay(token), /^\d{10}$/);
  assert.equal(await endAgain('SIGTERM'), 0);
});
