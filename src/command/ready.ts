/* `ready`: waits until a sandbox is ready. */

import { get } from 'node:http';
import type { Command } from 'commander';
import { port, type Subcommand, tell, text, webAddress, withoutSecrets } from '../node/command.ts';
import { containerPort } from '../node/container.ts';
import { UsageError } from '../node/errors.ts';
import { DEFAULT_PORT, type OptionRow, RUN } from '../sandbox/start-options.ts';
import { systemNow, wait } from '../world/clock.ts';
import { printable } from '../world/printable.ts';
import { truncate } from '../world/problem-texts.ts';

const PORT_ROW: OptionRow = [
  '-p, --port <N>',
  "port on this machine, if there is no --url; in a container that of the container's sandbox",
  `${DEFAULT_PORT}`,
  'SANDBOX_PORT',
  'PORT',
];

export const ready: Subcommand = {
  usage: '[flags]',
  description: 'Wait until a sandbox is ready.',
  options: {
    Sandbox: [
      ['--url <U>', 'URL of the sandbox', 'http://127.0.0.1 with the port below'],
      PORT_ROW,
      ['--timeout <S>', 'seconds to wait; 0 tries once', '10'],
    ],
  },
  more: {
    'Exit codes': ['0  ready', '1  not ready in time', '2  invalid option'],
    Examples: [
      `${RUN} &`,
      `${RUN} ready && npm test`,
      `${RUN} ready --url http://sandbox:4015 --timeout 30`,
    ],
  },
  argumentRefusal(argument) {
    const shown = withoutSecrets(argument);
    const flag = /^\d+$/.test(argument) ? '--port' : '--url';
    return `ready takes no argument ${truncate(shown)}; use ${flag} ${printable(shown)}.`;
  },
  async run(given, terminal) {
    useContainerPort(given);
    const url = webAddress(given, 'url') ?? `http://127.0.0.1:${port(given, DEFAULT_PORT)}`;
    const timeoutMs = seconds(text(given, 'timeout')) * 1000;
    const problem = await untilReady(`${url.replace(/(?<!\/)\/+$/, '')}/readyz`, timeoutMs);
    if (problem === undefined) return 0;
    tell(terminal, `${withoutSecrets(url)} is not ready: ${problem}`);
    return 1;
  },
};

/** A flag of the container's command wins over the variables, which the health check has too. */
function useContainerPort(given: Command): void {
  if (given.getOptionValueSource('port') === 'cli') return;
  const flag = containerPort();
  if (flag !== undefined) given.setOptionValueWithSource('port', flag, 'cli');
}

function seconds(value = '10'): number {
  if (/^\d{1,6}(\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--timeout must be a number of seconds; got ${truncate(value)}.`);
}

const PAUSE_MS = 50;
/** Time limit of the single request of `--timeout 0`. */
const ONE_REQUEST_MS = 2000;

/** Sends requests until the sandbox is ready. Returns the last problem if the time runs out. */
async function untilReady(url: string, timeoutMs: number): Promise<string | undefined> {
  const start = systemNow();
  for (;;) {
    const left = timeoutMs - (systemNow() - start);
    const problem = await request(url, timeoutMs === 0 ? ONE_REQUEST_MS : Math.max(left, PAUSE_MS));
    if (problem === undefined || systemNow() - start + PAUSE_MS >= timeoutMs) return problem;
    await wait(PAUSE_MS);
  }
}

// Loading `fetch` or TLS would take longer than the request itself.
async function request(url: string, timeoutMs: number): Promise<string | undefined> {
  const send = url.startsWith('https') ? (await import('node:https')).get : get;
  const outgoing = send(url, { agent: false });
  const problem = new Promise<string | undefined>((resolve) => {
    outgoing.on('response', ({ statusCode }) =>
      resolve(statusCode === 200 ? undefined : `status ${statusCode}`),
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.message || error.code));
  });
  const ended = new AbortController();
  const late = wait(timeoutMs, ended.signal).then(() => `no response within ${timeoutMs} ms`);
  try {
    return await Promise.race([problem, late]);
  } finally {
    ended.abort();
    // The head is enough; the body may never end.
    outgoing.destroy();
  }
}
