import { get } from 'node:http';
import { systemNow, wait } from '../../core/clock.ts';
import type { Command } from '../command.ts';
import { text, webAddress, wholeNumber } from '../flag-values.ts';
import { type Flag, readCommandLine } from '../flags.ts';
import { PROGRAM } from '../help.ts';
import { DEFAULT_PORT } from '../serve.ts';
import { UsageError } from '../usage.ts';

const FLAGS: readonly Flag[] = [
  {
    name: 'url',
    value: 'U',
    standard: 'this machine, at the port start would take',
    description: 'where the sandbox is',
  },
  {
    name: 'port',
    value: 'N',
    twins: ['SANDBOX_PORT', 'PORT'],
    standard: `${DEFAULT_PORT}`,
    description: 'its port on this machine, instead of a URL',
  },
  {
    name: 'timeout',
    value: 'S',
    standard: '10',
    description: 'how many seconds to wait for it; 0 asks once',
  },
];

export const ready: Command = {
  summary: 'wait until a sandbox answers',
  usage: 'ready [--url U | --port N] [--timeout S]',
  description: 'Exit code 0 once it answers, 1 if it does not in time.',
  flags: FLAGS,
  examples: [
    `${PROGRAM} & ${PROGRAM} ready && npm test`,
    `${PROGRAM} ready --url http://sandbox:4015 --timeout 30`,
  ],
  async run(args, terminal) {
    const line = readCommandLine(FLAGS, args, terminal.environment);
    if (line.positionals[0] !== undefined) {
      throw new UsageError(
        `ready takes no "${line.positionals[0]}"; write --url ${line.positionals[0]}.`,
      );
    }
    const port = wholeNumber(line, 'port', DEFAULT_PORT, 65_535);
    const url = webAddress(line, 'url') ?? `http://127.0.0.1:${port}`;
    const timeoutMs = seconds(text(line, 'timeout')) * 1000;
    const problem = await untilReady(`${url.replace(/\/+$/, '')}/readyz`, timeoutMs);
    if (problem === undefined) return 0;
    terminal.err(`${PROGRAM}: ${url} does not answer: ${problem}\n`);
    return 1;
  },
};

function seconds(given = '10'): number {
  if (/^\d{1,6}(\.\d+)?$/.test(given)) return Number(given);
  throw new UsageError(`--timeout must be a number of seconds; got "${given}".`);
}

const PAUSE_MS = 50;
/** How long the one question of `--timeout 0` may take. */
const ONE_QUESTION_MS = 2000;

/** Asks until it answers, or tells why it does not. */
async function untilReady(url: string, timeoutMs: number): Promise<string | undefined> {
  const start = systemNow();
  for (;;) {
    const left = timeoutMs - (systemNow() - start);
    const problem = await ask(url, timeoutMs === 0 ? ONE_QUESTION_MS : Math.max(left, PAUSE_MS));
    if (problem === undefined || systemNow() - start + PAUSE_MS >= timeoutMs) return problem;
    await wait(PAUSE_MS);
  }
}

// `fetch` would take longer to load than the whole question takes, and so would TLS where it is not used.
async function ask(url: string, patienceMs: number): Promise<string | undefined> {
  const send = url.startsWith('https') ? (await import('node:https')).get : get;
  return new Promise((resolve) => {
    const request = send(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
    });
    request.setTimeout(patienceMs, () =>
      request.destroy(new Error(`no answer in ${patienceMs} ms`)),
    );
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.message || error.code));
  });
}
