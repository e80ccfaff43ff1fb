import type { Command } from 'commander';
import { anyFamilies } from '../../products/world.ts';
import { systemNow, wait } from '../../world/clock.ts';
import { isOn, jsonFile, type Subcommand, type Terminal, text, webAddress } from '../command.ts';
import { UsageError } from '../errors.ts';
import { requireWritable, writeWhole } from '../files.ts';
import { type OptionGroups, PROGRAM } from '../start-options.ts';

const FAMILIES = anyFamilies.map(({ key }) => key);

const OPTIONS: OptionGroups = {
  'The server': [
    ['--url <U>', 'the server that claims to be the service', undefined, 'CHECK_URL'],
    [
      '--key <K>',
      "the merchant's key; shown nowhere. The variable keeps it off the command line",
      undefined,
      'CHECK_KEY',
    ],
    [
      '--other-key <K>',
      "another merchant's key, which must see nothing of the first one's",
      'none',
      'CHECK_OTHER_KEY',
    ],
  ],
  Requests: [
    ['--buy', 'buy and renew, with made-up customers', 'on this machine only'],
    ['--read-only', 'send quotes, lists and look-ups, and nothing that buys or renews', 'off'],
    ['--wait-expiry', 'wait 15 minutes for tokens to expire, where no clock can be moved', 'off'],
    [
      '--family <F>',
      `ask one family only: ${FAMILIES.slice(0, -1).join(', ')} or ${FAMILIES.at(-1)}`,
      'all',
    ],
    [
      '--product <F=ID>',
      `the product to buy of a family: ${FAMILIES[0]}=7; several with commas`,
      'found by quotes',
    ],
    ['--rps <N>', 'the most requests in a second', 'one after another'],
    ['--timeout <S>', 'how many seconds to wait for each answer', '10'],
  ],
  Report: [
    ['--all', 'print every difference in full, every operation and every assumption', 'a screen'],
    ['--profile <FILE>', 'a profile that the server is expected to follow', 'none'],
    [
      '--write-profile <FILE>',
      'write the profile under which a sandbox answers as the server does',
      'off',
    ],
    ['--json', 'print the report as JSON', 'off'],
    ['--junit <FILE>', 'write the report as JUnit XML too', 'off'],
  ],
};

export const check: Subcommand = {
  usage: '--url U --key K [flags]',
  description:
    'Plays the same calls on the server and on a sandbox in this process, and tells what the server answers otherwise. Products and prices are learnt from the server. Where a profile explains a difference, the report names it.\n' +
    'Test customers are named "Sandbox Check" and use reserved phone and identity numbers. On an address that is not this machine nothing is bought without --buy. PUT and DELETE go only to the control plane of a sandbox.\n' +
    'Exit code 0 without a difference, 1 with one, 2 if the server could not be checked.',
  options: OPTIONS,
  more: {
    Examples: [
      `${PROGRAM} check --url http://127.0.0.1:4015 \\`,
      '  --key sk_sandbox_demo',
      'export CHECK_KEY=…',
      `${PROGRAM} check --url https://provider.example --rps 2`,
      `${PROGRAM} check --url https://provider.example --buy \\`,
      '  --write-profile provider.json',
      `${PROGRAM} --profile provider.json   # does as the provider does`,
    ],
  },
  // Not repeated: it may be a key.
  argumentRefusal: () => 'check takes flags only; --help shows them.',
  async run(given, terminal) {
    const { check, DEFAULT_TIMEOUT_MS } = await import('../../contract/check.ts');
    const { toJUnit, toText } = await import('../../contract/report.ts');
    const junit = text(given, 'junit');
    const written = text(given, 'writeProfile');
    for (const file of [junit, written]) if (file !== undefined) requireWritable(file);
    const options = {
      url: required(webAddress(given, 'url'), 'url'),
      key: required(keyIn(given, 'key'), 'key'),
      otherKey: keyIn(given, 'otherKey'),
      families: familiesOf(given),
      buy: isOn(given, 'buy'),
      readOnly: isOn(given, 'readOnly'),
      waitExpiry: isOn(given, 'waitExpiry'),
      rps: positive(given, 'rps'),
      products: productsIn(given),
      timeout: (positive(given, 'timeout') ?? DEFAULT_TIMEOUT_MS / 1000) * 1000,
      profile: jsonFile(given, 'profile'),
    };
    const progress = isOn(given, 'json') ? undefined : progressLine(terminal);
    const report = await check({ ...options, onProgress: progress?.show }, fetch, {
      now: systemNow,
      wait,
    }).finally(() => progress?.clear());
    terminal.out(
      isOn(given, 'json')
        ? `${JSON.stringify(report, null, 2)}\n`
        : toText(report, isOn(given, 'all')),
    );
    if (junit !== undefined) writeWhole(junit, toJUnit(report));
    if (written !== undefined) {
      const isEmpty = Object.keys(report.profile.decisions).length === 0;
      if (!isEmpty) writeWhole(written, `${JSON.stringify(report.profile, null, 2)}\n`);
      if (!isOn(given, 'json')) {
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
function keyIn(given: Command, name: 'key' | 'otherKey'): string | undefined {
  const key = text(given, name);
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

function familiesOf(given: Command): readonly string[] | undefined {
  const family = text(given, 'family')?.replace(/-/g, '_');
  if (family === undefined) return undefined;
  if (FAMILIES.includes(family)) return [family];
  throw new UsageError(`--family must be ${FAMILIES.join(', ')}; got "${family}".`);
}

/** `--product micro_health=7,motor=12`. */
function productsIn(given: Command): ReadonlyMap<string, number> {
  const pairs = (text(given, 'product')?.split(',') ?? []).map((pair) => {
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

function positive(given: Command, name: string): number | undefined {
  const value = text(given, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,6}(\.\d+)?$/.test(value) ? Number(value) : 0;
  if (number > 0) return number;
  throw new UsageError(`--${name} must be a number above 0; got "${value}".`);
}
