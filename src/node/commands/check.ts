import type { Command } from 'commander';
import { anyFamilies } from '../../products/world.ts';
import { systemNow, wait } from '../../world/clock.ts';
import { isOn, jsonFile, type Subcommand, type Terminal, text, webAddress } from '../command.ts';
import { UsageError } from '../errors.ts';
import { requireWritable, writeWhole } from '../files.ts';
import { type OptionGroups, PROGRAM } from '../start-options.ts';

const FAMILIES = anyFamilies.map(({ key }) => key);

const OPTIONS: OptionGroups = {
  Server: [
    ['--url <U>', 'address of the server to check', undefined, 'CHECK_URL'],
    [
      '--key <K>',
      'API key of a merchant; never printed. Prefer the variable',
      undefined,
      'CHECK_KEY',
    ],
    [
      '--other-key <K>',
      'API key of a second merchant, to check isolation',
      'none',
      'CHECK_OTHER_KEY',
    ],
  ],
  Requests: [
    ['--buy', 'buy and renew, with made-up customers', 'on this machine only'],
    ['--read-only', 'send only quotes, lists and look-ups', 'off'],
    ['--wait-expiry', 'wait 15 minutes for a token to expire if no clock can be moved', 'off'],
    [
      '--family <F>',
      `check one family only: ${FAMILIES.slice(0, -1).join(', ')} or ${FAMILIES.at(-1)}`,
      'all',
    ],
    [
      '--product <F=ID>',
      `product to buy, such as ${FAMILIES[0]}=7; separate several with commas`,
      'found by quotes',
    ],
    ['--rps <N>', 'most requests a second', 'no limit'],
    ['--timeout <S>', 'seconds to wait for a response', '10'],
  ],
  Report: [
    ['--all', 'print every difference, operation and assumption', 'first ten'],
    ['--profile <FILE>', 'profile the server is known to follow', 'none'],
    [
      '--write-profile <FILE>',
      'write a profile that makes a sandbox behave like the server',
      'off',
    ],
    ['--json', 'print the report as JSON', 'off'],
    ['--junit <FILE>', 'also write the report as JUnit XML', 'off'],
  ],
};

export const check: Subcommand = {
  usage: '--url U --key K [flags]',
  description:
    'Makes the same calls on a server and on a sandbox in this process, and reports where the responses differ. It learns products and prices from the server. If a profile explains a difference, the report names it.\n' +
    'Test customers are named "Sandbox Check" and use reserved phone and identity numbers. On another machine it buys nothing without --buy. PUT and DELETE go only to the control plane of a sandbox.\n' +
    'Exit code 0 without differences, 1 with differences, 2 if the server could not be checked.',
  options: OPTIONS,
  more: {
    Examples: [
      `${PROGRAM} check --url http://127.0.0.1:4015 \\`,
      '  --key sk_sandbox_demo',
      'export CHECK_KEY=…',
      `${PROGRAM} check --url https://provider.example --rps 2`,
      `${PROGRAM} check --url https://provider.example --buy \\`,
      '  --write-profile provider.json',
      `${PROGRAM} --profile provider.json   # behaves like the provider`,
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
