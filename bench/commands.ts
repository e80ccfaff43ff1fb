import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Call } from './calls.ts';

/** A server with its start command and one request to it. */
export interface Contender {
  /** What runs it. Default: this Node. */
  readonly program?: string | undefined;
  /** The arguments of the program. */
  command(port: number): readonly string[];
  readonly call: Call;
}

/** Without it, Node 20 reads the file that this variable names at every start. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const GIVE_UP_MS = 30_000;

/** A started server, and the milliseconds from its start to the first success. */
export interface Started {
  readonly port: number;
  readonly milliseconds: number;
  stop(): Promise<void>;
}

export async function start({
  program = process.execPath,
  command,
  call,
}: Contender): Promise<Started> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(program, command(port), { env, stdio: 'ignore' });
  try {
    while (!(await answers(port, call))) {
      if (child.exitCode !== null) throw new Error(`${command(port).join(' ')}: the process ended`);
      if (performance.now() - started > GIVE_UP_MS) {
        throw new Error(`${command(port).join(' ')}: no response`);
      }
    }
  } catch (error) {
    await end(child);
    throw error;
  }
  const milliseconds = performance.now() - started;
  return { port, milliseconds, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether a request succeeds; false if the server is not ready yet. */
const answers = (port: number, { method, path, headers, body }: Call): Promise<boolean> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    request({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } })
      .on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode === 200));
      })
      .on('error', () => setTimeout(resolve, 1, false))
      .end(body);
  });
