import { describe, expect, test, vi } from 'vitest';
import { createLineWriter } from '../../src/node/output.ts';
import { nextTurn } from '../../src/world/clock.ts';

const KIB = 1024;

/** An output whose reader reads on demand. */
function reader() {
  const texts: string[] = [];
  const done: ((error?: Error) => void)[] = [];
  return {
    texts,
    isTerminal: false,
    write(text: string, sent: (error?: Error | null) => void) {
      texts.push(text);
      done.push(sent);
    },
    abandon: vi.fn(),
    /** Reads the last write, or fails. */
    read: (error?: Error) => done.shift()?.(error),
  };
}

const linesOf = (output: ReturnType<typeof reader>) => {
  const onClosed = vi.fn();
  const lineOf = vi.fn((item: string | number) => `${item}\n`);
  const notShown = (count: number) => `${count} not shown\n`;
  return { onClosed, lineOf, ...createLineWriter(output, { lineOf, notShown, onClosed }) };
};

describe('a log', () => {
  test('drops and counts lines while more than 1 MiB wait', async () => {
    const output = reader();
    const { add, lineOf } = linesOf(output);
    const line = 'x'.repeat(KIB - 1);
    for (let count = 0; count < 1000; count++) add(line);
    await nextTurn();
    for (let count = 0; count < 336; count++) add(line);
    await nextTurn();
    expect(lineOf).toHaveBeenCalledTimes(1025);
    // Even a short line that would fit is left out, to keep the order.
    add('');
    await nextTurn();
    expect(output.texts.map(({ length }) => length)).toEqual([1000 * KIB, 24 * KIB]);
    output.read();
    output.read();
    expect(output.texts[2]).toBe('313 not shown\n');
    add('again');
    await nextTurn();
    expect(output.texts[3]).toBe('again\n');
  });

  test('ends when its reader is gone', async () => {
    const output = reader();
    const { add, onClosed, lineOf } = linesOf(output);
    add(1);
    await nextTurn();
    add(2);
    output.read(new Error('EPIPE'));
    add(3);
    await nextTurn();
    expect(onClosed).toHaveBeenCalledOnce();
    expect(output.texts).toEqual(['1\n']);
    expect(lineOf).toHaveBeenCalledTimes(1);
  });

  test('ends when a write throws, as on a full disk', async () => {
    const output = reader();
    output.write = () => {
      throw new Error('ENOSPC');
    };
    const { add, onClosed, end } = linesOf(output);
    add(1);
    await nextTurn();
    expect(onClosed).toHaveBeenCalledOnce();
    await end();
  });
});

describe('the end of a log', () => {
  test('writes the remaining items and waits for them', async () => {
    const output = reader();
    const { add, end } = linesOf(output);
    add(1);
    let isOver = false;
    const ended = end().then(() => {
      isOver = true;
    });
    await nextTurn();
    expect(output.texts).toEqual(['1\n']);
    expect(isOver).toBe(false);
    output.read();
    await ended;
    expect(output.abandon).not.toHaveBeenCalled();
  });
});
