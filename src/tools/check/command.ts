/* `check`: runs the probes of the contract against a server, and reports like a test run. */

import type { Command } from 'commander';
import {
  isOn,
  jsonFile,
  listed,
  positive,
  progressLine,
  type Subcommand,
  serverAddress,
  text,
  writableFile,
} from '../../node/command.ts';
import { UsageError } from '../../node/errors.ts';
import { writeWhole } from '../../node/files.ts';
import { anyFamilies } from '../../products/world.ts';
import { type OptionGroups, RUN } from '../../sandbox/start-options.ts';
import { systemNow, wait } from '../../world/clock.ts';
import { isSendableKey } from '../../world/merchants.ts';
import { truncate } from '../../world/problem-texts.ts';

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
      'API key of a second merchant, to show isolation',
      undefined,
      'CHECK_OTHER_KEY',
    ],
  ],
  Requests: [
    ['--buy', 'buy and renew policies, with made-up customers', 'on this machine only'],
    ['--wait-expiry', 'wait 15 minutes for tokens to expire if no clock can be moved'],
    [
      '--product <F=ID[,F=ID]>',
      `product of a family, such as ${FAMILIES[0]}=7,${FAMILIES[1]}=12`,
      'found with lists and quotes',
    ],
    [
      '--only <ID[,ID]>',
      'probes to run: by id, heading of the specification, assumption or operation',
      'all',
    ],
    ['--patience <S>', 'seconds to wait in all for a server that limits requests', '60'],
  ],
  Report: [
    ['--all', 'list the probes that passed and every place of a difference'],
    ['--profile <FILE>', 'profile whose values count as published'],
    ['--write-profile <FILE>', 'write the values that were read as a profile'],
    ['--json', 'print the report as JSON'],
    ['--junit <FILE>', 'also write the report as JUnit XML'],
  ],
};

export const checkCommand: Subcommand = {
  usage: '--url U --key K [flags]',
  description:
    'Test a server against the contract.\n\n' +
    "Each probe is one statement of the specification or one assumption. Every response is also compared with its schema. Prices, products and numbers are the provider's: the check reads them from quotes and lists.\n\n" +
    'Test customers are named "Sandbox Check" and use reserved phone and identity numbers. On another machine, the check buys nothing without --buy. PUT and DELETE requests go only to the control plane of a sandbox.',
  options: OPTIONS,
  more: {
    'Exit codes': [
      '0  as the contract says',
      '1  differences',
      '2  the server could not be checked',
    ],
    Examples: [
      `${RUN} check --url http://127.0.0.1:4015 \\`,
      '  --key sk_sandbox_demo',
      `CHECK_KEY=… ${RUN} check \\`,
      '  --url https://provider.example --buy \\',
      '  --write-profile provider.json',
    ],
  },
  // The argument may be a key, so the message leaves it out.
  argumentRefusal: () => 'check takes no arguments, only flags; see --help.',
  async run(given, terminal) {
    const { check } = await import('./check.ts');
    const { isClean, toJson, toJUnit, toText } = await import('./report.ts');
    const junit = writableFile(given, 'junit');
    const written = writableFile(given, 'writeProfile');
    const patience = positive(given, 'patience');
    const options = {
      url: required(serverAddress(given, 'url'), 'url'),
      key: required(keyIn(given, 'key'), 'key'),
      otherKey: keyIn(given, 'otherKey'),
      buy: isOn(given, 'buy'),
      waitExpiry: isOn(given, 'waitExpiry'),
      products: productsIn(given),
      only: text(given, 'only')
        ?.split(',')
        .map((name) => name.trim()),
      patience: patience && patience * 1000,
      profile: jsonFile(given, 'profile'),
    };
    const progress = isOn(given, 'json') ? undefined : progressLine(terminal);
    const onProgress = (requests: number) => progress?.show(`${requests} requests`);
    const report = await check({ ...options, onProgress }, fetch, { now: systemNow, wait }).finally(
      () => progress?.clear(),
    );
    terminal.out(isOn(given, 'json') ? `${toJson(report)}\n` : toText(report, isOn(given, 'all')));
    if (junit !== undefined) writeWhole(junit, toJUnit(report));
    if (written !== undefined) {
      writeWhole(written, `${JSON.stringify(report.profile, null, 2)}\n`);
      if (!isOn(given, 'json')) {
        terminal.out(`\nTo respond like this server: ${RUN} --profile ${written}\n`);
      }
    }
    return isClean(report) ? 0 : 1;
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
    products.set(key, Number(id));
  }
  return products;
}
