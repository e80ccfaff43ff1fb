import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isRefusal, rejectingAtCaller } from '../control/caller.ts';
import { ControlError, problemOf } from '../control/control-error.ts';
import { stopwatch } from '../core/clock.ts';
import { disposal } from '../core/disposal.ts';
import { joinBody } from '../core/journal.ts';
import { ConnectionLost } from '../http/connection-lost.ts';
import type { ResponseParts } from '../http/context.ts';
import { type OpenSandbox, openSandbox } from '../open-sandbox.ts';
import { isText, type OptionRules, oneOf, validateOptions } from '../options.ts';
import type { Sandbox, SandboxOptions } from '../public.ts';
import { trackConnections } from './connections.ts';
import { readEnvironment } from './environment.ts';
import { FileError } from './files.ts';
import { PROGRAM } from './help.ts';
import { listen, reachable } from './listen.ts';
import { ListenError } from './listen-error.ts';
import { LOG_MODES, type LogMode, type LogOptions } from './log-options.ts';
import { freeMemory } from './memory.ts';
import type { Ownership } from './ownership.ts';
import type { RequestLog } from './request-log.ts';
import { checkTarget } from './request-target.ts';
import { shareStandardOutput } from './standard-output.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from './start-flags.ts';

export interface ServerOptions extends SandboxOptions {
  /** 0 takes a free one; 4015 unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given: this machine only. */
  readonly host?: string;
  /** A file that keeps everything over stops and crashes, with a log of changes beside it; `close()` writes it whole. */
  readonly state?: string;
  /**
   * Writes a line of every call to standard output, as the command's `--log` does: `calls`, `bodies` with what was
   * sent and answered, or `json`, an object a line. `off` unless given.
   */
  readonly log?: LogMode | 'off';
}

/** What each option must be that only a server has. */
const SERVER_RULES: OptionRules = {
  port: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    'a whole number from 0 to 65535',
  ],
  host: [(value) => isText(value) && value !== '', 'the name or the address of a host'],
  state: [(value) => isText(value) && value !== '', 'the path of a file'],
  log: oneOf(['off', ...LOG_MODES]),
};

/** A sandbox that answers over a socket. */
export interface SandboxServer {
  /** Where it answers, without a slash at its end: `http://127.0.0.1:4015`. */
  readonly url: string;
  readonly port: number;
  readonly sandbox: Sandbox;
  /**
   * Takes no more connections, answers what was asked, each connection's last answer with `Connection: close`,
   * ends what waits, and leaves nothing open. Takes less than a second, saving aside.
   */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Longer than the pause between two tests of a suite, so that a client never meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;
/** Enough for a client in this process or beside it, and little enough for a test that closes its own server. */
const QUIET_MS = 30;

/**
 * Serves a sandbox inside another program, whose `Request` and `Response` stay the platform's. Rejects if it
 * can't be made, if its state can't be read, or if the port is taken.
 */
export const startSandbox: (options?: ServerOptions) => Promise<SandboxServer> = rejectingAtCaller(
  async (options = {}) => {
    validateOptions(options, SERVER_RULES);
    const { log: mode = 'off', ...rest } = options;
    const log = mode === 'off' ? undefined : sharedLog(mode);
    return startServer(rest, { overrideGlobalObjects: false, log });
  },
  (error) => isRefusal(error) || error instanceof FileError || error instanceof ListenError,
);

function sharedLog(mode: LogMode): LogOptions {
  const output = shareStandardOutput();
  return { mode, output, colours: output.isTerminal && !readEnvironment().NO_COLOR };
}

const warnOnConsole = (message: string): void => console.error(`${PROGRAM}: ${message}`);

/** Serves a sandbox, as suits whose process it is. */
export async function startServer(
  options: Omit<ServerOptions, 'log'>,
  { overrideGlobalObjects, quietMs = QUIET_MS, warn = warnOnConsole, log, onOpen }: Ownership,
): Promise<SandboxServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, state, ...sandboxOptions } = options;
  const opened = openSandbox(sandboxOptions, { freeMemory, warn });
  onOpen?.(opened.changeFixtures);
  // Both are loaded by those who ask for them: most sandboxes need neither, and all of them start.
  const load = () => import('./kept-state.ts');
  const loadLog = () => import('./request-log.ts');
  const kept =
    state === undefined ? undefined : await (await load()).keepStateIn(state, opened, warn);
  const requestLog = log && (await loadLog()).createRequestLog(log);
  requestLog?.watch(opened.store.activity);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A snapshot may be larger than what is read in the five minutes that Node gives a request.
      requestTimeout: 0,
      headersTimeout: 60_000,
      // A request without a Host is refused by `checkTarget`, in words.
      requireHostHeader: false,
    },
    createListener(opened, overrideGlobalObjects, requestLog),
  );
  const connections = trackConnections(server);
  try {
    await listen(server, port, host);
  } catch (error) {
    await kept?.release();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const end = async () => {
    await opened.sandbox.close();
    await connections.end(quietMs);
    await requestLog?.end();
    await kept?.save();
  };
  const close = () => {
    closed ??= end();
    return closed;
  };
  const address = server.address() as AddressInfo;
  return {
    url: `http://${reachable(address)}:${address.port}`,
    port: address.port,
    sandbox: { ...opened.sandbox, close, ...disposal(close) },
    close,
    ...disposal(close),
  };
}

/** Answers Node's requests from a sandbox. */
function createListener(
  { handle, closing }: Pick<OpenSandbox, 'handle' | 'closing'>,
  overrideGlobalObjects: boolean,
  log: RequestLog | undefined,
): RequestListener {
  /** The newest request, for what fails before it is more than that. */
  let newest: Arrival | undefined;
  const listener = getRequestListener(
    async (request, bindings) => {
      // Of the two kinds of bindings there are, a server of node:http gives these.
      const { incoming, outgoing } = bindings as HttpBindings;
      const { rawHeaders, socket } = incoming;
      const arrival = newest;
      try {
        const authority = checkTarget(request, incoming);
        const { remoteAddress } = socket;
        const abort = () => void socket.destroy();
        const connection = { rawHeaders, remoteAddress, authority, closing, abort };
        return await handle(request, connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) return respondFailure(error, arrival, log);
        loseConnection(outgoing, error.truncated);
        return RESPONSE_ALREADY_SENT;
      } finally {
        if (incoming.readableDidRead && !incoming.readableEnded) discardRest(incoming);
      }
    },
    {
      // The host of a request that names none.
      hostname: 'localhost',
      overrideGlobalObjects,
      // It would cut a client that sends more than a little after its refusal, which then never reads why.
      autoCleanupIncoming: false,
      errorHandler: (error) => respondFailure(error, newest, log),
    },
  );
  if (!log) return listener;
  return (incoming, outgoing) => {
    newest = { incoming, since: stopwatch() };
    return listener(incoming, outgoing);
  };
}

/** A request as Node read it, and when it came by the stopwatch. */
interface Arrival {
  readonly incoming: IncomingMessage;
  readonly since: number;
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

/** Answers, and logs, what never reached the sandbox; and answers what it failed at. */
function respondFailure(
  error: unknown,
  arrival: Arrival | undefined,
  log: RequestLog | undefined,
): Response {
  const refusal =
    error instanceof RequestError
      ? new ControlError(400, 'The Host or the path of the request can not be read.')
      : error;
  const problem = problemOf(refusal);
  const { status, detail } = problem;
  if (!(refusal instanceof ControlError)) console.error(error);
  else if (arrival) {
    const { method = '', url: path = '' } = arrival.incoming;
    const elapsedMs = stopwatch() - arrival.since;
    log?.add({ kind: 'refused', method, path, status, problems: [detail], elapsedMs });
  }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}
