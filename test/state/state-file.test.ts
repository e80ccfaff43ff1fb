import { execFileSync } from 'node:child_process';
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
import { dirname, join } from 'node:path';
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

  test('and its log are lines of JSON, each with its number and a checksum', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    await buy(client, 'motor');
    const { file: rows, log } = linesOf(file);
    for (const [first, lines] of [
      [1, rows],
      [0, log],
    ] as const) {
      for (const [place, line] of lines.entries()) {
        expect(line).toMatch(/^\{"line":\d+,"sum":"[0-9a-f]{8}",/);
        expect(JSON.parse(line)).toMatchObject({ line: first + place });
      }
    }
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({ state: 'micro-insurance-sandbox' });
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
      merchant: 1,
      changes: expect.arrayContaining([
        ['motor.policies', expect.stringMatching(/^INS/), expect.objectContaining({ id: 6 })],
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

  test('removes temporary files of killed programs, and nothing else', async () => {
    const file = newStateFile();
    for (const end of ['.12.tmp', '.0123456789abcdef.tmp', '.notes.tmp', '.json']) {
      writeFileSync(file + end, '');
    }
    await openKept(file);
    expect(existsSync(`${file}.12.tmp`) || existsSync(`${file}.0123456789abcdef.tmp`)).toBe(false);
    expect(existsSync(`${file}.notes.tmp`) && existsSync(`${file}.json`)).toBe(true);
  });
});

describe('a second sandbox on one state file', () => {
  test.each([
    ['', 0],
    [' also where its path is longer than that of a socket may be', 120],
  ])('is refused until the first has ended%s', async (_, length) => {
    const folder = join(dirname(newStateFile()), 'f'.repeat(length));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'state.json');
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
