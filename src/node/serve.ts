import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wait } from '../core/clock.ts';
import type { Sandbox, SandboxOptions } from '../public.ts';
import { createSandbox } from '../sandbox.ts';
import { createListener } from './listener.ts';
import { restoreState, saveState } from './state-file.ts';

export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

export interface ServerOptions extends SandboxOptions {
  /** 0 takes a free one; 4015 unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given: this machine only. */
  readonly host?: string;
  /** A file that is restored at the start if it exists, and written whole by `close()`. */
  readonly state?: string;
}

/** The port or the address can't be had. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** A sandbox that answers over a socket. */
export interface SandboxServer {
  /** Where it answers, without a slash at its end: `http://127.0.0.1:4015`. */
  readonly url: string;
  readonly port: number;
  readonly sandbox: Sandbox;
  /** Ends every connection, what waits included, and leaves nothing open. */
  close(): Promise<void>;
}

/** How long what is under way may take to finish once the server closes. */
const GRACE_MS = 300;
/** Longer than the pause between two tests of a suite, so that a client never meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;

/** Serves a sandbox. Rejects if it can't be made, if its state can't be read, or if the port is taken. */
export async function startSandbox(options: ServerOptions = {}): Promise<SandboxServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, state, ...own } = options;
  const sandbox = createSandbox(own);
  if (state !== undefined) restoreState(sandbox, state);
  const closing = new AbortController();
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    createListener(sandbox, closing.signal),
  );
  await listen(server, port, host);

  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await stop(server);
    if (state !== undefined) saveState(sandbox, state);
  };
  const address = server.address() as AddressInfo;
  return {
    url: `http://${reachable(address)}:${address.port}`,
    port: address.port,
    sandbox,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(whyNot(error, port, host), { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken; another sandbox may be running. Choose another port, or 0 for a free one.`;
    case 'EACCES':
      return `Port ${port} of ${host} is not open to this user; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host} to listen on.`;
    default:
      return `Can't listen on port ${port} of ${host}: ${error.message}`;
  }
}

async function stop(server: Server): Promise<void> {
  const over = new AbortController();
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  void wait(GRACE_MS, over.signal).then(() => server.closeAllConnections());
  await stopped;
  over.abort();
}

/** The address as a client on this machine writes it. */
function reachable({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}
