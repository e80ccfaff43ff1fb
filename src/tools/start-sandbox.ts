/* `startSandbox`: a sandbox on a port, for programs. */

import { atCallersLine } from '../control/caller.ts';
import { sandboxOf } from '../sandbox/open-sandbox.ts';
import { SERVER_RULES, validateOptions } from '../sandbox/options.ts';
import type { ServerOptions } from '../sandbox/start-options.ts';
import type { Sandbox } from '../types/public.ts';
import { disposal } from '../world/platform.ts';
import { startServer } from './serve.ts';

/** A sandbox that listens on a port. */
export interface SandboxServer {
  /** Its base URL without a trailing slash, such as `http://127.0.0.1:4015`. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /** The methods of the sandbox: merchants, clocks, faults, journals. */
  readonly sandbox: Sandbox;
  /**
   * Stops the server. It takes no new connections, responds to requests it has received, ends calls that wait, and
   * closes all connections; with the `state` option it then saves the state file. Apart from saving, this takes less
   * than a second.
   */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a sandbox on a port of this machine. `Request` and `Response` of the program stay the platform's.
 *
 * Rejects with `FixtureError` if fixtures are invalid, `ControlError` 422 if an option is, `FileError` if the state
 * file cannot be used, and `ListenError` if the port cannot be used, for example because it is taken.
 *
 * @example
 * const server = await startSandbox({ port: 0 });
 * server.url; // http://127.0.0.1:49152
 * await server.close();
 */
export const startSandbox: (options?: ServerOptions) => Promise<SandboxServer> = atCallersLine(
  async (options = {}) => {
    validateOptions(options, SERVER_RULES);
    const { log, ...rest } = options;
    const { url, port, core, close } = await startServer(rest);
    const sandbox = sandboxOf({ ...core, close }, options);
    return { url, port, sandbox, close: sandbox.close, ...disposal(sandbox.close) };
  },
);
