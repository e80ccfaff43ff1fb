import type { ProxyEntry, ProxyReport } from '../../contract/proxy/index.ts';
import { sleepUnmocked } from '../../world/clock.ts';
import {
  isOn,
  jsonFile,
  port,
  type Subcommand,
  type Terminal,
  text,
  webAddress,
  withoutSecrets,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { requireWritable, writeWhole } from '../files.ts';
import { colourStatus, createLineWriter } from '../output.ts';
import { printable, timeOfDay } from '../request-log.ts';
import { DEFAULT_HOST, PROGRAM, withVariables } from '../start-options.ts';

const DEFAULT_PROXY_PORT = 4016;

const OPTIONS = withVariables('PROXY', {
  Server: [
    ['--target <U>', 'address of the real service'],
    ['-p, --port <N>', 'port; 0 takes a free one', `${DEFAULT_PROXY_PORT}`],
    ['--host <H>', 'address to listen on; 0.0.0.0 for all', DEFAULT_HOST],
  ],
  Report: [
    ['--profile <FILE>', 'profile the service is known to follow', 'none'],
    ['--report <FILE>', 'write the differences as JSON when it stops', 'off'],
    ['--write-profile <FILE>', 'write a profile when it stops', 'off'],
    ['--strict', 'exit with 1 if anything differed', 'off'],
  ],
});

export const proxy: Subcommand = {
  usage: '--target U [flags]',
  description:
    'Forwards each call to the real service, returns its response unchanged, and compares both with the contract. A line for each call says how many differences it showed; GET /_sandbox/journal lists them. Keys and personal data are never printed.\n' +
    'Ctrl+C stops it, prints a summary and writes the files. A second Ctrl+C writes the files and exits at once.',
  options: OPTIONS,
  more: {
    Examples: [
      `${PROGRAM} proxy --target https://provider.example`,
      `${PROGRAM} proxy --target https://provider.example \\`,
      '  --write-profile provider.json',
      `${PROGRAM} --profile provider.json   # behaves like the provider`,
    ],
  },
  argumentRefusal(argument) {
    // What is no address is not repeated: it may be a key.
    const address = /^https?:/i.test(argument) ? withoutSecrets(argument) : 'U';
    return `proxy takes flags only; write --target ${address}.`;
  },
  async run(given, terminal) {
    const address = webAddress(given, 'target');
    if (address === undefined) throw new UsageError('proxy needs --target (or PROXY_TARGET).');
    const ownPort = port(given, DEFAULT_PROXY_PORT);
    const files = { report: text(given, 'report'), profile: text(given, 'writeProfile') };
    for (const file of Object.values(files)) if (file !== undefined) requireWritable(file);

    const { baseOf, createJudge, proxySummary } = await import('../../contract/proxy/index.ts');
    const { JOURNAL_PATH, leadsHere, startProxy } = await import('../proxy/server.ts');
    const target = baseOf(address);
    if (ownPort !== 0 && (await leadsHere(target, ownPort))) {
      throw new UsageError(
        `${target} is the proxy itself; give --target the address of the service.`,
      );
    }
    const judge = createJudge({ target, profile: jsonFile(given, 'profile') });
    const log = createLineWriter<ProxyEntry>(terminal.output, {
      lineOf: (entry) => logLine(entry, terminal.colours),
      notShown: (count) => `… ${count} calls not shown\n`,
    });
    const host = text(given, 'host') ?? DEFAULT_HOST;
    const server = await startProxy({ target, port: ownPort, host, judge, told: log.add });
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
        isWritten = writeReportFiles(judge.report(), files, terminal);
      },
    );
    // Open connections would keep the process alive.
    if (!isOrderly) terminal.output.abandon();
    if (!isWritten) return 2;
    if (!isOrderly) return 1;
    return isOn(given, 'strict') && judge.report().differences.length > 0 ? 1 : 0;
  },
};

/** Three times what it takes to close every connection. */
const MAX_CLOSE_MS = 3000;

/** Waits until the server is closed, but not for ever. */
async function closedInTime(closed: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = sleepUnmocked(MAX_CLOSE_MS, done.signal).then(() => true);
  const isLate = await Promise.race([closed, late]).finally(() => done.abort());
  if (isLate) throw new Error(`its connections did not close in ${MAX_CLOSE_MS / 1000} s`);
}

const banner = (
  url: string,
  target: string,
  journalPath: string,
): string => `${PROGRAM} proxy at ${url} for ${target}

  your program   calls ${url} in the place of ${target}
  differences    one line for each call here; in full at ${url}${journalPath}

Answers come back as they are: page URLs lead to the service itself. Ctrl+C stops it.
`;

/** One line for a call: `12:01:07 POST /api/merchant/micro_health/verify 200 31 ms  2 differences`. */
export function logLine(entry: ProxyEntry, colours: boolean): string {
  const { at, method, path, status, elapsed_ms, not_judged, differences } = entry;
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  const answered = colourStatus(status === null ? '-' : `${status}`, colours);
  const found = not_judged === null ? count : `not judged: ${not_judged}`;
  const call = printable(`${method} ${path}`);
  return `${timeOfDay(Date.parse(at))} ${call} ${answered} ${elapsed_ms} ms  ${printable(found)}\n`;
}

/**
 * Works, then saves the results: also when the work fails, when nobody catches an error, and when the process exits
 * before the work is done.
 *
 * @param save called once; it must be synchronous
 * @returns whether the work succeeded
 */
async function savingAtEnd(
  terminal: Terminal,
  work: () => Promise<void>,
  save: () => void,
): Promise<boolean> {
  const tell = (error: unknown) => {
    const message = printable(error instanceof Error ? error.message : String(error));
    terminal.err(`${PROGRAM}: the proxy stopped on an unexpected error: ${message}\n`);
  };
  const onUncaught = (error: unknown) => {
    tell(error);
    // The listener of `exit` saves.
    process.exit(1);
  };
  process.once('exit', save).once('uncaughtException', onUncaught);
  try {
    await work();
    return true;
  } catch (error) {
    tell(error);
    return false;
  } finally {
    process.off('exit', save).off('uncaughtException', onUncaught);
    save();
  }
}

/** The files that were asked for. */
interface ReportFiles {
  readonly report: string | undefined;
  readonly profile: string | undefined;
}

/**
 * Writes every file that was asked for, also after another one could not be written.
 *
 * @returns whether all are written
 */
function writeReportFiles(report: ProxyReport, files: ReportFiles, terminal: Terminal): boolean {
  const write = (file: string | undefined, content: unknown): boolean => {
    try {
      if (file !== undefined) writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
      return true;
    } catch (error) {
      terminal.err(`${PROGRAM}: ${(error as Error).message}\n`);
      return false;
    }
  };
  const isReportWritten = write(files.report, report);
  if (files.profile === undefined) return isReportWritten;
  if (Object.keys(report.profile.decisions).length === 0) {
    terminal.out('No profile was written: there is nothing to put into it.\n');
    return isReportWritten;
  }
  const isProfileWritten = write(files.profile, report.profile);
  if (isProfileWritten) {
    terminal.out(`To answer as this service does: ${PROGRAM} --profile ${files.profile}\n`);
  }
  return isReportWritten && isProfileWritten;
}
