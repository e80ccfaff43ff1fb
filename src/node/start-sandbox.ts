import { isRefusal, rejectingAtCaller } from '../control/caller.ts';
import { sandboxOf } from '../open-sandbox.ts';
import { isText, type OptionRules, oneOf, validateOptions } from '../options.ts';
import type { Sandbox } from '../public.ts';
import { disposal } from '../world/platform.ts';
import { FileError, ListenError } from './errors.ts';
import { type LogOptions, readEnvironment, shareStandardOutput } from './output.ts';
import { startServer } from './serve.ts';
import { LOG_MODES, type LogMode, type ServerOptions } from './start-options.ts';

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

/**
 * Serves a sandbox inside another program, whose `Request` and `Response` stay the platform's. Rejects if it
 * can't be made, if its state can't be read, or if the port is taken.
 */
export const startSandbox: (options?: ServerOptions) => Promise<SandboxServer> = rejectingAtCaller(
  async (options = {}) => {
    validateOptions(options, SERVER_RULES);
    const { log: mode = 'off', ...rest } = options;
    const log = mode === 'off' ? undefined : sharedLog(mode);
    const { url, port, core, close } = await startServer(rest, { log });
    const sandbox = { ...sandboxOf(core, rest), close, ...disposal(close) };
    return { url, port, sandbox, close, ...disposal(close) };
  },
  (error) => isRefusal(error) || error instanceof FileError || error instanceof ListenError,
);

function sharedLog(mode: LogMode): LogOptions {
  const output = shareStandardOutput();
  return { mode, output, colours: output.isTerminal && !readEnvironment().NO_COLOR };
}
