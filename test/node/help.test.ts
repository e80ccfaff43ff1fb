import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/node/cli.ts';
import { START_OPTIONS } from '../../src/node/start-options.ts';
import { terminalTo } from '../support/terminal.ts';

/** What a command line says, on a terminal of that many columns. */
async function said(args: readonly string[], columns?: number, colours = false) {
  const heard = { out: '', err: '' };
  const code = await run(args, terminalTo(heard, { columns, colours }));
  return { code, ...heard };
}

const COMMANDS = ['start', 'fixtures', 'ready', 'openapi', 'check', 'proxy'];
const HELPS = [['--help'], ...COMMANDS.map((name) => [name, '--help'])];

const widest = (text: string): number =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  );

describe.each(HELPS.map((args) => ({ what: args.join(' '), args })))('$what', ({ args }) => {
  test('has no line of more than 80 columns, in colours or without', async () => {
    const plain = await said(args);
    expect(plain).toMatchObject({ code: 0, err: '' });
    expect(plain.out).not.toContain('\u001b');
    expect(widest(plain.out)).toBeLessThanOrEqual(80);
    const coloured = await said(args, undefined, true);
    expect(coloured.out).toContain('\u001b[1m');
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
  });

  test('fits narrower and wider terminals, and stays readable on very wide ones', async () => {
    const narrow = stripVTControlCharacters((await said(args, 70)).out);
    const [prose = ''] = narrow.split('\n\nExamples:\n');
    expect(widest(prose)).toBeLessThanOrEqual(70);
    const wide = (await said(args, 100)).out;
    expect(widest(wide)).toBeLessThanOrEqual(100);
    expect((await said(args, 300)).out).toBe(wide);
    expect(wide.split('\n').length).toBeLessThanOrEqual(narrow.split('\n').length);
  });

  test('shows each flag once', async () => {
    const { out } = await said(args);
    const flags = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(flags).toContain('--help');
    expect(new Set(flags).size).toBe(flags.length);
  });

  test('hangs what goes on in the next line under the description', async () => {
    const { out } = await said(args);
    for (const section of out.trimEnd().split('\n\n').slice(2)) {
      const [title, first = '', ...lines] = section.split('\n');
      expect(title).toMatch(/^\w.*:$/);
      const column = / {2,}(?=\S)/.exec(first.trimStart())?.index ?? 0;
      for (const line of lines) {
        expect(line, 'a flag, a term, a command to copy, or text under it').toMatch(
          title === 'Examples:' ? /^ {2,4}\S/ : new RegExp(`^( {2}| {${column},})\\S`),
        );
      }
    }
  });
});

test('the flags of start stand in groups, each flag in one of them', async () => {
  const { out } = await said(['--help']);
  const titles = Object.keys(START_OPTIONS);
  expect(titles).toContain('Time and chance');
  const places = titles.map((title) => out.indexOf(`\n${title}:\n`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const flags = Object.values(START_OPTIONS).flatMap((rows) => rows.map(([each]) => each));
  expect(new Set(flags).size).toBe(flags.length);
  for (const [title, rows] of Object.entries(START_OPTIONS)) {
    const section = out.slice(out.indexOf(`\n${title}:\n`) + 1).split('\n\n')[0];
    for (const [each] of rows) expect(section).toContain(`  ${each}`);
  }
});

test('the help says where health is asked for', async () => {
  for (const args of [['--help'], ['start', '--help']]) {
    const { out } = await said(args);
    expect(out).toMatch(/\nHealth:\n {2}GET \/livez .*\n {2}GET \/readyz /);
  }
});

describe('-h and -v', () => {
  test.each([
    ...COMMANDS.map((name) => [name, '-h']),
    ['ready', '--timeout', '0', '-h'],
    ['check', '--buy', '-h'],
    ['start', '-p', '0', '-h'],
  ])('%s %s shows the help of the command', async (...args) => {
    expect((await said(args)).out).toBe((await said(['help', args[0] as string])).out);
  });

  test.each([['-h'], ['help'], ['help', '-h'], ['help', '--help']])(
    '%s %s shows the help of the program',
    async (...args) => {
      expect((await said(args)).out).toBe((await said(['--help'])).out);
    },
  );

  test.each([
    ['-v'],
    ['-p', '0', '-v'],
    ['start', '-v'],
    ['fixtures', '-v'],
    ['ready', '--timeout', '0', '-v'],
    ['check', '--version'],
    ['proxy', '-p', '0', '-v'],
  ])('%s %s shows the version', async (...args) => {
    expect((await said(args)).out).toBe((await said(['--version'])).out);
  });

  test('mean nothing where there is no such command, and --version another one of a document', async () => {
    expect(await said(['nowhere', '-v'])).toMatchObject({ code: 2, out: '' });
    expect((await said(['openapi', '--version', '3.0'])).out).toContain('"openapi": "3.0.3"');
    expect((await said(['openapi', '-v'])).err).toContain("unknown option '-v'");
  });
});

describe('what is not known', () => {
  test.each([
    [['--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
    [['--autoMerchants'], "unknown option '--autoMerchants' (Did you mean --auto-merchants?)"],
    [['--maxmerchants', '3'], "unknown option '--maxmerchants' (Did you mean --max-merchants?)"],
    [['--verson'], "unknown option '--verson' (Did you mean --version?)"],
    [['--hlep'], "unknown option '--hlep' (Did you mean --help?)"],
    [['ready', '--versin'], "unknown option '--versin' (Did you mean --version?)"],
    [['-V'], "unknown option '-V'\n"],
    [['-x'], "unknown option '-x'\n"],
    [['--verbose'], "unknown option '--verbose'\n"],
    [['check', '--kee=sk_secret_1234'], "unknown option '--kee'\n"],
    [['fixtures', 'check', '--dir', 'here'], "unknown option '--dir'\n"],
    [['fixture'], "unknown command 'fixture' (Did you mean fixtures?)"],
    [['strat'], "unknown command 'strat' (Did you mean start?)"],
    [['deploy'], "unknown command 'deploy'\n"],
    [['deploy', '--help'], "unknown command 'deploy'\n"],
    [['help', 'me'], "unknown command 'me'\n"],
  ])('%j is told with a hint only where one is near', async (args, message) => {
    const { code, err } = await said(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
