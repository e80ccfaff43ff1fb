import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ControlError, problemOf } from '../control/control-error.ts';
import { wait } from '../core/clock.ts';
import { joinBody } from '../core/journal.ts';
import { ConnectionLost } from '../http/connection-lost.ts';
import type { ResponseParts } from '../http/context.ts';
import type { Sandbox, SandboxOptions } from '../public.ts';
import { createHostedSandbox } from '../sandbox.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from './config.ts';
import { PROGRAM } from './help.ts';
import { restoreState, saveState } from './state-file.ts';

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

/**
 * Serves a sandbox inside another program, whose `Request` and `Response` stay the platform's. Rejects if it
 * can't be made, if its state can't be read, or if the port is taken.
 */
export const startSandbox = (options: ServerOptions = {}): Promise<SandboxServer> =>
  startServer(options, {
    overrideGlobalObjects: false,
    warn: (message) => console.error(`${PROGRAM}: ${message}`),
  });

/**
 * Serves a sandbox. With `overrideGlobalObjects` this process's `Request` and `Response` become those of
 * `@hono/node-server`, which are faster: for a process that is the sandbox's own.
 */
export async function startServer(
  options: ServerOptions,
  own: {
    readonly overrideGlobalObjects: boolean;
    /** Tells whoever runs it something they should know. */
    readonly warn: (message: string) => void;
  },
): Promise<SandboxServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, state, ...sandboxOptions } = options;
  const sandbox = createHostedSandbox(sandboxOptions, own);
  if (state !== undefined) restoreState(sandbox, state);
  const closing = new AbortController();
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    createListener(sandbox, closing.signal, own.overrideGlobalObjects),
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

/** Answers Node's requests from a sandbox. The signal ends what waits: `hang`, `delay`, `journal/await`. */
function createListener(
  sandbox: Pick<Sandbox, 'fetch'>,
  closing: AbortSignal,
  overrideGlobalObjects: boolean,
): RequestListener {
  return getRequestListener(
    async (request, bindings) => {
      // Of the two kinds of bindings there are, a server of node:http gives these.
      const { incoming, outgoing } = bindings as HttpBindings;
      const { rawHeaders, socket } = incoming;
      try {
        const connection = { rawHeaders, remoteAddress: socket.remoteAddress, closing };
        return await sandbox.fetch(request, connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        loseConnection(outgoing, error.truncated);
        return RESPONSE_ALREADY_SENT;
      } finally {
        if (incoming.readableDidRead && !incoming.readableEnded) discardRest(incoming);
      }
    },
    // The host of a request that names none.
    { hostname: 'localhost', overrideGlobalObjects, errorHandler },
  );
}

/**
 * Lets go what nobody read of a body that was refused half-way, as Node does with one that nobody touched:
 * a connection whose request has not ended takes no other.
 */
function discardRest(incoming: IncomingMessage): void {
  incoming.removeAllListeners('data').resume();
}

/** Ends a connection without a response, or in the middle of one. */
function loseConnection(outgoing: ServerResponse, truncated: ResponseParts | undefined): void {
  const { socket } = outgoing;
  if (!socket || socket.destroyed) return;
  if (!truncated) {
    socket.resetAndDestroy();
    return;
  }
  const { status, headers, body } = truncated;
  const bytes = Buffer.from(joinBody(body));
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1));
  // What was written leaves first.
  socket.destroySoon();
}

/** Answers what never reached the sandbox, and what it failed at. */
function errorHandler(error: unknown): Response {
  const isUnreadable = error instanceof RequestError;
  if (!isUnreadable) console.error(error);
  const problem = problemOf(
    isUnreadable
      ? new ControlError(400, 'The Host or the path of the request can not be read.')
      : error,
  );
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  });
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
