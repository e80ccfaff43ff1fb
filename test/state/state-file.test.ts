import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buy } from '../support/requests.ts';
import { linesOf, newStateFile, openKept, startKept } from '../support/state.ts';
import { ownTimers } from '../support/timers.ts';

describe('a state file', () => {
  test('and its log are readable by their owner only, and the only files', async () => {
    const file = newStateFile();
    const server = await startKept(file);
    const modes = () => ['', '.log'].map((end) => statSync(file + end).mode & 0o777);
    expect(modes()).toEqual([0o600, 0o600]);
    server.sandbox.resetAll();
    await expect.poll(() => linesOf(file).log).toHaveLength(1);
    expect(modes()).toEqual([0o600, 0o600]);
    await server.close();
    expect(modes()).toEqual([0o600, 0o600]);
    expect(readdirSync(dirname(file)).sort()).toEqual(['state.json', 'state.json.log']);
    expect(statSync(`${file}.log`).size).toBe(0);
  });

  test('and its log are lines of JSON: a header, a line for each row, and a line for each call', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    await buy(client, 'motor');
    const { file: rows, log } = linesOf(file);
    const state = { state: 'micro-insurance-sandbox', format: 6, logged: 0 };
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({ ...state, lines: rows.length - 1 });
    expect(JSON.parse(log[0] ?? '')).toMatchObject(state);
    for (const row of rows.slice(1)) expect(JSON.parse(row).changes).toHaveLength(1);
    // Two calls bought it.
    expect(log).toHaveLength(3);
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
      merchant: 1,
      changes: expect.arrayContaining([
        ['motor.policies', expect.stringMatching(/^INS/), expect.objectContaining({ id: 8 })],
      ]),
    });
  });

  test('that is a symbolic link stays a link, and its target is written', async () => {
    const target = newStateFile();
    const link = newStateFile();
    symlinkSync(target, link);
    const server = await startKept(link);
    server.sandbox.createMerchant();
    await server.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('"id":3');
    expect((await startKept(link)).sandbox.merchants()).toHaveLength(3);
  });

  test('removes the temporary file of a killed program', async () => {
    const file = newStateFile();
    writeFileSync(`${file}.tmp`, 'half a line');
    await openKept(file);
    expect(readdirSync(dirname(file)).sort()).toEqual([
      'state.json',
      'state.json.lock',
      'state.json.log',
    ]);
  });
});

/** Names of `length` bytes that differ only at their end. */
const longNames = (length: number) =>
  ['1', '2'].map((end) => `${'é'.repeat(length / 2 - 1)}x${end}`);

describe('a state file with a long name', () => {
  test.each([88, 240, 250])('of %i bytes is kept like any other', async (length) => {
    const folder = dirname(newStateFile());
    const [file = '', other = ''] = longNames(length).map((name) => join(folder, name));
    const first = await startKept(file);
    const second = await startKept(other);
    first.sandbox.createMerchant();
    await expect(startKept(file)).rejects.toThrow('is in use by another sandbox');
    await first.close();
    await second.close();
    expect(readdirSync(folder).sort()).toEqual(
      [file, other].flatMap((path) => [basename(path), `${basename(path)}.log`]).sort(),
    );
    expect((await startKept(file)).sandbox.merchants()).toHaveLength(3);
    expect((await startKept(other)).sandbox.merchants()).toHaveLength(2);
  });

  test('is taken over from a killed sandbox', () => {
    const file = join(dirname(newStateFile()), 'x'.repeat(120));
    const start = (end: string) =>
      `import('./dist/node.js').then(({ startSandbox }) => startSandbox({ port: 0, state: ${JSON.stringify(file)} })).then(() => ${end})`;
    const run = (end: string) =>
      spawnSync(process.execPath, ['-e', start(end)], { timeout: 20_000 });
    expect(run("process.kill(process.pid, 'SIGKILL')").signal).toBe('SIGKILL');
    expect(run('process.exit(7)').status).toBe(7);
  });

  test('beyond what the file system takes is refused', async () => {
    const file = join(dirname(newStateFile()), 'x'.repeat(252));
    await expect(startKept(file)).rejects.toThrow(
      `${file}.log: cannot be written: its name is too long for the file system`,
    );
  });
});

describe('a second sandbox on one state file', () => {
  test.each([
    ['', 0, 0],
    [' also where its path is longer than that of a socket may be', 120, 0],
    [' also where its name is', 0, 120],
  ])('is refused until the first has ended%s', async (_, inFolder, inName) => {
    const folder = join(dirname(newStateFile()), 'f'.repeat(inFolder));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${'x'.repeat(inName)}state.json`);
    const first = await startKept(file);
    await expect(startKept(file)).rejects.toThrow(`${file}: is in use by another sandbox`);
    first.sandbox.createMerchant();
    await first.close();
    expect((await startKept(file)).sandbox.merchants()).toHaveLength(3);
  });

  test('takes over the lock of a killed one, even if the test controls the timers', async () => {
    const file = newStateFile();
    ownTimers();
    const killed = `import('node:net').then(({ createServer }) =>
      createServer().listen(${JSON.stringify(`${file}.lock`)}, () => process.kill(process.pid, 'SIGKILL')))`;
    expect(() => execFileSync(process.execPath, ['-e', killed])).toThrow();
    expect(lstatSync(`${file}.lock`).isSocket()).toBe(true);
    const server = await startKept(file);
    await server.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
