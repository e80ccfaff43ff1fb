import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { FORMAT, FORMER_FORMAT, writeLine } from '../../src/storage/lines.ts';
import { buy, initiate, verifyOf } from '../support/requests.ts';
import { asKilled, keptOf, linesOf, newStateFile, openKept, revive } from '../support/state.ts';

/** The names that the former format had for today's. */
const FORMER = [
  ['["values",', '["world",'],
  ['["world","random"', '["world","chance"'],
  ['["sandbox","random"', '["sandbox","chance"'],
  ['"fault_random"', '"fault_chance"'],
  [`"format":${FORMAT}`, `"format":${FORMER_FORMAT}`],
] as const;

/** A part of a state as the former format wrote it. */
function asFormer(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const former = lines.map((text) => {
    const renamed = FORMER.reduce((line, [today, before]) => line.replaceAll(today, before), text);
    const { line, sum: _, ...content } = JSON.parse(renamed);
    return writeLine({ checksum: crc32 }, line, content);
  });
  writeFileSync(file, former.join(''));
}

test('a state of the former format is read on, and is written in the new one at once', async () => {
  const file = newStateFile();
  const first = await openKept(file);
  await buy(first.client, 'motor');
  await first.stop();
  const second = await openKept(file);
  await buy(second.client, 'micro_health');
  second.sandbox.createMerchant();
  const token = await initiate(second.client, 'group_life');
  const before = keptOf(second.sandbox);

  const former = asKilled(file);
  for (const end of ['', '.log']) asFormer(former + end);
  expect(readFileSync(`${former}.log`, 'utf8')).toContain('["world","chance",');
  const again = await openKept(former);
  expect(again.warned).toEqual([]);
  expect(keptOf(again.sandbox)).toEqual(before);
  for (const [part, lines] of Object.entries(linesOf(former))) {
    expect(lines[0], part).toContain(`"format":${FORMAT}`);
    expect(
      lines.filter((line) => line.includes('chance')),
      part,
    ).toEqual([]);
  }

  // Numbers and tokens go on.
  const twin = await buy(second.client, 'motor');
  expect(await buy(again.client, 'motor')).toEqual(twin);
  expect((await again.client.call(verifyOf.group_life, { token })).status).toBe(200);
  expect(keptOf((await revive(former)).sandbox)).toEqual(keptOf(again.sandbox));
});
