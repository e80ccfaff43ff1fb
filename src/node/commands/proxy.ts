import type { ProxyEntry } from '../../contract/proxy/index.ts';
import { waitReally } from '../../world/clock.ts';
import type { Command } from '../command.ts';
import { readJsonFile, requireWritable } from '../files.ts';
import {
  type FlagGroup,
  isOn,
  readCommandLine,
  text,
  UsageError,
  webAddress,
  wholeNumber,
  withoutSecrets,
} from '../flags.ts';
import { PROGRAM } from '../help.ts';
import { createLineWriter } from '../line-writer.ts';

const DEFAULT_PROXY_PORT = 4016;
const DEFAULT_HOST = '127.0.0.1';
/** The one path that is the proxy's own. */
const JOURNAL_PATH = '/_sandbox/journal';

const FLAGS: readonly FlagGroup[] = [
  {
    title: 'Where it stands',
    flags: [
      {
        name: 'target',
        value: 'U',
        env: ['PROXY_TARGET'],
        description: 'the service that every call goes on to',
      },
      {
        name: 'port',
        short: 'p',
        value: 'N',
        env: ['PROXY_PORT'],
        default: `${DEFAULT_PROXY_PORT}`,
        description: 'where it listens; 0 takes a free one',
      },
      {
        name: 'host',
        value: 'H',
        env: ['PROXY_HOST'],
        default: DEFAULT_HOST,
        description: 'the address it listens on; 0.0.0.0 for all of them',
      },
    ],
  },
  {
    title: 'What it tells',
    flags: [
      {
        name: 'profile',
        value: 'FILE',
        env: ['PROXY_PROFILE'],
        default: 'none',
        description: 'decisions the service is known to take otherwise than published',
      },
      {
        name: 'report',
        value: 'FILE',
        env: ['PROXY_REPORT'],
        default: 'off',
        description: 'write what differed as JSON, on a stop',
      },
      {
        name: 'write-profile',
        value: 'FILE',
        env: ['PROXY_WRITE_PROFILE'],
        default: 'off',
        description: 'write the decisions the service takes otherwise, on a stop',
      },
      {
        name: 'strict',
        env: ['PROXY_STRICT'],
        default: 'off',
        description: 'exit with 1 when anything differed',
      },
    ],
  },
];

export const proxy: Command = {
  summary: 'stand between a program and the real service',
  usage: 'proxy --target U [flags]',
  description:
    'Every call goes on to the service and its answer comes back as it is, while both are held against the contract: a line for each call says how many differences it showed, GET /_sandbox/journal says which. Keys and customers are shown nowhere.\n' +
    'Ctrl+C stops it, prints a summary and writes the files; a second one writes the files and ends it at once.',
  flagGroups: FLAGS,
  examples: [
    `${PROGRAM} proxy --target https://provider.example`,
    `${PROGRAM} proxy --target https://provider.example \\`,
    '  --write-profile provider.json',
    `${PROGRAM} --profile provider.json   # does as the provider does`,
  ],
  async run(args, terminal) {
    const line = readCommandLine(FLAGS, args, terminal.environment);
    const [unexpectedArg] = line.positionals;
    if (unexpectedArg !== undefined) {
      // What is no address is not repeated: it may be a key.
      const address = /^https?:/i.test(unexpectedArg) ? withoutSecrets(unexpectedArg) : 'U';
      throw new UsageError(`proxy takes flags only; write --target ${address}.`);
    }
    const given = webAddress(line, 'target');
    if (given === undefined) throw new UsageError('proxy needs --target (or PROXY_TARGET).');
    const port = wholeNumber(line, 'port', DEFAULT_PROXY_PORT, 65_535);
    const files = { report: text(line, 'report'), profile: text(line, 'write-profile') };
    for (const file of Object.values(files)) if (file !== undefined) requireWritable(file);

    const { baseOf, createJudge, proxySummary } = await import('../../contract/proxy/index.ts');
    const { startProxy } = await import('../proxy-server.ts');
    const { leadsHere } = await import('../proxy/target.ts');
    const { logLine } = await import('../proxy/log.ts');
    const { writeReportFiles } = await import('../proxy/report-files.ts');
    const { savingAtEnd } = await import('../proxy/unexpected-end.ts');
    const target = baseOf(given);
    if (port !== 0 && (await leadsHere(target, port))) {
      throw new UsageError(
        `${target} is the proxy itself; give --target the address of the service.`,
      );
    }
    const profile = text(line, 'profile');
    const judge = createJudge({
      target,
      profile: profile === undefined ? undefined : readJsonFile(profile),
    });
    const log = createLineWriter<ProxyEntry>(terminal.output, {
      lineOf: (entry) => logLine(entry, terminal.colours),
      notShown: (count) => `… ${count} calls not shown\n`,
    });
    const server = await startProxy({
      target,
      port,
      host: text(line, 'host') ?? DEFAULT_HOST,
      judge,
      told: log.add,
    });
    let isWritten = false;
    const isOrderly = await savingAtEnd(
      terminal,
      async () => {
        const stopped = terminal.stopped({ secondEnds: true });
        terminal.out(banner(server.url, target));
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
    // What is still open would keep the process.
    if (!isOrderly) terminal.output.abandon();
    if (!isWritten) return 2;
    if (!isOrderly) return 1;
    return isOn(line, 'strict') && judge.report().differences.length > 0 ? 1 : 0;
  },
};

/** Three times what it takes to close every connection. */
const MAX_CLOSE_MS = 3000;

/** Waits until the server is closed, but not for ever. */
async function closedInTime(closed: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = waitReally(MAX_CLOSE_MS, done.signal).then(() => true);
  const isLate = await Promise.race([closed, late]).finally(() => done.abort());
  if (isLate) throw new Error(`its connections did not close in ${MAX_CLOSE_MS / 1000} s`);
}

const banner = (url: string, target: string): string => `${PROGRAM} proxy at ${url} for ${target}

  your program   calls ${url} in the place of ${target}
  differences    one line for each call here; in full at ${url}${JOURNAL_PATH}

Answers come back as they are: page URLs lead to the service itself. Ctrl+C stops it.
`;
