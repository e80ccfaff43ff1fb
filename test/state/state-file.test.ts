import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startServer } from '../../src/node/serve.ts';
import { clientOf, START } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';
import { asKilled, newStateFile, startKept } from '../support/state.ts';

const DEMO = 'sk_sandbox_demo';

/** The files of a sandbox that was killed after it sold a policy. */
async function killedAfterPurchase(options = {}): Promise<string> {
  const file = newStateFile();
  const { sandbox } = await startKept(file, options);
  await buy(clientOf(sandbox, sandbox.merchant(DEMO)), 'motor');
  return asKilled(file);
}

const bytesOf = (file: string) => ['', '.log'].map((end) => readFileSync(file + end, 'utf8'));

describe('a state file', () => {
  test('and its log can be read by their owner alone, and leave nothing else behind', async () => {
    const file = newStateFile();
    const server = await startKept(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.log`).mode & 0o777).toBe(0o600);
    await server.close();
    expect(readdirSync(dirname(file)).sort()).toEqual(['state.json', 'state.json.log']);
    expect(statSync(`${file}.log`).size).toBe(0);
  });

  test('that is a symbolic link stays one, and its target is written', async () => {
    const target = newStateFile();
    const link = newStateFile();
    symlinkSync(target, link);
    const server = await startKept(link);
    await server.sandbox.createMerchant();
    await server.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('"id":3');
    expect((await startKept(link)).sandbox.merchants()).toHaveLength(3);
  });

  test('that is a symbolic link to itself is refused', async () => {
    const file = newStateFile();
    symlinkSync(file, file);
    await expect(startKept(file)).rejects.toThrow('is a symbolic link that leads to itself');
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

  test('is taken from a program that kept no log', async () => {
    const file = newStateFile();
    const server = await startKept(newStateFile());
    server.sandbox.createMerchant();
    writeFileSync(file, JSON.stringify(server.sandbox.dump()));
    expect((await startKept(file)).sandbox.dump()).toEqual(server.sandbox.dump());
  });

  test('is cleared of what programs left that were killed while they wrote, and of nothing else', async () => {
    const file = newStateFile();
    for (const end of ['.12.tmp', '.0123456789abcdef.tmp', '.notes.tmp', '.json']) {
      writeFileSync(file + end, '');
    }
    await startKept(file);
    expect(existsSync(`${file}.12.tmp`) || existsSync(`${file}.0123456789abcdef.tmp`)).toBe(false);
    expect(existsSync(`${file}.notes.tmp`) && existsSync(`${file}.json`)).toBe(true);
  });

  test.each([
    ['a folder', '', mkdirSync, 'is a folder'],
    ['a pipe', '', makePipe, 'is no ordinary file'],
    ['a folder', '.log', mkdirSync, 'is a folder'],
    ['a pipe', '.log', makePipe, 'is no ordinary file'],
    ['a file', '.lock', (path: string) => writeFileSync(path, 'mine'), 'is in the way of a lock'],
  ])('is refused where there is %s for FILE%s', async (_, end, make, why) => {
    const file = newStateFile();
    make(file + end);
    await expect(startKept(file)).rejects.toThrow(`${file}${end}: ${why}`);
    expect(existsSync(file + end)).toBe(true);
  });
});

function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

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
    await startKept(file);
  });
});

describe('a log', () => {
  test('that ends in half a line loses that line, and says so', async () => {
    const file = await killedAfterPurchase();
    const whole = statSync(`${file}.log`).size;
    truncateSync(`${file}.log`, whole - 10);
    const warn = vi.fn();
    const options = { port: 0, now: START, clock: 'frozen', seed: 7, state: file } as const;
    const server = await startServer(options, { overrideGlobalObjects: false, warn });
    expect(warn.mock.calls).toEqual([
      [`${file}.log: its last line is there by half: that change was not made`],
    ]);
    const counts = server.sandbox.merchant(DEMO).show().counts;
    await buy(clientOf(server.sandbox, server.sandbox.merchant(DEMO)), 'motor');
    const again = (await startKept(asKilled(file))).sandbox.merchant(DEMO).show().counts;
    expect(again).toMatchObject({ motor: (counts.motor ?? 0) + 1, pending: counts.pending });
    await server.close();
  });

  test.each([
    ['its header', 1],
    ['its header and half a line', 40],
    ['half its header', -40],
  ])('of which there is only %s is empty, and the next change begins another', async (_, more) => {
    const file = await killedAfterPurchase();
    const header = readFileSync(`${file}.log`).indexOf('\n');
    truncateSync(`${file}.log`, header + more);
    // A log without a line is nobody's: other options are fine.
    const options = { seed: 8, clock: 'running' } as const;
    const { sandbox } = await startKept(file, options);
    sandbox.createMerchant();
    await buy(clientOf(sandbox, sandbox.merchant(DEMO)), 'motor');
    const again = await startKept(asKilled(file), options);
    expect(again.sandbox.merchants()).toHaveLength(3);
    expect(again.sandbox.merchant(DEMO).show().counts).toEqual(
      sandbox.merchant(DEMO).show().counts,
    );
  });

  test('with a broken line is refused with its place, and neither file is touched', async () => {
    const file = await killedAfterPurchase();
    const lines = readFileSync(`${file}.log`, 'utf8').split('\n');
    expect(lines).toHaveLength(4);
    for (const [number, broken] of [
      [1, '{"log":2}'],
      [2, (lines[1] ?? '').slice(0, -5)],
      [2, (lines[1] ?? '').replace('"merchant":1', '"merchant":9')],
      [3, '{"at":1,"change":"fly"}'],
      [3, '{"at":1,"change":"setClock","merchant":1,"input":7}'],
      [3, '{"at":1,"change":"putSnapshot","merchant":1,"parts":7}'],
      [3, '{"at":1,"merchant":1,"call":99}'],
    ] as const) {
      writeFileSync(`${file}.log`, lines.with(number - 1, broken).join('\n'));
      const before = bytesOf(file);
      await expect(startKept(file)).rejects.toThrow(`${file}.log: line ${number}: `);
      expect(bytesOf(file)).toEqual(before);
    }
  });

  test.each([
    ['another set of options', { seed: 8 }],
    ['another set of options', { autoMerchants: true }],
    ['another profile', { amountCheck: 'ignore' }],
    [
      'another set of fixtures',
      { fixtures: { 'merchants.json': { merchants: [{ id: 1, name: 'One', api_key: DEMO }] } } },
    ],
  ] as const)('that was written with %s than now is refused: %o', async (what, options) => {
    const file = await killedAfterPurchase();
    const before = bytesOf(file);
    await expect(startKept(file, options)).rejects.toThrow(what);
    expect(bytesOf(file)).toEqual(before);
    // A state without a log is taken by whoever knows its version.
    const server = await startKept(file);
    await server.close();
    await startKept(file, options);
  });

  test('that belongs to another state, or to a later one, is refused', async () => {
    const file = await killedAfterPurchase();
    const other = await killedAfterPurchase();
    for (const document of [readFileSync(other), '', JSON.stringify({ version: 1, log: 7 })]) {
      writeFileSync(file, document);
      const before = bytesOf(file);
      await expect(startKept(file)).rejects.toThrow(file);
      expect(bytesOf(file)).toEqual(before);
    }
  });

  test('that outgrows its file is folded into it, while calls go on', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const client = clientOf(sandbox, sandbox.merchant(DEMO));
    const padding = 'x'.repeat(900_000);
    const before = statSync(file).ino;
    for (let call = 0; call < 24; call++) {
      await client.call('initiateMotorPolicy', { ...purchaseOf('motor'), padding });
    }
    await expect.poll(() => statSync(file).ino).not.toBe(before);
    // How many calls a journal remembers depends on how long they are as they were sent.
    client.merchant.journal.clear();
    expect((await startKept(asKilled(file))).sandbox.dump()).toEqual(sandbox.dump());
    await expect.poll(() => statSync(`${file}.log`).size).toBeLessThan(8_000_000);
    expect((await startKept(asKilled(file))).sandbox.dump()).toEqual(sandbox.dump());
  });

  test('is whole at every moment of a save', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const client = clientOf(sandbox, sandbox.createMerchant({ records: 'demo' }));
    const kills: { readonly copy: string; readonly dump: unknown }[] = [];
    for (let round = 0; round < 6; round++) {
      if (round % 2 === 0) client.merchant.restore(client.merchant.snapshot());
      await buy(client, 'motor');
      kills.push({ copy: asKilled(file), dump: sandbox.dump() });
    }
    for (const { copy, dump } of kills) {
      expect((await startKept(copy)).sandbox.dump()).toEqual(dump);
    }
  });
});
