import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { run } from '../../src/node/cli.ts';
import type { Terminal } from '../../src/node/command.ts';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';
import { terminalTo } from '../support/terminal.ts';

const servers: Server[] = [];
const sandboxes: SandboxServer[] = [];

afterEach(async () => {
  stopFakes();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});

/** Stops every server that `fake` started. */
export function stopFakes(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

/** A sandbox over a socket, until the test is over. */
export async function serveSandbox(
  options: Parameters<typeof startSandbox>[0] = {},
): Promise<SandboxServer> {
  const sandbox = await startSandbox({ port: 0, ...options });
  sandboxes.push(sandbox);
  return sandbox;
}

/** The address of a server that answers so. */
export async function fake(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What `check` prints for those arguments, and its exit code. */
export const command = (...args: string[]) => commandOn({}, ...args);

/** The same on a terminal of another kind. */
export async function commandOn(terminal: Partial<Terminal>, ...args: string[]) {
  const said = { out: '', err: '' };
  const code = await run(['check', ...args], terminalTo(said, terminal));
  return { code, ...said };
}
