import { readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { buy, initiate, verifyOf } from '../support/requests.ts';
import {
  asKilled,
  bytesOf,
  DEMO,
  keptOf,
  linesOf,
  newStateFile,
  openKept,
  revive,
} from '../support/state.ts';

const NEWLINE = 10;

/** The files of a sandbox that was saved once, and then killed after a few changes more. */
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

/** A few places all over a file: in its first line, one in the middle and its last, and at ends of lines. */
function sampleOf(bytes: Buffer): number[] {
  const ends = [...bytes.keys()].filter((place) => bytes[place] === NEWLINE);
  const middle = Math.floor(ends.length / 2);
  const lines = [-1, middle - 1, ends.length - 2].map((before) => [
    before < 0 ? 0 : (ends[before] as number) + 1,
    ends[before + 1] as number,
  ]) as [number, number][];
  const within = lines.flatMap(([from, to]) => [
    // Its beginning, number and checksum, then a few of the rest.
    ...[0, 8, 9, 19].map((offset) => from + offset),
    ...[0.4, 0.6, 0.9].map((part) => from + Math.floor((to - from) * part)),
  ]);
  return [...new Set([...within, ...[0, middle, ends.length - 1].map((n) => ends[n] as number)])];
}

describe('a state of which one bit was changed', () => {
  test.each(['', '.log'])('is refused with the line where that is in FILE%s', async (end) => {
    const { file } = await killed();
    const whole = readFileSync(file + end);
    const sample = sampleOf(whole);
    expect(sample).toHaveLength(24);
    const taken: string[] = [];
    for (const place of sample) {
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(whole);
        bytes[place] = (bytes[place] as number) ^ (1 << bit);
        writeFileSync(file + end, bytes);
        const before = bytesOf(file);
        const answer = await openKept(file).then(
          () => 'is taken',
          (error: Error) => error.message,
        );
        const where = `${file}${end}: `;
        const isTold = answer.startsWith(where) && /\bline \d+\b/.test(answer.slice(where.length));
        if (!isTold) taken.push(`bit ${bit} of byte ${place}: ${answer}`);
        expect(bytesOf(file)).toEqual(before);
      }
    }
    expect(taken).toEqual([]);
    writeFileSync(file + end, whole);
    await openKept(file);
  });
});

describe('a state of which lines were', () => {
  const changes: Record<string, (lines: readonly string[], at: number) => string[]> = {
    removed: (lines, at) => lines.toSpliced(at, 1),
    repeated: (lines, at) => lines.toSpliced(at, 0, lines[at] as string),
    'put in each other’s place': (lines, at) =>
      lines.with(at, lines[at + 1] as string).with(at + 1, lines[at] as string),
  };

  test.each(
    Object.keys(changes).flatMap((what) => ['', '.log'].map((end) => [what, end] as const)),
  )('%s in FILE%s is refused with the place', async (what, end) => {
    const { file } = await killed();
    const all = linesOf(file)[end === '' ? 'file' : 'log'];
    for (const at of [0, 1, Math.floor(all.length / 2), all.length - 2]) {
      const changed = changes[what]?.(all, at) ?? [];
      writeFileSync(file + end, changed.map((line) => `${line}\n`).join(''));
      const before = bytesOf(file);
      const first = changed.findIndex((line, place) => line !== all[place]) + 1;
      await expect(openKept(file)).rejects.toThrow(`${file}${end}: line ${first}: `);
      expect(bytesOf(file)).toEqual(before);
    }
  });

  test('cut off at the end of FILE is refused with the place, wherever it was cut', async () => {
    const { file } = await killed();
    const { file: all } = linesOf(file);
    for (const count of [1, 2, Math.floor(all.length / 2), all.length - 2, all.length - 1]) {
      const text = all.slice(0, count).join('\n');
      for (const [end, where] of [
        ['\n', `ends after line ${count}`],
        [`\n${all[count]?.slice(0, 30)}`, `ends within line ${count + 1}`],
      ]) {
        writeFileSync(file, text + end);
        await expect(openKept(file)).rejects.toThrow(`${file}: ${where}: a part of it is missing`);
      }
    }
    writeFileSync(file, `${all.join('\n')}\n${all[1]}\n`);
    await expect(openKept(file)).rejects.toThrow(`${file}: line ${all.length + 1}: `);
  });
});

describe('a log', () => {
  test('that ends in half a line loses that line, and says so', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    const token = await initiate(client, 'motor');
    const before = keptOf(client.sandbox);
    await client.call(verifyOf.motor, { token });
    const copy = asKilled(file);
    truncateSync(`${copy}.log`, readFileSync(`${copy}.log`).length - 10);
    const again = await openKept(copy);
    expect(again.warned).toEqual([
      `${copy}: the last line of its log is there by half: that change was not made`,
    ]);
    expect(keptOf(again.sandbox)).toEqual(before);
    // It goes on where it was cut.
    await again.client.call(verifyOf.motor, { token });
    expect(keptOf((await revive(copy)).sandbox)).toEqual(keptOf(again.sandbox));
  });

  test('is the state before the line that is not whole, wherever it is cut, and goes on from there', async () => {
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
    // These are several lines that count together.
    sandbox.resetAll();
    note();
    const whole = asKilled(file);
    const bytes = readFileSync(`${whole}.log`);
    const [first, last] = [sizes[0] as number, sizes.at(-1) as number];
    const cuts = [...Array(last - first).keys()].map((more) => first + more);
    const isNearLetter = (place: number) => (bytes[place] as number) > 127;
    const isNearEnd = (place: number) => bytes.subarray(place - 2, place + 3).includes(NEWLINE);
    for (const cut of cuts.filter((place) => isNearLetter(place) || isNearEnd(place))) {
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

  test.each([
    ['its header', 0],
    ['half its header', -40],
    ['the first letters of its header', -1_000],
  ])('of which there is only %s is empty, and goes on', async (_, more) => {
    const file = newStateFile();
    const { sandbox } = await openKept(file);
    sandbox.createMerchant();
    const copy = asKilled(file);
    const header = readFileSync(`${copy}.log`).indexOf('\n') + 1;
    truncateSync(`${copy}.log`, Math.max(header + more, 3));
    // Other options are fine.
    const options = { seed: 8 };
    const again = await openKept(copy, options);
    expect(again.sandbox.merchants()).toHaveLength(2);
    again.sandbox.createMerchant();
    await buy(again.client, 'motor');
    const third = await revive(copy, options);
    expect(third.sandbox.merchants()).toHaveLength(3);
    expect(keptOf(third.sandbox)).toEqual(keptOf(again.sandbox));
  });

  test('of another state is refused', async () => {
    const [{ file }, other] = [await killed(), await killed()];
    writeFileSync(`${file}.log`, readFileSync(`${other.file}.log`));
    const before = bytesOf(file);
    await expect(openKept(file)).rejects.toThrow(`${file}.log: line 1: is of another state`);
    expect(bytesOf(file)).toEqual(before);
  });

  test('whose beginning is missing is refused: FILE is older than the one it belongs to', async () => {
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
    await expect(openKept(copy)).rejects.toThrow(
      `${copy}.log: line 1: lines before it are missing: from 0`,
    );
    expect(bytesOf(copy)).toEqual(before);
  });

  test('that ends before FILE does is refused: it is older', async () => {
    const { file } = await killed();
    const old = readFileSync(`${file}.log`);
    const { client, stop } = await openKept(file);
    await buy(client, 'motor');
    await stop();
    writeFileSync(`${file}.log`, old);
    const before = bytesOf(file);
    await expect(openKept(file)).rejects.toThrow(`${file}.log: `);
    expect(bytesOf(file)).toEqual(before);
  });

  test('without its FILE is refused: it holds changes of a state that is not there', async () => {
    const { file } = await killed();
    unlinkSync(file);
    const before = bytesOf(file);
    await expect(openKept(file)).rejects.toThrow(
      `${file}.log: holds changes of a state whose file is not there`,
    );
    expect(bytesOf(file)).toEqual(before);
  });

  test('that is removed after a kill leaves what was saved', async () => {
    const { file } = await killed();
    unlinkSync(`${file}.log`);
    const { sandbox } = await openKept(file);
    expect(sandbox.merchants()).toHaveLength(3);
    expect(sandbox.merchant(DEMO).show().counts).toMatchObject({ motor: 6, group_life: 17 });
  });
});
