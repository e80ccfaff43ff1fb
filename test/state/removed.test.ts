import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { writeLine } from '../../src/storage/lines.ts';
import { BASE } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';
import {
  asKilled,
  bytesOf,
  filesInMemory,
  type Kept,
  keptOf,
  type MemoryFiles,
  newStateFile,
  openKept,
  openKeptOver,
  revive,
} from '../support/state.ts';

const ready = async ({ sandbox }: Kept) =>
  (await sandbox.fetch(new Request(`${BASE}/readyz`))).status;

/** Replaces a file. */
function replace(path: string): void {
  writeFileSync(`${path}.other`, 'something else\n');
  renameSync(`${path}.other`, path);
}

/** The remains after a kill, once the file was written again in the background. */
async function revivedFrom(file: string): Promise<Kept> {
  const isWhole = () =>
    revive(file)
      .then(() => true)
      .catch(() => false);
  await expect.poll(isWhole).toBe(true);
  return revive(file);
}

const FILE = 'the file was removed, replaced or changed; writing it again';
const LOG = 'the log was removed, replaced or changed; writing it again';

describe('a state whose files another program changes', () => {
  const touches: Record<string, [(file: string) => void, readonly string[]]> = {
    'FILE is removed': [unlinkSync, [FILE]],
    'FILE is replaced': [replace, [FILE]],
    'FILE is emptied': [(file) => truncateSync(file, 0), [FILE]],
    'FILE is changed': [(file) => appendFileSync(file, 'x'), [FILE]],
    'its log is removed': [(file) => unlinkSync(`${file}.log`), [LOG]],
    'its log is replaced': [(file) => replace(`${file}.log`), [LOG]],
    'its log is emptied': [(file) => truncateSync(`${file}.log`, 0), [LOG]],
    'its log has something added': [
      (file) => appendFileSync(`${file}.log`, 'x'.repeat(100_000)),
      [],
    ],
    'both are removed': [
      (file) => {
        unlinkSync(file);
        unlinkSync(`${file}.log`);
      },
      [LOG, FILE],
    ],
    'both are emptied': [
      (file) => {
        truncateSync(file, 0);
        truncateSync(`${file}.log`, 0);
      },
      [LOG, FILE],
    ],
  };

  test.each(Object.entries(touches))(
    'is written again at the next change, with one warning: %s',
    async (_, [touch, told]) => {
      const file = newStateFile();
      const kept = await openKept(file);
      const { client, sandbox, warned } = kept;
      await buy(client, 'motor');
      const listed = readdirSync(dirname(file));
      touch(file);
      await client.call('listMotorPolicies');
      expect(warned).toEqual([]);
      sandbox.createMerchant();
      await buy(client, 'micro_health');
      const again = await revivedFrom(file);
      expect(warned).toEqual(told.map((line) => `${file}: ${line}`));
      expect(await ready(kept)).toBe(200);
      expect(again.warned).toEqual([]);
      expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
      await buy(client, 'group_life');
      expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
      expect(warned).toHaveLength(told.length);
      expect(readdirSync(dirname(file))).toEqual(listed);
    },
  );

  test('makes the sandbox unready while it cannot be written again', async () => {
    const file = newStateFile();
    const kept = await openKept(file);
    await buy(kept.client, 'motor');
    unlinkSync(file);
    mkdirSync(file);
    await expect.poll(() => ready(kept)).toBe(503);
    // Changes are still in its log.
    await buy(kept.client, 'micro_health');
    expect(await ready(kept)).toBe(503);
    const why = 'the file was removed, replaced or changed, and what was in it is lost';
    expect(kept.warned).toEqual([
      `${file}: ${FILE}`,
      `${file}: could not save a checkpoint; ${why}: ${file}: is a folder, not a file`,
    ]);
    rmdirSync(file);
    await expect.poll(() => ready(kept)).toBe(200);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(kept.sandbox));
    rmSync(dirname(file), { recursive: true });
    await expect(kept.stop()).rejects.toThrow(
      `${file}: could not save a checkpoint; the file and its log were removed, replaced or changed, and what was in them is lost`,
    );
  });

  test('makes changes fail with 507 while its folder is missing', async () => {
    const file = newStateFile();
    const kept = await openKept(file);
    const { client, sandbox } = kept;
    await buy(client, 'motor');
    const before = keptOf(sandbox);
    rmSync(dirname(file), { recursive: true });
    expect(() => sandbox.createMerchant()).toThrow(
      expect.objectContaining({ name: 'ControlError', status: 507 }),
    );
    expect((await client.sandbox.fetch(initiateRequest(client.merchant.apiKey))).status).toBe(507);
    expect(keptOf(sandbox)).toEqual(before);
    expect((await client.call('listMotorPolicies')).status).toBe(200);
    expect(await ready(kept)).toBe(503);
    mkdirSync(dirname(file));
    expect(await ready(kept)).toBe(200);
    await buy(client, 'motor');
    expect(keptOf((await revivedFrom(file)).sandbox)).toEqual(keptOf(sandbox));
    expect(kept.warned.filter((line) => line.endsWith(FILE))).toHaveLength(1);
    expect(kept.warned.filter((line) => line.endsWith(LOG))).toHaveLength(1);
  });
});

describe('a start after a crash', () => {
  /** What a killed sandbox leaves, and what was in it. */
  async function createRemains(start: (file: string) => Promise<unknown> = async () => undefined) {
    const file = newStateFile();
    await start(file);
    const { client, sandbox } = await openKept(file);
    const atCheckpoint = keptOf(sandbox);
    await buy(client, 'motor');
    return { remains: asKilled(file), atCheckpoint };
  }
  const runAndStop = async (file: string) => (await openKept(file)).stop();

  test.each([
    ['a first start', undefined],
    ['a stop', runAndStop],
  ])('is refused if the log of the changes since %s is missing', async (_, start) => {
    const { remains, atCheckpoint } = await createRemains(start);
    unlinkSync(`${remains}.log`);
    const before = bytesOf(remains);
    const told =
      `${remains}.log: is missing, and had the changes since the last checkpoint; ` +
      'put it back, or create an empty file with this name to start without them';
    for (let round = 0; round < 2; round++) {
      await expect(openKept(remains)).rejects.toThrow(told);
      expect(bytesOf(remains)).toEqual(before);
    }
    writeFileSync(`${remains}.log`, '');
    const { sandbox, warned, client, stop } = await openKept(remains);
    expect(warned).toEqual([
      `${remains}: its log is empty; the changes since the last checkpoint are lost`,
    ]);
    expect(keptOf(sandbox)).toEqual(atCheckpoint);
    await buy(client, 'motor');
    await stop();
    expect((await openKept(remains)).warned).toEqual([]);
  });

  test('needs no log after a stop', async () => {
    const file = newStateFile();
    await runAndStop(file);
    unlinkSync(`${file}.log`);
    expect((await openKept(file)).warned).toEqual([]);
  });

  test('needs no log if the sandbox was killed at its first save, before the log began', async () => {
    const files = filesInMemory();
    const killed: MemoryFiles[] = [];
    files.meanwhile = () => void killed.push(files.copy());
    await openKeptOver(files);
    const saved = killed.filter((copy) => copy.exists('file'));
    expect(saved.map((copy) => copy.size('log'))).toEqual([0]);
    for (const copy of saved) expect((await openKeptOver(copy)).warned).toEqual([]);
  });

  test('reads the file of an earlier version, which does not say whether there is a log', async () => {
    const { remains } = await createRemains();
    const lines = readFileSync(remains, 'utf8').trimEnd().split('\n');
    const { line, sum: _, log: __, ...end } = JSON.parse(lines.pop() as string);
    const earlier = [...lines, writeLine({ checksum: crc32 }, line, end)].join('\n');
    writeFileSync(remains, earlier);
    unlinkSync(`${remains}.log`);
    const { warned, client } = await openKept(remains);
    expect(warned).toEqual([]);
    await buy(client, 'motor');
  });
});

const initiateRequest = (key: string): Request =>
  new Request(`${BASE}/api/merchant/comprehensive_motor_initiate_policy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(purchaseOf('motor')),
  });
