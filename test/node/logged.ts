import { onTestFinished } from 'vitest';
import type { SandboxServer, ServerOptions } from '../../src/node/index.ts';
import { startServer } from '../../src/node/serve.ts';
import type { LogMode } from '../../src/node/start-options.ts';
import { sandboxOf } from '../../src/open-sandbox.ts';

export const DEMO_KEY = 'sk_sandbox_demo';

interface LogStyle {
  readonly mode?: LogMode;
  readonly colours?: boolean;
  readonly columns?: number;
}

/** A sandbox over a socket that logs every call. */
export interface LoggedSandbox {
  readonly server: SandboxServer;
  /** A call of the demo merchant, unless other headers say whose it is. */
  call(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** What is logged, once the sandbox is closed. */
  ended(): Promise<string>;
}

export async function loggedSandbox(
  { mode = 'calls', colours = false, columns }: LogStyle = {},
  options: ServerOptions = {},
): Promise<LoggedSandbox> {
  let logged = '';
  const output = {
    isTerminal: columns !== undefined,
    columns,
    write: (text: string, done: () => void) => {
      logged += text;
      done();
    },
    abandon: () => undefined,
  };
  const { core, ...served } = await startServer(
    { port: 0, ...options },
    { log: { mode, output, colours } },
  );
  const server = { ...served, sandbox: sandboxOf(core, options) };
  onTestFinished(() => server.close());
  const call = (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${DEMO_KEY}`, ...init.headers };
    return fetch(server.url + path, { ...init, headers });
  };
  return {
    server,
    call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async ended() {
      await server.close();
      return logged;
    },
  };
}
