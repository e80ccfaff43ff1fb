import { writeFileSync } from 'node:fs';
import { anyFamilies } from '../../products/world.ts';
import { systemNow, wait } from '../../world/clock.ts';
import type { Command, Terminal } from '../command.ts';
import { FileError, readJsonFile, requireWritable } from '../files.ts';
import {
  type CommandLine,
  type FlagGroup,
  isOn,
  readCommandLine,
  text,
  UsageError,
  webAddress,
} from '../flags.ts';
import { PROGRAM } from '../help.ts';

const FAMILIES = anyFamilies.map(({ key }) => key);

const FLAGS: readonly FlagGroup[] = [
  {
    title: 'The server',
    flags: [
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
        description:
          "the merchant's key; shown nowhere. The variable keeps it off the command line",
      },
      {
        name: 'other-key',
        value: 'K',
        default: 'none',
        env: ['CHECK_OTHER_KEY'],
        description: "another merchant's key, which must see nothing of the first one's",
      },
    ],
  },
  {
    title: 'Requests',
    flags: [
      {
        name: 'buy',
        default: 'on this machine only',
        description: 'buy and renew, with made-up customers',
      },
      {
        name: 'read-only',
        default: 'off',
        description: 'send quotes, lists and look-ups, and nothing that buys or renews',
      },
      {
        name: 'wait-expiry',
        default: 'off',
        description: 'wait 15 minutes for tokens to expire, where no clock can be moved',
      },
      {
        name: 'family',
        value: 'F',
        default: 'all',
        description: `ask one family only: ${FAMILIES.slice(0, -1).join(', ')} or ${FAMILIES.at(-1)}`,
      },
      {
        name: 'product',
        value: 'F=ID',
        default: 'found by quotes',
        description: `the product to buy of a family: ${FAMILIES[0]}=7; several with commas`,
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
    ],
  },
  {
    title: 'Report',
    flags: [
      {
        name: 'all',
        default: 'a screen',
        description: 'print every difference in full, every operation and every assumption',
      },
      {
        name: 'profile',
        value: 'FILE',
        default: 'none',
        description: 'a profile that the server is expected to follow',
      },
      {
        name: 'write-profile',
        value: 'FILE',
        default: 'off',
        description: 'write the profile under which a sandbox answers as the server does',
      },
      { name: 'json', default: 'off', description: 'print the report as JSON' },
      {
        name: 'junit',
        value: 'FILE',
        default: 'off',
        description: 'write the report as JUnit XML too',
      },
    ],
  },
];

export const check: Command = {
  summary: 'compare a server with the contract',
  usage: 'check --url U --key K [flags]',
  description:
    'Plays the same calls on the server and on a sandbox in this process, and tells what the server answers otherwise. Products and prices are learnt from the server. Where a profile explains a difference, the report names it.\n' +
    'Test customers are named "Sandbox Check" and use reserved phone and identity numbers. On an address that is not this machine nothing is bought without --buy. PUT and DELETE go only to the control plane of a sandbox.\n' +
    'Exit code 0 without a difference, 1 with one, 2 if the server could not be checked.',
  flagGroups: FLAGS,
  examples: [
    `${PROGRAM} check --url http://127.0.0.1:4015 \\`,
    '  --key sk_sandbox_demo',
    'export CHECK_KEY=…',
    `${PROGRAM} check --url https://provider.example --rps 2`,
    `${PROGRAM} check --url https://provider.example --buy \\`,
    '  --write-profile provider.json',
    `${PROGRAM} --profile provider.json   # does as the provider does`,
  ],
  async run(args, terminal) {
    const line = readCommandLine(FLAGS, args, terminal.environment);
    const [unexpectedArg] = line.positionals;
    if (unexpectedArg !== undefined)
      // Not repeated: it may be a key.
      throw new UsageError('check takes flags only; --help shows them.');
    const engine = await import('../../contract/index.ts');
    const profile = text(line, 'profile');
    const junit = text(line, 'junit');
    const written = text(line, 'write-profile');
    for (const file of [junit, written]) if (file !== undefined) requireWritable(file);
    const options = {
      url: required(webAddress(line, 'url'), 'url'),
      key: required(keyIn(line, 'key'), 'key'),
      otherKey: keyIn(line, 'other-key'),
      families: familiesOf(line),
      buy: isOn(line, 'buy'),
      readOnly: isOn(line, 'read-only'),
      waitExpiry: isOn(line, 'wait-expiry'),
      rps: positive(line, 'rps'),
      products: productsIn(line),
      timeout: (positive(line, 'timeout') ?? engine.DEFAULT_TIMEOUT_MS / 1000) * 1000,
      profile: profile === undefined ? undefined : readJsonFile(profile),
    };
    const progress = isOn(line, 'json') ? undefined : progressLine(terminal);
    const report = await engine
      .check({ ...options, onProgress: progress?.show }, fetch, { now: systemNow, wait })
      .finally(() => progress?.clear());
    terminal.out(
      isOn(line, 'json')
        ? `${JSON.stringify(report, null, 2)}\n`
        : engine.toText(report, isOn(line, 'all')),
    );
    if (junit !== undefined) write(junit, engine.toJUnit(report));
    if (written !== undefined) {
      const isEmpty = Object.keys(report.profile.decisions).length === 0;
      if (!isEmpty) write(written, `${JSON.stringify(report.profile, null, 2)}\n`);
      if (!isOn(line, 'json')) {
        const told = isEmpty
          ? 'No profile was written: there is nothing to put into it.'
          : `To answer as this server does: ${PROGRAM} --profile ${written}`;
        terminal.out(`${told}\n`);
      }
    }
    return report.differences.length > 0 ? 1 : 0;
  },
};

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`check needs --${name} (or CHECK_${name.toUpperCase()}).`);
}

/** A key. A bad one is refused without being repeated. */
function keyIn(line: CommandLine, name: 'key' | 'other-key'): string | undefined {
  const key = text(line, name);
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  const which = name === 'key' ? 'The key' : 'The other key';
  throw new UsageError(`${which} must be a text without blanks that a header can carry.`);
}

/** One line that says what the check is at, where somebody sees it. */
function progressLine({ err, errColumns }: Terminal) {
  if (errColumns === undefined) return undefined;
  const ERASE = '\r\u001b[K';
  // A line that fills the last column would go on in the next one.
  const show = (what: string) => err(`${ERASE}${what.slice(0, errColumns - 1)}`);
  return { show, clear: () => err(ERASE) };
}

function familiesOf(line: CommandLine): readonly string[] | undefined {
  const given = text(line, 'family')?.replace(/-/g, '_');
  if (given === undefined) return undefined;
  if (FAMILIES.includes(given)) return [given];
  throw new UsageError(`--family must be ${FAMILIES.join(', ')}; got "${given}".`);
}

/** `--product micro_health=7,motor=12`. */
function productsIn(line: CommandLine): ReadonlyMap<string, number> {
  const given = text(line, 'product');
  const pairs = (given?.split(',') ?? []).map((pair) => {
    const [family = '', id = ''] = pair.trim().split('=', 2);
    const key = family.replace(/-/g, '_');
    if (!FAMILIES.includes(key)) {
      throw new UsageError(`--product must name ${FAMILIES.join(', ')}; got "${family}".`);
    }
    if (!/^[1-9]\d{0,8}$/.test(id)) {
      throw new UsageError(`--product must be like ${key}=7; got "${pair.trim()}".`);
    }
    return [key, Number(id)] as const;
  });
  return new Map(pairs);
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
