import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { run } from '../../src/command/cli.ts';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import type { Terminal } from '../../src/node/command.ts';
import { Answer } from '../../src/tools/check/answer.ts';
import type { ProbeCall } from '../../src/tools/check/call.ts';
import { BASIC } from '../../src/tools/check/calls/refusals.ts';
import { type CheckOptions, check } from '../../src/tools/check/check.ts';
import type { ProbeResult, Report } from '../../src/tools/check/report.ts';
import type { CheckTime, Fetch } from '../../src/tools/check/send.ts';
import { systemNow, wait } from '../../src/world/clock.ts';
import { terminalTo } from '../support/terminal.ts';

export const KEY = 'sk_sandbox_demo';
export const OTHER_KEY = 'sk_sandbox_other';
export const LOCAL = 'http://localhost';

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
      ? new Response('<h1>Not found</h1>', { status: 404 })
      : fetch(request);

export const TIME: CheckTime = { now: systemNow, wait };

export const runCheck = (
  fetch: Fetch,
  options: Partial<CheckOptions> = {},
  time = TIME,
): Promise<Report> => check({ url: LOCAL, key: KEY, ...options }, fetch, time);

export const withOutcome = ({ probes }: Report, outcome: ProbeResult['outcome']) =>
  probes.filter((probe) => probe.outcome === outcome);

/** The ids of the probes with an outcome. */
export const idsOf = (report: Report, outcome: ProbeResult['outcome']): string[] =>
  withOutcome(report, outcome).map(({ id }) => id);

/** Why probes were not asked. */
export const reasonsIn = (report: Report): (string | undefined)[] =>
  withOutcome(report, 'not_asked').map(({ why }) => why);

/** The same request with a header. */
export function withHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
}

/** What a report tells: the probes that differ and the places of schemas, each once. */
export const told = (report: Report): string[] => [
  ...idsOf(report, 'differs'),
  ...new Set(report.violations.map(({ path }) => path.split('.').at(-1) as string)),
];

/** A server that records its requests. */
export function watched(fetch: Fetch) {
  const sent: { method: string; path: string; authorization: string | null }[] = [];
  const recorded: Fetch = (request) => {
    const { pathname: path } = new URL(request.url);
    const authorization = request.headers.get('authorization');
    sent.push({ method: request.method, path, authorization });
    return fetch(request);
  };
  return { sent, fetch: recorded };
}

/** An answer to a call, as a probe reads it. */
export const answered = (
  body: unknown,
  { status = 200, call = BASIC[0] as ProbeCall, sent = {}, at = 0 } = {},
): Answer =>
  new Answer(
    call,
    { status, headers: new Headers(), text: JSON.stringify(body) ?? '', body },
    { sent, at },
  );

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
