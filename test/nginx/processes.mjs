/* Starts sandboxes, and nginx by the configuration of the example, on free ports. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ADMIN = 'nginx-admin';

const fileOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAM = fileOf('bin/micro-insurance-sandbox.cjs');
const CONFIGURATION = readFileSync(fileOf('examples/nginx/nginx.conf'), 'utf8');
// Where Debian has nginx is not in the PATH of ordinary users.
const PATH = `${process.env.PATH}:/usr/sbin`;
/** nginx runs as an ordinary user, also where the test is run by root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const MAX_START_MS = 30_000;

/** What was started and has not been ended. */
const running = new Set();

/** What `nginx -v` says; undefined where there is none. */
/** The example's configuration with its sandboxes and a port of its own. */
export function configurationFor(port, sandboxes) {
  const [line, ...more] = CONFIGURATION.match(/^ *server 127\.0\.0\.1:\d+ .*\n/gm);
  let text = CONFIGURATION.replace(/(^ *listen \S+:)\d+/m, `$1${port}`);
  for (const each of more) text = text.replace(each, '');
  const lines = sandboxes.map((sandbox) => line.replace(/:\d+/, `:${sandbox.port}`));
  return text.replace(line, lines.join(''));
}

/** Starts nginx with this configuration, once it has said that it has nothing against it. */
export async function startNginx(folder, port, configuration) {
  mkdirSync(folder);
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const file = `${folder}.conf`;
  writeFileSync(file, configuration);
  const args = ['-e', 'stderr', '-p', folder, '-c', file];
  const { status, stderr } = spawnSync('nginx', ['-t', ...args], {
    ...NOBODY,
    env: { PATH },
    encoding: 'utf8',
  });
  if (status !== 0 || /\[(warn|alert|emerg)\]/.test(stderr)) throw new Error(stderr);
  const url = `http://127.0.0.1:${port}`;
  return { ...(await start('nginx', args, { ...NOBODY, env: { PATH } }, url)), url };
}

/** Starts the command as the example does; started again it has the same port and the same file. */
export async function startSandbox(folder, port) {
  const args = ['--port', port, '--auto-merchants', '--state', `${folder}/${port}.json`, '--quiet'];
  const options = { env: { PATH, SANDBOX_ADMIN_TOKEN: ADMIN } };
  const url = `http://127.0.0.1:${port}`;
  return { ...(await start(process.execPath, [PROGRAM, ...args], options, url)), port, url };
}

/** Something on a port that takes no connection, as a machine that is gone. */
export async function startStuck() {
  const port = await freePort();
  const listening = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => process.kill(process.pid, 'SIGSTOP'))`;
  const child = spawn(process.execPath, ['-e', listening], { stdio: 'ignore' });
  const sockets = [];
  const end = () => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  };
  running.add({ end });
  // The system takes two connections for a program that takes none; from then on nobody is answered.
  while (sockets.filter(({ destroyed }) => !destroyed).length < 6) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
    await sleep(50);
  }
  return { port };
}

/** Starts a program, and waits until it answers at `url`. */
export async function start(program, args, options, url) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const started = {
    /** What it has written. */
    said: () => said,
    /** Sends a signal and waits until the program and what it started are gone; answers its exit code. */
    async end(signal) {
      child.kill(signal);
      await ended;
      running.delete(started);
      return child.exitCode;
    },
  };
  running.add(started);
  const begun = performance.now();
  while (!(await isAnswered(url))) {
    if (child.exitCode !== null || performance.now() - begun > MAX_START_MS) {
      throw new Error(`${program} ${args.join(' ')} does not answer.\n${said}`);
    }
    await sleep(10);
  }
  return started;
}

async function isAnswered(url) {
  try {
    await (await fetch(`${url}/livez`)).text();
    return true;
  } catch {
    return false;
  }
}

/** Ends whatever still runs, as it ends by itself: workers of a killed nginx would go on. */
export async function endAll() {
  await Promise.all([...running].map((program) => program.end('SIGTERM')));
}

/**
 * A port that nothing listens on, below those that systems give to connections: of these one could be taken while
 * a sandbox is down.
 */
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
