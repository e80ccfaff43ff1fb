import { writeFileSync } from 'node:fs';
import { systemNow, wait } from '../../core/clock.ts';
import { anyFamilies } from '../../products/world.ts';
import type { Command } from '../command.ts';
import { FileError, readJsonFile, requireWritable } from '../files.ts';
import {
  type CommandLine,
  type Flag,
  isOn,
  readCommandLine,
  text,
  UsageError,
  webAddress,
} from '../flags.ts';
import { PROGRAM } from '../help.ts';

const FAMILIES = anyFamilies.map(({ key }) => key);

const FLAGS: readonly Flag[] = [
  {
    name: 'url',
    value: 'U',
    env: ['CHECK_URL'],
    description: 'the server that claims to be the service',
  },
  {
    name: 'key',
    value: 'K',
    env: ['CHECK_KEY'],
    description: "the merchant's key; shown nowhere. The variable keeps it off the command line",
  },
  {
    name: 'read-only',
    default: 'off',
    description: 'send quotes, lists and look-ups, and nothing that buys or renews',
  },
  {
    name: 'family',
    value: 'F',
    default: 'all',
    description: `ask one family only: ${FAMILIES.slice(0, -1).join(', ')} or ${FAMILIES.at(-1)}`,
  },
  {
    name: 'rps',
    value: 'N',
    default: 'one after another',
    description: 'the most requests in a second',
  },
  {
    name: 'timeout',
    value: 'S',
    default: '10',
    description: 'how many seconds to wait for each answer',
  },
  {
    name: 'profile',
    value: 'FILE',
    default: 'none',
    description: 'decisions that the server is known to take otherwise than published',
  },
  {
    name: 'write-profile',
    value: 'FILE',
    default: 'off',
    description: 'write the decisions the server takes otherwise, for start --profile',
  },
  { name: 'json', default: 'off', description: 'print the report as JSON' },
  {
    name: 'junit',
    value: 'FILE',
    default: 'off',
    description: 'write the report as JUnit XML too',
  },
];

export const check: Command = {
  summary: 'hold a server against the contract',
  usage: 'check --url U --key K [flags]',
  description: `Tells what agrees and what differs, and of every published decision whether the server confirms it.
Buys for customers named "Sandbox Check" and touches nothing else; a sandbox's own clock moves on.
Exit code 0 without a difference, 1 with one, 2 if the server could not be checked.`,
  flags: FLAGS,
  examples: [
    `${PROGRAM} check --url http://127.0.0.1:4015 --key sk_sandbox_demo`,
    `CHECK_KEY=… ${PROGRAM} check --url https://provider.example --read-only --rps 2`,
    `CHECK_KEY=… ${PROGRAM} check --url https://provider.example --write-profile provider.json`,
    `${PROGRAM} --profile provider.json             # a sandbox that does as the provider does`,
  ],
  async run(args, terminal) {
    const line = readCommandLine(FLAGS, args, terminal.environment);
    const [unexpectedArg] = line.positionals;
    if (unexpectedArg !== undefined)
      throw new UsageError(`check takes no "${unexpectedArg}"; --help shows what it takes.`);
    const engine = await import('../../check/index.ts');
    const profile = text(line, 'profile');
    const junit = text(line, 'junit');
    const written = text(line, 'write-profile');
    for (const file of [junit, written]) if (file !== undefined) requireWritable(file);
    const options = {
      url: required(webAddress(line, 'url'), 'url'),
      key: keyOf(line),
      families: familiesOf(line),
      readOnly: isOn(line, 'read-only'),
      rps: positive(line, 'rps'),
      timeout: (positive(line, 'timeout') ?? engine.DEFAULT_TIMEOUT_MS / 1000) * 1000,
      profile: profile === undefined ? undefined : readJsonFile(profile),
    };
    const report = await engine.check(options, fetch, { now: systemNow, wait });
    terminal.out(
      isOn(line, 'json') ? `${JSON.stringify(report, null, 2)}\n` : engine.toText(report),
    );
    if (junit !== undefined) write(junit, engine.toJUnit(report));
    if (written !== undefined) {
      write(written, `${JSON.stringify(report.profile, null, 2)}\n`);
      if (!isOn(line, 'json')) {
        terminal.out(`To do as this server does: ${PROGRAM} --profile ${written}\n`);
      }
    }
    return engine.differencesOf(report).length > 0 ? 1 : 0;
  },
};

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`check needs --${name} (or CHECK_${name.toUpperCase()}).`);
}

/** The key. A bad one is refused without being repeated. */
function keyOf(line: CommandLine): string {
  const key = required(text(line, 'key'), 'key');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('The key must be a text without blanks that a header can carry.');
}

function familiesOf(line: CommandLine): readonly string[] | undefined {
  const given = text(line, 'family')?.replace(/-/g, '_');
  if (given === undefined) return undefined;
  if (FAMILIES.includes(given)) return [given];
  throw new UsageError(`--family must be ${FAMILIES.join(', ')}; got "${given}".`);
}

function positive(line: CommandLine, name: string): number | undefined {
  const given = text(line, name);
  if (given === undefined) return undefined;
  const number = /^\d{1,6}(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (number > 0) return number;
  throw new UsageError(`--${name} must be a number above 0; got "${given}".`);
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new FileError(file, `could not be written: ${(error as Error).message}`);
  }
}
