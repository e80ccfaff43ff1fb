import { createServer } from 'node:http';
import { isRefusal, rejectingAtCaller } from '../control/caller.ts';
import { openSandbox } from '../open-sandbox.ts';
import { isText, type OptionRules, oneOf, validateOptions } from '../options.ts';
import type { Sandbox, SandboxOptions } from '../public.ts';
import { disposal } from '../world/platform.ts';
import { addressOf, listen, trackConnections } from './connections.ts';
import { FileError, ListenError } from './errors.ts';
import { createListener } from './listener.ts';
import type { LogOptions } from './output.ts';
import { readEnvironment, shareStandardOutput } from './standard-output.ts';
import { DEFAULT_HOST, DEFAULT_PORT, LOG_MODES, type LogMode, PROGRAM } from './start-options.ts';

export interface ServerOptions extends SandboxOptions {
  /** 0 takes a free one; 4015 unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given: this machine only. */
  readonly host?: string;
  /** A file that keeps everything across stops and crashes, with a log beside it; `close()` saves it. */
  readonly state?: string;
  /**
   * Writes a line of every call to standard output, as the command's `--log` does: `calls`, `bodies` with what was
   * sent and answered, or `json`, an object a line. `off` unless given.
   */
  readonly log?: LogMode | 'off';
}

/** The rules of options that only a server has. */
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

/** Longer than the pause between two tests of a suite, so that no client uses a closing socket. */
const KEEP_ALIVE_MS = 65_000;
/** Enough for a client on this machine, and short enough for tests that close their own server. */
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
    const { changeFixtures: _, ...server } = await startServer(rest, { log });
    return server;
  },
  (error) => isRefusal(error) || error instanceof FileError || error instanceof ListenError,
);

function sharedLog(mode: LogMode): LogOptions {
  const output = shareStandardOutput();
  return { mode, output, colours: output.isTerminal && !readEnvironment().NO_COLOR };
}

const warnOnConsole = (message: string): void => console.error(`${PROGRAM}: ${message}`);

/** Settings that differ between the command and an embedded server. */
export interface ServerSettings {
  /** How long a connection stays open for its client's next request once the server closes. */
  readonly quietMs?: number;
  /** Prints a warning; on the console unless given. */
  readonly warn?: (line: string) => void;
  /** The request log, if any. */
  readonly log?: LogOptions | undefined;
}

/** A server whose fixtures can be replaced. */
export interface OwnServer extends SandboxServer {
  /** Replaces the fixtures, by file name. Throws `FixtureError`. Returns notes about the change. */
  changeFixtures(files: Readonly<Record<string, unknown>>): readonly string[];
}

export async function startServer(
  options: Omit<ServerOptions, 'log'>,
  { quietMs = QUIET_MS, warn = warnOnConsole, log }: ServerSettings = {},
): Promise<OwnServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, state, ...sandboxOptions } = options;
  const opened = openSandbox(sandboxOptions, { warn });
  // Loaded on demand: most sandboxes need neither.
  const load = () => import('./kept-state.ts');
  const loadLog = () => import('./request-log.ts');
  const kept =
    state === undefined ? undefined : await (await load()).keepStateIn(state, opened, warn);
  const requestLog = log && (await loadLog()).createRequestLog(log);
  requestLog?.watch(opened.store.activity);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A large snapshot may take longer than the five minutes of Node's default.
      requestTimeout: 0,
      headersTimeout: 60_000,
      // `checkTarget` refuses requests without a Host, with a message.
      requireHostHeader: false,
    },
    createListener(opened, requestLog),
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
  return {
    ...addressOf(server),
    sandbox: { ...opened.sandbox, close, ...disposal(close) },
    changeFixtures: opened.changeFixtures,
    close,
    ...disposal(close),
  };
}
