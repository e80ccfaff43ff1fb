import { onTestFinished } from 'vitest';
import { type SandboxServer, type ServerOptions, startSandbox } from '../../../src/node/index.ts';
import {
  type Client,
  callOperation,
  clientOf,
  operationOf,
  requestOf,
  START,
} from '../../support/client.ts';
import { exampleOf } from '../../support/requests.ts';

/* A sandbox of its own for each test, and programs that call it as a merchant's would. */

export const DEMO_KEY = 'sk_sandbox_demo';

/** A sandbox with a frozen clock on a free port; it ends with its test. */
export async function serve(options: ServerOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, now: START, clock: 'frozen', seed: 7, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A client that calls over the network; its answers are held against the contract. */
export const clientOver = (server: SandboxServer, key: string = DEMO_KEY): Client => ({
  ...clientOf(server.sandbox, server.sandbox.merchant(key)),
  call: (operationId, input, init) =>
    callOperation(fetch, server.url, key, operationId, input, init),
});

/** Sends what the document shows of an operation, with changes, and takes whatever is answered. */
export const send = (
  server: Pick<SandboxServer, 'url'>,
  operationId: string,
  changes: Readonly<Record<string, unknown>> = {},
  { key = DEMO_KEY, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Response> => {
  const input =
    operationOf(operationId).method === 'post' ? exampleOf(operationId, changes) : changes;
  return fetch(requestOf(operationOf(operationId), server.url, key, input, { headers }));
};
