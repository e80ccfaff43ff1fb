import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startServer } from '../../src/node/serve.ts';
import { sandboxOf } from '../../src/open-sandbox.ts';
import { START } from '../support/client.ts';
import { buy } from '../support/requests.ts';
import {
  asKilled,
  bytesOf,
  DEMO,
  linesOf,
  newStateFile,
  openKept,
  startKept,
} from '../support/state.ts';

describe('a state file', () => {
  test('and its log can be read by their owner alone, and leave nothing else behind', async () => {
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

  test('that is a symbolic link stays one, and its target is written', async () => {
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

  test('that is a symbolic link to itself is refused', async () => {
    const file = newStateFile();
    symlinkSync(file, file);
    await expect(openKept(file)).rejects.toThrow('is a symbolic link that leads to itself');
  });

  test('is let go at the stop: what is changed in process after that is kept nowhere', async () => {
    const file = newStateFile();
    const { sandbox, close } = await startKept(file);
    await close();
    const before = bytesOf(file);
    sandbox.createMerchant().clock.advance('P1D');
    sandbox.merchant(DEMO).faults.add({ stage: 'before', effect: { kind: 'drop' } });
    expect(bytesOf(file)).toEqual(before);
  });

  test('is cleared of what programs left that were killed while they wrote, and of nothing else', async () => {
    const file = newStateFile();
    for (const end of ['.12.tmp', '.0123456789abcdef.tmp', '.notes.tmp', '.json']) {
      writeFileSync(file + end, '');
    }
    await openKept(file);
    expect(existsSync(`${file}.12.tmp`) || existsSync(`${file}.0123456789abcdef.tmp`)).toBe(false);
    expect(existsSync(`${file}.notes.tmp`) && existsSync(`${file}.json`)).toBe(true);
  });

  test('is refused where there is something else for its lock', async () => {
    const file = newStateFile();
    writeFileSync(`${file}.lock`, 'mine');
    await expect(openKept(file)).rejects.toThrow(`${file}.lock: is in the way of a lock`);
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe('mine');
  });

  test('that could not be written is told at the start, not when there is something to lose', async () => {
    const file = newStateFile();
    await expect(openKept(join(dirname(file), 'missing', 'state.json'))).rejects.toThrow(
      'its folder does not exist',
    );
    // Who runs the tests may write anywhere.
    if (process.getuid?.() === 0) return;
    chmodSync(dirname(file), 0o500);
    await expect(openKept(file)).rejects.toThrow('its folder may not be written by this user');
    chmodSync(dirname(file), 0o700);
    await (await openKept(file)).stop();
    chmodSync(`${file}.log`, 0o400);
    await expect(openKept(file)).rejects.toThrow(`${file}.log: may not be written by this user`);
  });

  test('that a server can not go on with half of is told to whoever runs it', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    await buy(client, 'motor');
    const copy = asKilled(file);
    writeFileSync(`${copy}.log`, readFileSync(`${copy}.log`).subarray(0, -10));
    const warn = vi.fn();
    const options = { port: 0, now: START, clock: 'frozen', seed: 7, state: copy } as const;
    const { core, close } = await startServer(options, { warn });
    expect(warn.mock.calls).toEqual([
      [`${copy}: the last line of its log is there by half: that change was not made`],
    ]);
    const { counts } = sandboxOf(core).merchant(DEMO).show();
    expect(counts).toMatchObject({ motor: 5, pending: 1 });
    await close();
  });
});

describe('a second sandbox on one state file', () => {
  test.each([
    ['', 0],
    [' also where its path is longer than that of a socket may be', 120],
  ])('is refused, until the first has ended%s', async (_, length) => {
    const folder = join(dirname(newStateFile()), 'f'.repeat(length));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'state.json');
    const first = await startKept(file);
    await expect(startKept(file)).rejects.toThrow(`${file}: is in use by another sandbox`);
    first.sandbox.createMerchant();
    await first.close();
    expect((await startKept(file)).sandbox.merchants()).toHaveLength(3);
  });

  test('takes over the lock of one that was killed', async () => {
    const file = newStateFile();
    const killed = `import('node:net').then(({ createServer }) =>
      createServer().listen(${JSON.stringify(`${file}.lock`)}, () => process.kill(process.pid, 'SIGKILL')))`;
    expect(() => execFileSync(process.execPath, ['-e', killed])).toThrow();
    expect(lstatSync(`${file}.lock`).isSocket()).toBe(true);
    const server = await startKept(file);
    await server.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('lets the file go where its port is taken', async () => {
    const file = newStateFile();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(startKept(file, { port })).rejects.toThrow('is taken');
    other.close();
    const { sandbox } = await startKept(file);
    expect(sandbox.merchants()).toHaveLength(2);
  });
});
