import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASE } from '../support/client.ts';
import { buy, purchaseOf } from '../support/requests.ts';
import { type Kept, keptOf, newStateFile, openKept, revive } from '../support/state.ts';

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
      `${file}: could not save a checkpoint; the file and its log was removed, replaced or changed, and what was in it is lost`,
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

const initiateRequest = (key: string): Request =>
  new Request(`${BASE}/api/merchant/comprehensive_motor_initiate_policy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(purchaseOf('motor')),
  });
