import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/node/cli.ts';
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

  test('shows each flag once', async () => {
    const { out } = await said(args);
    const flags = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(flags).toContain('--help');
    expect(new Set(flags).size).toBe(flags.length);
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
