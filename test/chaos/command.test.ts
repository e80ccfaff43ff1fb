import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { run } from '../../src/node/cli.ts';
import type { ChaosReport } from '../../src/node/index.ts';
import { Command, newFolder, PROGRAM } from '../node/command.ts';
import { exampleOf } from '../support/requests.ts';
import { runHere, terminalTo } from '../support/terminal.ts';

/** Runs `chaos` in this process. Its programs are processes. */
const chaos = (...args: readonly string[]) => runHere(['chaos', ...args], ENVIRONMENT);
const ENVIRONMENT = { PATH: process.env.PATH as string };

/** What the programs below begin with: a merchant that buys motor policies. */
const MERCHANT = `
const { SANDBOX_URL, SANDBOX_KEY } = process.env;
async function call(path, body) {
  const response = await fetch(SANDBOX_URL + '/api/merchant/' + path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer ' + SANDBOX_KEY, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const { success, data } = await response.json();
  if (!success) throw new Error(data.error);
  return data;
}
const initiate = () => call('comprehensive_motor_initiate_policy', ${JSON.stringify(exampleOf('initiateMotorPolicy'))});
const verify = ({ token }) => call('comprehensive_motor_verify_policy', { token });
const list = () => call('get_comprehensive_motor_policies');
const buy = async () => verify(await initiate());
`;

const { contact_person_name: CUSTOMER } = exampleOf('initiateMotorPolicy');

/** The command of a program. */
function program(code: string): readonly [string, string] {
  const file = join(newFolder(), 'merchant.mjs');
  writeFileSync(file, MERCHANT + code);
  return [process.execPath, file];
}

const HASTY = 'await buy().catch(buy);';
const CAREFUL = 'await buy().catch(async () => (await list()).length > 0 || buy());';
const HONEST = 'await buy();';
const BLIND = 'await buy().catch(() => {});';
const PATIENT = 'await buy().catch(() => setInterval(() => {}, 1000));';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that nobody has waited for is no longer running.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('each outcome has its exit code', () => {
  test.each([
    ['survived', CAREFUL, [], 0],
    ['noticed', HONEST, [], 0],
    ['noticed', HONEST, ['--strict'], 1],
    ['bought twice', HASTY, [], 1],
    ['false success', BLIND, ['--only', 'initiateMotorPolicy:503'], 1],
  ])('%s: `%s` %j exits with %i', async (outcome, code, flags, exit) => {
    const only = flags.includes('--only') ? [] : ['--only', 'verifyMotorPolicy:lost'];
    const ended = await chaos('--json', ...only, ...flags, '--', ...program(code));
    const report: ChaosReport = JSON.parse(ended.out);
    expect(report.runs.map((each) => each.outcome)).toEqual([outcome]);
    expect(ended.code).toBe(exit);
  });
});

describe('the report', () => {
  test('is a table, and below it what differs, with the command that repeats each run', async () => {
    const command = program(HASTY);
    const { out, err, code } = await chaos('--slow', '1', '--', ...command);
    const repeat = (only: string) =>
      `    npx micro-insurance-sandbox chaos --slow 1 --only '${only}' -- ${command.join(' ')}`;
    const callsBegin = out.indexOf('    The calls of');
    const callsEnd = out.indexOf('    npx');
    expect(out.slice(0, callsBegin) + out.slice(callsEnd)).toBe(
      [
        'The program made 2 calls of 2 operations, and bought 1 policy and 0 renewals.',
        '15 runs with a failure of one call each:',
        '',
        '                                  503  refused  lost  cut  garbage  gateway  slow  expired',
        'initiateMotorPolicy  1 of 1 call  ✓    ✓        ✓     ✓    ✓        ✓        ✓',
        'verifyMotorPolicy    1 of 1 call  ✓    ✓        2×    2×   2×       2×       ✓     ✓',
        '',
        '✓ 11 survived   2× 4 bought twice',
        '',
        'Bought twice',
        `  verifyMotorPolicy: exit 0; 2 policies instead of 1 for ${CUSTOMER}`,
        ...['lost', 'cut', 'garbage', 'gateway'].map((each) =>
          repeat(`verifyMotorPolicy#1:${each}`),
        ),
        '',
      ].join('\n'),
    );
    const calls = out.slice(callsBegin, callsEnd).split('\n');
    expect(calls[0]).toBe('    The calls of verifyMotorPolicy#1:lost:');
    expect(calls.filter((line) => line.includes('+ motor policy'))).toHaveLength(2);
    expect(calls.filter((line) => line.startsWith('    ▸'))).toHaveLength(1);
    expect(code).toBe(1);
    expect(err).toMatch(/^micro-insurance-sandbox: 15 runs, about \d+ s\.\n/);
    const [, , ...words] = repeat('verifyMotorPolicy#1:lost').replaceAll("'", '').trim().split(' ');
    expect((await chaos(...words.slice(1))).code).toBe(1);
  });

  test('is coloured on a terminal', async () => {
    const said = { out: '', err: '' };
    const stopped = () => new Promise<void>(() => undefined);
    const terminal = terminalTo(said, { environment: ENVIRONMENT, stopped, colours: true });
    await run(['chaos', '--only', 'lost', '--', ...program(HASTY)], terminal);
    expect(said.out).toContain('\u001b[31m2×\u001b[39m');
    expect(said.out).toContain('\u001b[32m✓ 1 survived\u001b[39m');
  });

  test('keeps the flags that a repeated run needs, quoted as a shell wants them', async () => {
    const { out } = await chaos(
      ...['--only', 'verifyMotorPolicy:lost', '--jobs', '1', '--calls', 'all', '--times', '2'],
      ...['--now', '2026-01-31', '--', 'sh', '-c', `exec ${program(HONEST).join(' ')} "it's"`],
    );
    expect(out).toContain(
      "    npx micro-insurance-sandbox chaos --times 2 --now 2026-01-31 --only 'verifyMotorPolicy#1:lost' -- sh -c 'exec ",
    );
    expect(out).toContain(`"it'\\''s"'\n`);
  });

  test('--json prints one object and nothing else, and --report writes the same', async () => {
    const file = join(newFolder(), 'report.json');
    const only = ['--only', 'verifyMotorPolicy:lost'];
    const ended = await chaos('--json', '--report', file, ...only, '--', ...program(HASTY));
    expect(ended.out).toBe(readFileSync(file, 'utf8'));
    expect(JSON.parse(ended.out)).toEqual({
      undisturbed: {
        key: 'sk_sandbox_chaos_undisturbed',
        exit: 0,
        bought: [{ operation: 'verifyMotorPolicy', customer: CUSTOMER, count: 1 }],
        duration_ms: expect.any(Number),
      },
      operations: [
        { operation: 'initiateMotorPolicy', calls: 1, disturbed: 0 },
        { operation: 'verifyMotorPolicy', calls: 1, disturbed: 1 },
      ],
      runs: [
        {
          operation: 'verifyMotorPolicy',
          call: 1,
          failure: 'lost',
          outcome: 'bought twice',
          exit: 0,
          bought: [{ operation: 'verifyMotorPolicy', customer: CUSTOMER, count: 2 }],
          differences: [
            {
              operation: 'verifyMotorPolicy',
              customer: CUSTOMER,
              undisturbed: 1,
              bought: 2,
            },
          ],
          met: true,
          calls: expect.arrayContaining([expect.stringMatching(/^▸ .* POST .* lost/)]),
          key: 'sk_sandbox_chaos_verifyMotorPolicy_1_lost',
          duration_ms: expect.any(Number),
        },
      ],
    });
  });

  test('a full disk is told, after the report', async () => {
    const ended = await chaos('--report', '/dev/full', '--only', 'lost', '--', ...program(CAREFUL));
    expect(ended.out).toContain('✓ 2 survived');
    expect(ended.err).toMatch(/\/dev\/full: could not be written: ENOSPC/);
    expect(ended.code).toBe(2);
  });
});

test('with --auto-merchants, a program may make up its keys', async () => {
  const [node, file] = program(HASTY);
  const code = `process.env.SANDBOX_KEY = 'sk_mine'; await import(${JSON.stringify(file)});`;
  const only = ['--only', 'verifyMotorPolicy:lost', '--json'];
  const words = [node, '--input-type=module', '-e', code];
  const ended = await chaos(...only, '--auto-merchants', '--', ...words);
  expect(JSON.parse(ended.out).runs).toMatchObject([{ outcome: 'bought twice' }]);
  expect((await chaos(...only, '--', ...words)).code).toBe(2);
});

/** Standard error without the line about what the runs will take. */
const withoutForecast = (err: string): string =>
  err.replace(/^micro-insurance-sandbox: \d+ runs?, about \d+ s\.\n/, '');

describe('the output of programs', () => {
  const LOUD = `console.log('key', SANDBOX_KEY); console.error('done'); ${CAREFUL}`;

  test('goes to standard error, with the name of the run, if it did not survive', async () => {
    const { out, err } = await chaos(
      '--only',
      'verifyMotorPolicy:lost',
      '--',
      ...program(`console.log('one\\ntwo'); ${HASTY}`),
    );
    expect(withoutForecast(err)).toBe(
      'verifyMotorPolicy#1:lost | one\nverifyMotorPolicy#1:lost | two\n',
    );
    expect(out).not.toContain('two');
  });

  test('of runs that survived is shown with --verbose only', async () => {
    const quiet = await chaos('--only', 'verifyMotorPolicy:lost', '--', ...program(LOUD));
    expect(withoutForecast(quiet.err)).toBe('');
    const loud = await chaos(
      '--verbose',
      '--only',
      'verifyMotorPolicy:lost',
      '--',
      ...program(LOUD),
    );
    expect(loud.err).toContain('undisturbed | key sk_sandbox_chaos_undisturbed\n');
    expect(loud.err).toContain('verifyMotorPolicy#1:lost | done\n');
  });

  test('of many megabytes is shown with its beginning and its end', async () => {
    const lots = `${HASTY} console.log('first'); for (let i = 0; i < 4e5; i++) console.log('x'.repeat(20)); console.log('last');`;
    const { err } = await chaos('--only', 'verifyMotorPolicy:lost', '--', ...program(lots));
    expect(err.length).toBeLessThan(400_000);
    expect(err).toMatch(/^verifyMotorPolicy#1:lost \| first\n/m);
    expect(err).toMatch(/… [\d,]+ characters not shown …/);
    expect(err).toMatch(/verifyMotorPolicy#1:lost \| last\n$/);
  });
});

// They mostly wait.
describe.concurrent('programs that end badly', () => {
  /** Starts a child that never ends, and writes its number. */
  const fork = (file: string, detached: boolean) =>
    `import { spawn } from 'node:child_process'; import { appendFileSync } from 'node:fs';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: ${detached}, stdio: ['ignore', 'inherit', 'inherit'] });
    appendFileSync(${JSON.stringify(file)}, child.pid + '\\n'); child.unref();`;

  test.each([
    ['in its group', false],
    ['outside its group', true],
  ])('children %s end with the program', async (_, detached) => {
    const file = join(newFolder(), 'children');
    const ended = await chaos(
      '--only',
      'initiateMotorPolicy:503',
      '--',
      ...program(`${fork(file, detached)} ${CAREFUL}`),
    );
    expect(ended).toMatchObject({ code: 0 });
    const children = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(children).toHaveLength(2);
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]));
  });

  test('hung: a program that ignores SIGTERM is ended with its children', async () => {
    const file = join(newFolder(), 'children');
    const stubborn = `process.on('SIGTERM', () => {}); ${fork(file, false)} ${PATIENT}`;
    const ended = await chaos(
      '--only',
      'verifyMotorPolicy:lost',
      // The undisturbed run has to end within it, on a machine on which much else runs.
      '--timeout',
      '20',
      '--json',
      '--',
      ...program(stubborn),
    );
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.out).runs).toMatchObject([{ outcome: 'hung', exit: null }]);
    const children = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]));
  });

  test('a program that kills itself has noticed, with the exit code that a shell shows', async () => {
    const suicidal = `await buy().catch(() => process.kill(process.pid, 'SIGKILL'));`;
    const ended = await chaos(
      '--only',
      'verifyMotorPolicy:lost',
      '--json',
      '--',
      ...program(suicidal),
    );
    expect(JSON.parse(ended.out).runs).toMatchObject([{ outcome: 'noticed', exit: 137 }]);
  });

  test('Ctrl+C ends a command that is done, even if nobody reads what it printed', async () => {
    const loud = "console.log('x\\n'.repeat(30_000)); process.exit(1);";
    const words = ['chaos', '--', process.execPath, '-e', loud];
    const command = spawn(process.execPath, [PROGRAM, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(command.stderr, 'readable');
    command.kill('SIGINT');
    expect(await once(command, 'exit')).toEqual([2, null]);
  });

  test('Ctrl+C ends every program, with its children, and exits with 130', async () => {
    const file = join(newFolder(), 'started');
    const started = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
    const stubborn = `import { appendFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');
      process.on('SIGTERM', () => {});
      ${PATIENT}`;
    const only = ['--only', 'lost,cut,garbage', '--jobs', '2'];
    const command = new Command(['chaos', ...only, '--', ...program(stubborn)]);
    // The undisturbed run ends; the two after it do not.
    await vi.waitFor(() => expect(started()).toHaveLength(3), { timeout: 30_000 });
    const { code, out, err } = await command.stop('SIGINT');
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toContain('Stopped. Every run has ended.');
    expect(started()).toHaveLength(3);
    expect(started().map(Number).filter(isRunning)).toEqual([]);
  });
});

describe('a command that cannot be started', () => {
  const folder = newFolder();
  const fileWith = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o755 });
    return file;
  };
  const circle = join(folder, 'circle');
  symlinkSync(circle, circle);
  const broken = fileWith('broken', '#! /no/such -x\n');
  const fromWindows = fileWith('windows', '#!/bin/sh\r\necho\r\n');

  test.each<[string, string, string]>([
    [
      'a program that is none',
      'no-such-program',
      'no-such-program cannot be started: no such program.',
    ],
    [
      'a shell command',
      'npm test',
      "npm test cannot be started: no such program. For a shell command, write sh -c 'npm test'.",
    ],
    [
      'a file that is no program',
      './package.json',
      './package.json cannot be started: permission denied.',
    ],
    ['a folder', './src', './src cannot be started: it is a folder.'],
    ['no name', '', 'chaos needs a command: npx micro-insurance-sandbox chaos -- npm test'],
    [
      'a path through a file',
      './package.json/x',
      './package.json/x cannot be started: its path leads through a file.',
    ],
    ['a long name', 'x'.repeat(5000), 'x… cannot be started: its name is too long.'],
    ['a symbolic link to itself', circle, 'its path has too many symbolic links.'],
    [
      'a script without its interpreter',
      broken,
      'the file exists, but its interpreter "/no/such" does not.',
    ],
    [
      'a script with line ends of Windows',
      fromWindows,
      'the file exists, but its interpreter "/bin/sh\\r" does not.',
    ],
    ['a name on two lines', 'no\nsuch', 'no\\nsuch cannot be started: no such program.'],
  ])('%s is one line and exit 2, and its sandbox closes', async (_, command, message) => {
    const before = openServers();
    const { code, out, err } = await chaos('--', command);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    await expect.poll(openServers).toBe(before);
  });

  test('is found in the folders of PATH, as a shell finds it', async () => {
    const { err } = await runHere(['chaos', '--', 'broken'], { PATH: `/nowhere:${folder}` });
    expect(err).toContain('broken cannot be started: the file exists, but its interpreter');
  });

  // `spawn` emits the error of the first and throws that of the second.
  test.each(['no-such-program', './package.json/x'])('%s ends the process', async (name) => {
    const { code, out, err } = await new Command(['chaos', '--', name]).ended;
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^micro-insurance-sandbox: .* cannot be started: .*\.\n$/);
  });
});

/** How many servers this process has open. */
const openServers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

describe('what cannot be judged', () => {
  test.each<[string, readonly string[], string]>([
    ['no command', [], 'chaos needs a command: npx micro-insurance-sandbox chaos -- npm test'],
    [
      'an unknown operation',
      ['--only', 'verifyMotorPolcy:lost', '--', 'true'],
      '--only: unknown operation "verifyMotorPolcy"; did you mean verifyMotorPolicy?',
    ],
    [
      'an unknown failure',
      ['--only', 'lost,garbge', '--', 'true'],
      '--only: unknown operation or failure "garbge"; did you mean garbage?',
    ],
    [
      'no jobs',
      ['--jobs', '0', '--', 'true'],
      '--jobs must be a whole number from 1 to 1000; got "0".',
    ],
    [
      'flags of the program without --',
      ['npx', 'vitest', '--run'],
      `unknown option '--run'. A program and its flags follow "--".`,
    ],
    [
      'an unknown flag',
      ['--job', '2', '--', 'true'],
      "unknown option '--job' (Did you mean --jobs?)",
    ],
    [
      'a program that fails',
      ['--', 'false'],
      'The undisturbed run ended with exit code 1. Make it pass before you disturb it.',
    ],
    [
      'a program that calls nothing',
      ['--', 'true'],
      'The undisturbed run called no operation of a sandbox. Let the program take the URL from SANDBOX_URL and the key from SANDBOX_KEY, or create its own sandbox in Node, with createSandbox or startSandbox of this version.',
    ],
    [
      'a program that never ends',
      ['--timeout', '0.2', '--', 'sleep', '1000'],
      'The undisturbed run did not end within 0.2 s. Another timeout changes that.',
    ],
    [
      'a folder as the report',
      ['--report', '/tmp', '--', 'true'],
      '--report: /tmp: is a folder, not a file',
    ],
    [
      'an invalid start of the clock',
      ['--now', 'soon', '--', 'true'],
      '--now must be a time like 2026-01-31T10:00:00Z',
    ],
  ])('%s is one clear line, and exit 2', async (_, args, message) => {
    const { code, out, err } = await chaos(...args);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('the output of a program that fails undisturbed is shown', async () => {
    const { err } = await chaos('--', ...program(`console.error('no amount'); process.exit(3);`));
    expect(err).toBe(
      'undisturbed | no amount\nmicro-insurance-sandbox: The undisturbed run ended with exit code 3. Make it pass before you disturb it.\n',
    );
  });

  test('progress is shown on a terminal and leaves nothing behind', async () => {
    const said = { out: '', err: '' };
    const terminal = terminalTo(said, {
      environment: ENVIRONMENT,
      stopped: () => new Promise(() => undefined),
      errColumns: 80,
    });
    await run(['chaos', '--jobs', '1', '--slow', '1', '--', ...program(CAREFUL)], terminal);
    expect(said.err).toContain('14 runs done, 1 running, 0 left: 14 survived; about 1 s left');
    expect(said.err.endsWith('\r\u001b[K')).toBe(true);
  });
});
