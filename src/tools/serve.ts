/* Starts a server with a sandbox and its tools behind it, for commands and for `startSandbox`. */

import { type CoreServer, type ServerSettings, serveSandbox } from '../node/serve.ts';
import { RUN_VARIABLE, type ServerOptions } from '../sandbox/start-options.ts';
import { readEnvironment } from '../world/platform.ts';
import { SERVED_TOOLS } from './served.ts';

/** @param settings its observer is by default that of the `chaos` run that this process belongs to */
export async function startServer(
  options: Omit<ServerOptions, 'log'>,
  settings: ServerSettings = {},
): Promise<CoreServer> {
  const isEmbedded =
    settings.observer === undefined && readEnvironment()[RUN_VARIABLE] !== undefined;
  if (!isEmbedded) return serveSandbox(options, settings, SERVED_TOOLS);
  const { embeddedObserver } = await import('./chaos/embedded.ts');
  return serveSandbox(options, { ...settings, observer: embeddedObserver() }, SERVED_TOOLS);
}
