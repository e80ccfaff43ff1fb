import { onTestFinished } from 'vitest';
import { type SandboxServer, type ServerOptions, startSandbox } from '../../../src/node.ts';
import {
  type Client,
  callOperation,
  clientOf,
  operationOf,
  requestOf,
  START,
} from '../../support/client.ts';
import { exampleOf } from '../../support/requests.ts';

/* A sandbox for each test, and clients that send requests like a merchant's program. */

export const DEMO_KEY = 'sk_sandbox_demo';

/** A sandbox with a frozen clock on a free port. It closes after the test. */
export async function serve(options: ServerOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, now: START, clock: 'frozen', seed: 7, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A client over the network that checks responses against the contract. */
export const clientOver = (server: SandboxServer, key: string = DEMO_KEY): Client => ({
  ...clientOf(server.sandbox, server.sandbox.merchant(key)),
  call: (operationId, input, init) =>
    callOperation(fetch, server.url, key, operationId, input, init),
});

/** Sends the documented example of an operation with changes, and accepts any response. */
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
