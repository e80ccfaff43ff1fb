/* Serves a sandbox on a port of this machine. */

import { createServer, type ServerResponse } from 'node:http';
import type { ServedTools } from '../control/access.ts';
import type { Host } from '../control/host.ts';
import { openCore, type SandboxCore } from '../sandbox/core.ts';
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  PROGRAM,
  type ServerOptions,
} from '../sandbox/start-options.ts';
import { disposal } from '../world/platform.ts';
import { refuseUnreadable } from './client-errors.ts';
import { addressOf, listen, trackConnections } from './connections.ts';
import { createListener } from './listener.ts';
import type { LogOptions } from './output.ts';

/** Longer than a pause between two tests, so that no client uses a closing socket. */
const KEEP_ALIVE_MS = 65_000;

const warnOnConsole = (message: string): void => console.error(`${PROGRAM}: ${message}`);

/** `::1` for `[::1]`, which is how a URL has it. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');

/** Settings that differ between the command and an embedded server. */
export interface ServerSettings {
  /** Prints a warning; on the console by default. */
  readonly warn?: (line: string) => void;
  /** The request log, if any. */
  readonly log?: LogOptions | undefined;
  readonly observer?: Host['observer'];
}

/** A sandbox that listens on a port. */
export interface CoreServer {
  /** Base URL without a trailing slash: `http://127.0.0.1:4015`. */
  readonly url: string;
  readonly port: number;
  readonly core: SandboxCore;
  /** Stops the server, as `SandboxServer.close` does. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Lets the connection of a response serve no other call. */
function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Starts a server without loading the code that only methods and control calls need. */
export async function serveSandbox(
  options: Omit<ServerOptions, 'log'>,
  { warn = warnOnConsole, log, observer }: ServerSettings,
  tools: ServedTools,
): Promise<CoreServer> {
  const { port = DEFAULT_PORT, host: given = DEFAULT_HOST, state, ...sandboxOptions } = options;
  const host = withoutBrackets(given);
  // Loaded on demand: most sandboxes need neither.
  const load = () => import('./kept-state.ts');
  const loadLog = () => import('./request-log.ts');
  const core = openCore(sandboxOptions, { warn, observer }, tools);
  const kept =
    state === undefined ? undefined : await (await load()).keepStateIn(state, core, warn);
  const requestLog = log && (await loadLog()).createRequestLog(log);
  requestLog?.watch(core.store.activity);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A large snapshot may take longer than the five minutes of Node's default.
      requestTimeout: 0,
      headersTimeout: 60_000,
      // `checkTarget` refuses requests without a Host, with a message.
      requireHostHeader: false,
    },
    createListener(core, requestLog),
  );
  // A lost response stays lost: clients send a call again by themselves on a connection that they used before.
  if (observer) server.prependListener('request', (_, response) => endAfter(response));
  refuseUnreadable(server, (status, detail) => {
    const line = { method: '-', path: '-', elapsedMs: 0 };
    requestLog?.add({ kind: 'refused', ...line, status, problems: [detail] });
  });
  const closeServer = trackConnections(server);
  try {
    await listen(server, port, host);
  } catch (error) {
    await kept?.release();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const end = async () => {
    await core.close();
    await closeServer();
    await requestLog?.end();
    await kept?.save();
  };
  const close = () => {
    closed ??= end();
    return closed;
  };
  return { ...addressOf(server), core, close, ...disposal(close) };
}
