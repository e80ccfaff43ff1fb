/* `check`: compares a server with the contract. */

import type { Command } from 'commander';
import { tokenLifetimes } from '../../products/lifetimes.ts';
import { anyFamilies } from '../../products/world.ts';
import { type OptionGroups, RUN } from '../../start-options.ts';
import { systemNow, wait } from '../../world/clock.ts';
import { isSendableKey } from '../../world/merchants.ts';
import { truncate } from '../../world/problem-texts.ts';
import {
  isOn,
  jsonFile,
  listed,
  positive,
  progressLine,
  type Subcommand,
  text,
  webAddress,
  writableFile,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { writeWhole } from '../files.ts';

const FAMILIES = anyFamilies.map(({ key }) => key);

const OPTIONS: OptionGroups = {
  Server: [
    ['--url <U>', 'URL of the server to check', undefined, 'CHECK_URL'],
    [
      '--key <K>',
      'API key of a merchant, never printed; CHECK_KEY keeps it off the command line',
      undefined,
      'CHECK_KEY',
    ],
    [
      '--other-key <K>',
      'API key of a second merchant, to check that merchants are isolated',
      undefined,
      'CHECK_OTHER_KEY',
    ],
  ],
  Requests: [
    ['--buy', 'buy and renew policies, with made-up customers', 'on this machine only'],
    ['--read-only', 'send only quotes, lists and look-ups'],
    ['--wait-expiry', `wait ${tokenLifetimes()} for tokens to expire if no clock can be moved`],
    ['--family <F>', `check one product family: ${listed(FAMILIES)}`, 'all'],
    [
      '--product <F=ID[,F=ID]>',
      `product to buy from a family, such as ${FAMILIES[0]}=7,${FAMILIES[1]}=12`,
      'found with quotes',
    ],
    ['--rps <N>', 'maximum requests per second', 'no limit'],
    ['--timeout <S>', 'seconds to wait for each response', '10'],
    ['--patience <S>', 'seconds to wait in all for a server that limits requests', '60'],
  ],
  Report: [
    ['--all', 'print every difference, operation and assumption in full'],
    ['--profile <FILE>', 'profile that the server should follow'],
    ['--write-profile <FILE>', 'write a profile that makes a sandbox respond like the server'],
    ['--json', 'print the report as JSON'],
    ['--junit <FILE>', 'also write the report as JUnit XML'],
  ],
};

export const check: Subcommand = {
  usage: '--url U --key K [flags]',
  description:
    'Compare a server with the contract.\n\n' +
    'The check sends the same requests to the server and to a sandbox, and reports how the responses differ. It uses the products and prices of the server. If a profile explains a difference, the report names it.\n\n' +
    'Test customers are named "Sandbox Check" and use reserved phone and identity numbers. On another machine, the check buys nothing without --buy. PUT and DELETE requests go only to the control plane of a sandbox.',
  options: OPTIONS,
  more: {
    'Exit codes': ['0  no differences', '1  differences', '2  the server could not be checked'],
    Examples: [
      `${RUN} check --url http://127.0.0.1:4015 \\`,
      '  --key sk_sandbox_demo',
      `CHECK_KEY=… ${RUN} check \\`,
      '  --url https://provider.example --rps 2',
      `${RUN} check --url https://provider.example --buy \\`,
      '  --write-profile provider.json',
    ],
  },
  // The argument may be a key, so the message leaves it out.
  argumentRefusal: () => 'check takes no arguments, only flags; see --help.',
  async run(given, terminal) {
    const { check, DEFAULT_PATIENCE_MS, DEFAULT_TIMEOUT_MS } = await import(
      '../../tools/check/check.ts'
    );
    const { toJUnit, toText } = await import('../../tools/check/report.ts');
    const junit = writableFile(given, 'junit');
    const written = writableFile(given, 'writeProfile');
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
      patience: (positive(given, 'patience') ?? DEFAULT_PATIENCE_MS / 1000) * 1000,
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
        const advice = isEmpty
          ? 'No profile was written: it would be empty.'
          : `To respond like this server: ${RUN} --profile ${written}`;
        terminal.out(`${advice}\n`);
      }
    }
    return report.differences.length > 0 ? 1 : 0;
  },
};

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`check requires --${name} (or CHECK_${name.toUpperCase()}).`);
}

/** An API key. The message about an invalid key leaves it out. */
function keyIn(given: Command, name: 'key' | 'otherKey'): string | undefined {
  const key = text(given, name);
  if (key === undefined || isSendableKey(key)) return key;
  const which = name === 'key' ? 'The key' : 'The other key';
  throw new UsageError(`${which} must be printable ASCII text without spaces.`);
}

function familiesOf(given: Command): readonly string[] | undefined {
  const family = text(given, 'family')?.replace(/-/g, '_');
  if (family === undefined) return undefined;
  if (FAMILIES.includes(family)) return [family];
  throw new UsageError(`--family must be ${listed(FAMILIES)}; got ${truncate(family)}.`);
}

/** `--product micro_health=7,motor=12`. */
function productsIn(given: Command): ReadonlyMap<string, number> {
  const products = new Map<string, number>();
  for (const pair of text(given, 'product')?.split(',') ?? []) {
    const [family = '', id = ''] = pair.trim().split('=', 2);
    const key = family.replace(/-/g, '_');
    if (!FAMILIES.includes(key)) {
      throw new UsageError(`--product must name ${listed(FAMILIES)}; got ${truncate(family)}.`);
    }
    if (!/^[1-9]\d{0,8}$/.test(id)) {
      throw new UsageError(`--product must look like ${key}=7; got ${truncate(pair.trim())}.`);
    }
    if (products.has(key)) {
      throw new UsageError(`--product must name one product of ${key}, not two.`);
    }
    const owner = [...products].find(([, other]) => other === Number(id))?.[0];
    if (owner !== undefined) {
      throw new UsageError(`--product must name another product of ${key} than of ${owner}.`);
    }
    products.set(key, Number(id));
  }
  return products;
}
