/* `proxy`: forwards requests to the real service, and reports differences. */

import { timeOfDay } from '../../control/log-line.ts';
import { DEFAULT_HOST, PROGRAM, RUN, withVariables } from '../../start-options.ts';
import type { ProxyEntry, ProxyReport } from '../../tools/proxy/index.ts';
import { sleepUnmocked, systemNow } from '../../world/clock.ts';
import { colourStatus } from '../../world/colours.ts';
import { printable } from '../../world/printable.ts';
import {
  isOn,
  jsonFile,
  port,
  type Subcommand,
  type Terminal,
  tell,
  text,
  webAddress,
  withoutSecrets,
  writableFile,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { writeWhole } from '../files.ts';
import { createLineWriter } from '../output.ts';

const DEFAULT_PROXY_PORT = 4016;

const OPTIONS = withVariables('PROXY', {
  Server: [
    ['--target <U>', 'URL of the real service'],
    ['-p, --port <N>', 'port to listen on; 0 picks a free one', `${DEFAULT_PROXY_PORT}`],
    ['--host <H>', 'address to listen on; 0.0.0.0 for all interfaces', DEFAULT_HOST],
  ],
  Report: [
    ['--profile <FILE>', 'profile that the service should follow'],
    ['--report <FILE>', 'write the differences as JSON on exit'],
    ['--strict', 'exit with code 1 if anything differed'],
  ],
});

export const proxy: Subcommand = {
  usage: '--target U [flags]',
  description:
    'Forward requests to the real service and report differences from the contract.\n\n' +
    'The proxy forwards each request and returns the response unchanged. It compares both with the contract and logs the number of differences. GET /_sandbox/journal shows them in full. Keys and customer data are redacted.\n\n' +
    'Ctrl+C stops the proxy, prints a summary and writes the report. A second Ctrl+C writes the report and exits at once. To learn a profile of the service, use check.',
  options: OPTIONS,
  more: {
    'Exit codes': [
      '0  stopped',
      '1  differences with --strict, a taken port or an unexpected error',
      '2  invalid option, or a file could not be written',
    ],
    Examples: [
      `${RUN} proxy --target https://provider.example`,
      `${RUN} proxy --target https://provider.example \\`,
      '  --report report.json',
    ],
  },
  argumentRefusal(argument) {
    // Anything but a URL may be a key, so the message leaves it out.
    const address = /^https?:/i.test(argument) ? withoutSecrets(argument) : 'U';
    return `proxy takes no arguments, only flags; use --target ${address}.`;
  },
  async run(given, terminal) {
    const address = webAddress(given, 'target');
    if (address === undefined) throw new UsageError('proxy requires --target (or PROXY_TARGET).');
    const ownPort = port(given, DEFAULT_PROXY_PORT);
    const file = writableFile(given, 'report');

    const { baseOf, createJudge, proxySummary } = await import('../../tools/proxy/index.ts');
    const { JOURNAL_PATH, leadsHere, startProxy } = await import('../proxy/server.ts');
    const target = baseOf(address);
    if (ownPort !== 0 && (await leadsHere(target, ownPort))) {
      throw new UsageError(
        `${target} is the proxy itself; --target must be the URL of the service.`,
      );
    }
    const judge = createJudge({ target, profile: jsonFile(given, 'profile') });
    const log = createLineWriter<ProxyEntry | RefusedRequest>(terminal.output, {
      lineOf: (entry) => logLine(entry, terminal.colours),
      notShown: (count) => `… ${count} calls not shown\n`,
    });
    const refused = (status: number, detail: string) =>
      log.add({ at: new Date(systemNow()).toISOString(), status, detail });
    const host = text(given, 'host') ?? DEFAULT_HOST;
    const server = await startProxy({
      target,
      port: ownPort,
      host,
      judge,
      onEntry: log.add,
      refused,
    });
    let isWritten = false;
    const isOrderly = await savingAtEnd(
      terminal,
      async () => {
        const stopped = terminal.stopped({ secondEnds: true });
        terminal.out(banner(server.url, target, JOURNAL_PATH));
        await stopped;
        try {
          await closedInTime(server.close());
        } finally {
          await log.end();
          terminal.out(`\n${proxySummary(judge.report())}`);
        }
      },
      () => {
        isWritten = writeReport(judge.report(), file, terminal);
      },
    );
    // Open connections would keep the process alive.
    if (!isOrderly) terminal.output.abandon();
    if (!isWritten) return 2;
    if (!isOrderly) return 1;
    return isOn(given, 'strict') && judge.report().differences.length > 0 ? 1 : 0;
  },
};

/** Three times as long as closing every connection takes. */
const MAX_CLOSE_MS = 3000;

/** Waits until the server is closed, up to a limit. */
async function closedInTime(closed: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = sleepUnmocked(MAX_CLOSE_MS, done.signal).then(() => true);
  const isLate = await Promise.race([closed, late]).finally(() => done.abort());
  if (isLate) throw new Error(`its connections did not close within ${MAX_CLOSE_MS / 1000} s`);
}

const banner = (
  url: string,
  target: string,
  journalPath: string,
): string => `${PROGRAM} proxy at ${url} for ${target}

  your program   send requests to ${url} instead of ${target}
  differences    one line for each request below; details at ${url}${journalPath}

Responses are not changed, so page URLs lead to the service itself. Ctrl+C stops the proxy.
`;

/** A request that is not valid HTTP. Its method and path are not known. */
interface RefusedRequest extends Pick<ProxyEntry, 'at'> {
  readonly status: number;
  readonly detail: string;
}

/**
 * One line for a request: `12:01:07 POST /api/merchant/micro_health/verify 200 31 ms  2 differences`, or
 * `12:01:07 - - 400  The request is not valid HTTP: …`.
 */
export function logLine(entry: ProxyEntry | RefusedRequest, colours: boolean): string {
  if ('detail' in entry) {
    const { at, status, detail } = entry;
    const answered = colourStatus(`${status}`, colours);
    return `${timeOfDay(Date.parse(at))} - - ${answered}  ${printable(detail)}\n`;
  }
  const { at, method, path, status, elapsed_ms, not_judged, differences } = entry;
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  const answered = colourStatus(status === null ? '-' : `${status}`, colours);
  const found = not_judged === null ? count : `not compared: ${not_judged}`;
  const call = printable(`${method} ${path}`);
  return `${timeOfDay(Date.parse(at))} ${call} ${answered} ${elapsed_ms} ms  ${printable(found)}\n`;
}

/**
 * Works, then saves the results. Also saves them after an error, an uncaught exception or an early exit.
 *
 * @param save called once; it must be synchronous
 * @returns whether the work succeeded
 */
async function savingAtEnd(
  terminal: Terminal,
  work: () => Promise<void>,
  save: () => void,
): Promise<boolean> {
  const tellProblem = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    tell(terminal, `the proxy stopped on an unexpected error: ${printable(message)}`);
  };
  const onUncaught = (error: unknown) => {
    tellProblem(error);
    // The listener of `exit` saves.
    process.exit(1);
  };
  process.once('exit', save).once('uncaughtException', onUncaught);
  try {
    await work();
    return true;
  } catch (error) {
    tellProblem(error);
    return false;
  } finally {
    process.off('exit', save).off('uncaughtException', onUncaught);
    save();
  }
}

/** Writes the report to a file, if one is given. Returns whether it was written. */
function writeReport(report: ProxyReport, file: string | undefined, terminal: Terminal): boolean {
  try {
    if (file !== undefined) writeWhole(file, `${JSON.stringify(report, null, 2)}\n`);
    return true;
  } catch (error) {
    tell(terminal, (error as Error).message);
    return false;
  }
}
