/* Starts a server with a sandbox behind it, for the command and for `startSandbox`. */

import { createServer } from 'node:http';
import type { Host } from '../control/host.ts';
import { openCore, type SandboxCore } from '../core.ts';
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  PROGRAM,
  RUN_VARIABLE,
  type ServerOptions,
} from '../start-options.ts';
import { SERVED_TOOLS } from '../tools/served.ts';
import { disposal, readEnvironment } from '../world/platform.ts';
import { refuseUnreadable } from './client-errors.ts';
import { addressOf, listen, trackConnections } from './connections.ts';
import { createListener } from './listener.ts';
import type { LogOptions } from './output.ts';

/** Longer than a pause between two tests, so that no client uses a closing socket. */
const KEEP_ALIVE_MS = 65_000;
/** Long enough for a client on this machine, short enough for tests that close their own server. */
const QUIET_MS = 30;

const warnOnConsole = (message: string): void => console.error(`${PROGRAM}: ${message}`);

/** Settings that differ between the command and an embedded server. */
export interface ServerSettings {
  /** How long an idle connection stays open while the server closes. */
  readonly quietMs?: number;
  /** Prints a warning; on the console by default. */
  readonly warn?: (line: string) => void;
  /** The request log, if any. */
  readonly log?: LogOptions | undefined;
  /** By default that of the `chaos` run that this process belongs to. */
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

/** Starts a server without loading the code that only methods and control calls need. */
export async function startServer(
  options: Omit<ServerOptions, 'log'>,
  { quietMs = QUIET_MS, warn = warnOnConsole, log, observer }: ServerSettings = {},
): Promise<CoreServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, state, ...sandboxOptions } = options;
  // Loaded on demand: most sandboxes need none of them.
  const loadChaos = () => import('../tools/chaos/embedded.ts');
  const load = () => import('./kept-state.ts');
  const loadLog = () => import('./request-log.ts');
  const isEmbedded = observer === undefined && readEnvironment()[RUN_VARIABLE] !== undefined;
  const observing = isEmbedded ? (await loadChaos()).embeddedObserver() : observer;
  const core = openCore(sandboxOptions, { warn, observer: observing }, SERVED_TOOLS);
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
  refuseUnreadable(server, (status, detail) => {
    // Its method and path are not known.
    const call = { kind: 'refused', method: '-', path: '-', elapsedMs: 0 } as const;
    requestLog?.add({ ...call, status, problems: [detail] });
  });
  const connections = trackConnections(server);
  try {
    await listen(server, port, host);
  } catch (error) {
    await kept?.release();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const end = async () => {
    await core.close();
    await connections.end(quietMs);
    await requestLog?.end();
    await kept?.save();
  };
  const close = () => {
    closed ??= end();
    return closed;
  };
  return { ...addressOf(server), core, close, ...disposal(close) };
}
