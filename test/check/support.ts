import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { run } from '../../src/node/cli.ts';
import type { Terminal } from '../../src/node/command.ts';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';
import { type CheckOptions, check } from '../../src/tools/check/check.ts';
import type { CheckTime, Fetch } from '../../src/tools/check/client.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { wait } from '../../src/world/clock.ts';
import { terminalTo } from '../support/terminal.ts';

export const KEY = 'sk_sandbox_demo';
export const OTHER_KEY = 'sk_sandbox_other';
/** The time of the check. */
const NOW = Date.parse('2026-02-01T12:00:00Z');

/** A sandbox to check. */
export function serve(options: SandboxOptions = {}): Fetch {
  const sandbox = createSandbox(options);
  return (request) => sandbox.fetch(request);
}

/** The same without its control plane, like the provider's server. */
export const withoutControl =
  (fetch: Fetch): Fetch =>
  async (request) =>
    new URL(request.url).pathname.startsWith('/_sandbox')
      ? new Response('<h1>Not found</h1>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        })
      : fetch(request);

/** Runs a check, by default of the family with the fewest calls. */
export const runCheck = (
  fetch: Fetch,
  options: Partial<CheckOptions> = {},
  time: CheckTime = { now: () => NOW, wait },
): Promise<Report> =>
  check({ url: 'http://localhost', key: KEY, families: ['group_life'], ...options }, fetch, time);

export const idsOf = (
  { assumptions }: Report,
  wanted: Report['assumptions'][number]['outcome'],
): string[] => assumptions.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

/** A server that records its requests. */
export function watched(fetch: Fetch) {
  const sent: { method: string; path: string; body: string }[] = [];
  return {
    sent,
    methods: () => new Set(sent.map(({ method }) => method)),
    toControl: () => sent.filter(({ path }) => path.startsWith('/_sandbox')),
    /** The requests that buy or renew. */
    bought: () =>
      sent.filter(({ path, method }) => method === 'POST' && /initiate|verify|top_up/.test(path)),
    fetch: async (request: Request) => {
      const { pathname: path } = new URL(request.url);
      sent.push({ method: request.method, path, body: await request.clone().text() });
      return fetch(request);
    },
  };
}

/** A sandbox over a socket, until the end of the test. */
export async function serveSandbox(
  options: Parameters<typeof startSandbox>[0] = {},
): Promise<SandboxServer> {
  const sandbox = await startSandbox({ port: 0, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The address of a server with these responses, until the end of the test. */
export async function fake(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The output and the exit code of `check` with these arguments. */
export async function command(args: readonly string[], terminal: Partial<Terminal> = {}) {
  const said = { out: '', err: '' };
  const code = await run(['check', ...args], terminalTo(said, terminal));
  return { code, ...said };
}
