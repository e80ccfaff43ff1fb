import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../src/command/cli.ts';
import type { ChaosReport } from '../../src/node.ts';
import { exitOf } from '../../src/tools/chaos/text.ts';
import { Command, newFolder } from '../node/command.ts';
import { exampleOf } from '../support/requests.ts';
import { runHere, terminalTo } from '../support/terminal.ts';

/** Runs `chaos` in this process. Its programs are processes. */
const chaos = (...args: readonly string[]) => runHere(['chaos', ...args], ENVIRONMENT);
const ENVIRONMENT = { PATH: process.env.PATH as string };

/** What the programs below begin with: a merchant that buys motor policies. */
const MERCHANT = `
const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_RUN } = process.env;
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

/** The command of a program. */
function program(code: string): readonly [string, string] {
  const file = join(newFolder(), 'merchant.mjs');
  writeFileSync(file, MERCHANT + code);
  return [process.execPath, file];
}

const HASTY = 'await buy().catch(buy);';
const CAREFUL = 'await buy().catch(async () => (await list()).length > 0 || buy());';
test.each([
  ['survived', 0, 0],
  ['noticed', 0, 1],
  ['did not come', 1, 1],
  ['hung', 1, 1],
  ['false success', 1, 1],
  ['bought twice', 1, 1],
] as const)('%s exits with %i, and with %i under --strict', (outcome, exit, strict) => {
  const runs = [{ outcome: 'survived' }, { outcome }] as const;
  expect([exitOf(runs, false), exitOf(runs, true)]).toEqual([exit, strict]);
});

test('the report is what differs, then a table; --report has the same as JSON', async () => {
  const file = join(newFolder(), 'report.json');
  const names = join(newFolder(), 'names');
  const command = program(`console.log('one\\ntwo'); ${naming(names)} ${HASTY}`);
  const only = ['--only', 'verifyMotorPolicy:lost,verifyMotorPolicy:cut,initiateMotorPolicy:503'];
  const words = ['--times', '1', '--jobs', '1', '--report', file, ...only];
  const { out, err, code } = await chaos(...words, '--', ...command);
  expect(code).toBe(1);
  const lines = out.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'Bought twice',
    expect.stringMatching(
      /^ {2}verifyMotorPolicy#1: passed; 2 policies instead of 1 \(product 4, /,
    ),
    '    lost, cut; the calls of lost:',
  ]);
  expect(lines.filter((line) => line.includes('+ motor policy'))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('    ▸'))).toHaveLength(1);
  const repeat = `    npx micro-insurance-sandbox chaos --times 1 --only 'verifyMotorPolicy#1:lost,verifyMotorPolicy#1:cut' -- ${command.join(' ')}`;
  expect(lines.slice(-12)).toEqual([
    repeat,
    '',
    'Undisturbed: 2 calls, 1 policy and 0 renewals.',
    '',
    '                     disturbed  ✓  2×',
    'initiateMotorPolicy     1 of 1  1',
    'verifyMotorPolicy       1 of 1      2',
    '',
    '✓ 1 survived   2× 2 bought twice',
    'Not tried:',
    '  refused, garbage, gateway, slow, expired, 429, hang, killed',
    '',
  ]);
  expect(lines.filter((line) => line.length > 80 && !line.startsWith('  '))).toEqual([]);
  expect(err).toBe(['lost', 'cut'].map((run) => `${run}-1 | one\n${run}-1 | two\n`).join(''));
  const bought = {
    operation: 'verifyMotorPolicy',
    product: 4,
    plan: 'yearly × 1',
    premium: 250_000,
    holder: exampleOf('initiateMotorPolicy').contact_person_name,
    insured: expect.any(String),
  };
  const report: ChaosReport = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toEqual({
    undisturbed: {
      exit: 0,
      duration_ms: expect.any(Number),
      worlds: [
        {
          merchant: 'the program',
          key: 'sk_sandbox_chaos_undisturbed',
          calls: 2,
          bought: [{ ...bought, count: 1 }],
        },
      ],
    },
    operations: [
      { operation: 'initiateMotorPolicy', calls: 1, disturbed: 1 },
      { operation: 'verifyMotorPolicy', calls: 1, disturbed: 1 },
    ],
    runs: [
      expect.objectContaining({ operation: 'initiateMotorPolicy', outcome: 'survived', calls: [] }),
      {
        merchant: 'the program',
        operation: 'verifyMotorPolicy',
        call: 1,
        failure: 'lost',
        outcome: 'bought twice',
        passed: true,
        exit: 0,
        bought: [{ ...bought, count: 2 }],
        differences: [{ ...bought, undisturbed: 1, bought: 2 }],
        calls: expect.arrayContaining([expect.stringMatching(/^▸ .* POST .* lost/)]),
        key: 'sk_sandbox_chaos_lost_1',
        duration_ms: expect.any(Number),
      },
      expect.objectContaining({ failure: 'cut', outcome: 'bought twice' }),
    ],
    complete: true,
  });
  // --json prints one object and nothing else; no run of any invocation has the name of another.
  const survivor = program(`${naming(names)} ${CAREFUL}`);
  const again = await chaos('--json', '--only', 'initiateMotorPolicy:503', '--', ...survivor);
  expect([JSON.parse(again.out).complete, again.code]).toEqual([true, 0]);
  const all = readFileSync(names, 'utf8').trim().split('\n');
  expect(all.map((name) => name.replace(/-[0-9a-f]{12}$/, ''))).toEqual([
    ...['undisturbed', '503-1', 'lost-1', 'cut-1'],
    ...['undisturbed', '503-1'],
  ]);
  expect(new Set(all).size).toBe(6);
});

/** Notes the name of the run in a file. */
const naming = (file: string): string =>
  `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(file)}, SANDBOX_RUN + '\\n');`;

test('stopped on a terminal it reports what was done in colours, clears its progress, and exits with 130', async () => {
  const file = join(newFolder(), 'report.json');
  const said = { out: '', err: '' };
  let stop = () => {};
  const stopped = () =>
    new Promise<void>((done) => {
      stop = done;
    });
  const err = (text: string) => {
    said.err += text;
    // The first of the two runs is done; the other one never ends.
    if (text.includes('1 of 2')) stop();
  };
  const terminal = terminalTo(said, {
    ...{ environment: ENVIRONMENT, stopped, err },
    ...{ colours: true, errColumns: 80 },
  });
  const waits = `if (SANDBOX_RUN.startsWith('cut')) setInterval(() => {}, 1000); else { ${HASTY} }`;
  const only = ['--only', 'verifyMotorPolicy:lost,verifyMotorPolicy:cut'];
  const words = ['chaos', '--jobs', '2', '--report', file, ...only, '--', ...program(waits)];
  expect(await run(words, terminal)).toBe(130);
  expect(said.err.endsWith('\r\u001b[K')).toBe(true);
  expect(stripVTControlCharacters(said.out)).toMatch(
    /^Stopped before the last run: this report is not complete\.\n\nBought/,
  );
  expect(said.out).toContain('\u001b[31m2× 1 bought twice\u001b[39m');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    complete: false,
    runs: [{ failure: 'lost', outcome: 'bought twice' }],
  });
});

describe('a program that is killed once its call is done, and started again', () => {
  /** Writes down what it has bought, in a file of its run. */
  const remembering = (when: 'before' | 'after') => `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const file = ${JSON.stringify(newFolder())} + '/' + SANDBOX_RUN;
    const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : await initiate();
    ${when === 'before' ? 'writeFileSync(file, JSON.stringify(known));' : ''}
    const policies = await list();
    if (!policies.some((policy) => policy.policy_number === known.policy_number)) await verify(known);
  `;

  test.concurrent.each([
    ['survives if it remembers', 'before', 'survived'],
    ['buys twice if it forgets', 'after', 'bought twice'],
  ] as const)('%s', async (_, when, outcome) => {
    const only = ['--json', '--only', 'verifyMotorPolicy:killed'];
    const { out } = await chaos(...only, '--', ...program(remembering(when)));
    expect(JSON.parse(out).runs).toMatchObject([{ outcome, exit: 0 }]);
  });

  test('ends everything with one line if it removes the notes of its run', async () => {
    const removing = `
      import { rmSync } from 'node:fs';
      if (SANDBOX_RUN.startsWith('killed')) rmSync(process.env.SANDBOX_CHAOS, { recursive: true });
      await buy();
    `;
    const only = ['--only', 'verifyMotorPolicy:killed'];
    const { code, err } = await chaos(...only, '--', ...program(removing));
    expect(code).toBe(2);
    expect(err).toMatch(/^micro-insurance-sandbox: Calls cannot be noted in .*: ENOENT.*\n$/);
  });
});

describe('a program that brings its own sandbox is disturbed and judged there', () => {
  /** Files of the project, so that they can import the package by its name. */
  function newProject(files: Readonly<Record<string, string>>): (file: string) => string {
    const folder = mkdtempSync(resolve('.own-sandbox-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return (file) => join(folder, file);
  }

  const SHOP = `import { createSandbox } from 'micro-insurance-sandbox';
    import { startSandbox } from 'micro-insurance-sandbox/node';
    const one = createSandbox().createMerchant({ name: 'in process' });
    await one.buy('motor').catch(() => one.buy('motor'));
    const server = await startSandbox({ port: 0 });
    const two = server.sandbox.createMerchant({ name: 'over a socket' });
    await two.buy('motor').catch(() => {});
    await server.close();`;

  test('in process, over a socket and in several processes, each World for itself', async () => {
    const at = newProject({
      'shop.mjs': SHOP,
      'all.mjs': `import { execFileSync } from 'node:child_process';
        execFileSync(process.execPath, [process.argv[2]]);
        await import(process.argv[2]);`,
    });
    const { out, err } = await chaos(
      ...['--json', '--only', 'verifyMotorPolicy:lost'],
      ...['--', process.execPath, at('all.mjs'), at('shop.mjs')],
    );
    expect(err).toBe('');
    const { operations, runs }: ChaosReport = JSON.parse(out);
    expect(operations).toEqual([
      { operation: 'initiateMotorPolicy', calls: 4, disturbed: 0 },
      { operation: 'verifyMotorPolicy', calls: 4, disturbed: 4 },
    ]);
    const told = runs.map(({ merchant, failure, outcome }) => `${merchant} ${failure} ${outcome}`);
    expect(told.toSorted()).toEqual([
      'in process (1) lost bought twice',
      'in process (2) lost bought twice',
      'over a socket (1) lost survived',
      'over a socket (2) lost survived',
    ]);
  });

  test('without a folder for its notes nothing can be judged', async () => {
    vi.stubEnv('TMPDIR', '/no/such/folder');
    onTestFinished(() => void vi.unstubAllEnvs());
    const at = newProject({ 'shop.mjs': SHOP });
    const { code, err } = await chaos('--', process.execPath, at('shop.mjs'));
    expect(code).toBe(2);
    expect(err).toMatch(/Calls cannot be noted in \/no\/such\/folder: ENOENT/);
  });
});

test('with --auto-merchants, a program may make up its keys', async () => {
  const [node, file] = program(HASTY);
  const code = `process.env.SANDBOX_KEY = 'sk_mine'; await import(${JSON.stringify(file)});`;
  const only = ['--only', 'verifyMotorPolicy:lost', '--json'];
  const words = [node, '--input-type=module', '-e', code];
  const ended = await chaos(...only, '--auto-merchants', '--', ...words);
  expect(JSON.parse(ended.out).runs).toMatchObject([
    { merchant: 'sk_mine', outcome: 'bought twice' },
  ]);
  expect((await chaos(...only, '--', ...words)).code).toBe(2);
});

describe('a command that cannot be started', () => {
  test.each<[string, string, string]>([
    [
      'a program that is none',
      'no-such-program',
      'no-such-program cannot be started: no such file or directory.',
    ],
    [
      'a shell command',
      'npm test',
      "npm test cannot be started: no such file or directory. For a shell command, write sh -c 'npm test'.",
    ],
    [
      'a file that is no program',
      './package.json',
      './package.json cannot be started: permission denied.',
    ],
    ['a folder', './src', './src cannot be started: permission denied.'],
    ['no name', '', 'chaos needs a command: npx micro-insurance-sandbox chaos -- npm test'],
    [
      'a path through a file',
      './package.json/x',
      './package.json/x cannot be started: not a directory.',
    ],
    ['a long name', 'x'.repeat(5000), 'x… cannot be started: name too long.'],
    ['a name on two lines', 'no\nsuch', 'no\\nsuch cannot be started: no such file or directory.'],
  ])('%s is one line and exit 2, and its sandbox closes', async (_, command, message) => {
    const before = openServers();
    const { code, out, err } = await chaos('--', command);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    await expect.poll(openServers).toBe(before);
  });

  test('ends the process', async () => {
    const { code, out, err } = await new Command(['chaos', '--', 'no-such-program']).ended;
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
      '--only: unknown operation "verifyMotorPolcy"; did you mean "verifyMotorPolicy"?',
    ],
    [
      'an unknown failure',
      ['--only', 'lost,garbge', '--', 'true'],
      '--only: unknown operation or failure "garbge"; did you mean "garbage"?',
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
      'The undisturbed run ended with exit code 1. Make it pass first. If it fails only sometimes, run chaos again.',
    ],
    [
      'a program that calls nothing',
      ['--', 'true'],
      'The undisturbed run called no operation of a sandbox. Let the program take the URL from SANDBOX_URL and the key from SANDBOX_KEY, or create its own sandbox in Node, with createSandbox or startSandbox of this version; with --auto-merchants, it may make up its keys.',
    ],
    [
      'a program that never ends',
      ['--timeout', '0.2', '--', 'sleep', '1000'],
      'The undisturbed run did not end within 0.2 s. Set a longer timeout.',
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

  test('a closed standard error does not change the exit code', async () => {
    const failing = program("console.log('no amount'); process.exit(3);");
    const { process: child, ended } = new Command(['chaos', '--', ...failing]);
    child.stderr?.destroy();
    expect((await ended).code).toBe(2);
  });

  test('the output of a program that fails undisturbed is shown', async () => {
    const { err } = await chaos('--', ...program(`console.error('no amount'); process.exit(3);`));
    expect(err).toBe(
      'undisturbed | no amount\nmicro-insurance-sandbox: The undisturbed run ended with exit code 3. Make it pass first. If it fails only sometimes, run chaos again.\n',
    );
  });
});
