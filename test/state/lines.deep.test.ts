import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { sampleOf } from '../support/depth.ts';
import { buy, initiate, verifyOf } from '../support/requests.ts';
import { asKilled, bytesOf, keptOf, newStateFile, openKept, revive } from '../support/state.ts';

const NEWLINE = 10;

/** The files of a sandbox that was saved once and killed after a few more changes. */
async function killed() {
  const file = newStateFile();
  const first = await openKept(file);
  await buy(first.client, 'motor');
  await buy(clientOf(first.sandbox, first.sandbox.createMerchant()), 'micro_health');
  await first.stop();
  const { sandbox, client } = await openKept(file);
  await buy(client, 'group_life');
  sandbox.merchant('sk_sandbox_other').clock.advance('P1D');
  sandbox.merchant('sk_sandbox_other').reset();
  const token = await initiate(client, 'micro_health', { surname: 'Adékúnlé Ọbáfẹ́mi' });
  await client.call(verifyOf.micro_health, { token });
  return { file: asKilled(file), sandbox };
}

describe('a log', () => {
  test('that ends in half a line drops that line with a warning', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    const token = await initiate(client, 'motor');
    const before = keptOf(client.sandbox);
    await client.call(verifyOf.motor, { token });
    const copy = asKilled(file);
    truncateSync(`${copy}.log`, readFileSync(`${copy}.log`).length - 10);
    const again = await openKept(copy);
    expect(again.warned).toEqual([
      `${copy}: the last line of its log is incomplete; that change was not made`,
    ]);
    expect(keptOf(again.sandbox)).toEqual(before);
    // It continues where it was cut.
    await again.client.call(verifyOf.motor, { token });
    expect(keptOf((await revive(copy)).sandbox)).toEqual(keptOf(again.sandbox));
  });

  test('that is cut anywhere restores the state before the incomplete line', async () => {
    const file = newStateFile();
    const { client, sandbox } = await openKept(file);
    const states = [keptOf(sandbox)];
    const sizes = [readFileSync(`${file}.log`).length];
    const note = () => {
      states.push(keptOf(sandbox));
      sizes.push(readFileSync(`${file}.log`).length);
    };
    const token = await initiate(client, 'micro_health', { surname: 'Ọbáfẹ́mi' });
    note();
    await client.call(verifyOf.micro_health, { token });
    note();
    sandbox.createMerchant();
    note();
    // These lines count together.
    sandbox.resetAll();
    note();
    const whole = asKilled(file);
    const bytes = readFileSync(`${whole}.log`);
    const [first, last] = [sizes[0] as number, sizes.at(-1) as number];
    const cuts = [...Array(last - first).keys()].map((more) => first + more);
    const isNearLetter = (place: number) => (bytes[place] as number) > 127;
    const isNearEnd = (place: number) => bytes.subarray(place - 2, place + 3).includes(NEWLINE);
    const telling = cuts.filter((place) => isNearLetter(place) || isNearEnd(place));
    for (const cut of sampleOf(telling, { sample: 12, ci: 100, all: telling.length })) {
      const copy = asKilled(whole);
      truncateSync(`${copy}.log`, cut);
      const again = await openKept(copy);
      const reached = sizes.findLastIndex((size) => size <= cut);
      expect(again.warned.length, `cut at ${cut}`).toBe(sizes.includes(cut) ? 0 : 1);
      expect(keptOf(again.sandbox)).toEqual(states[reached]);
      again.client.merchant.clock.advance('PT1M');
      const third = await revive(copy);
      expect(third.warned).toEqual([]);
      expect(keptOf(third.sandbox)).toEqual(keptOf(again.sandbox));
    }
  });

  test('of another state is refused', async () => {
    const [{ file }, other] = [await killed(), await killed()];
    writeFileSync(`${file}.log`, readFileSync(`${other.file}.log`));
    const before = bytesOf(file);
    await expect(openKept(file)).rejects.toThrow(`${file}.log: belongs to another state file`);
    expect(bytesOf(file)).toEqual(before);
  });

  test('whose beginning is missing is refused, because FILE is too old for it', async () => {
    const file = newStateFile();
    const first = await openKept(file);
    await buy(first.client, 'motor');
    const backup = readFileSync(file);
    await first.stop();
    const second = await openKept(file);
    await buy(second.client, 'motor');
    const copy = asKilled(file);
    writeFileSync(copy, backup);
    const before = bytesOf(copy);
    await expect(openKept(copy)).rejects.toThrow(`${copy}.log: earlier lines are missing`);
    expect(bytesOf(copy)).toEqual(before);
  });
});
