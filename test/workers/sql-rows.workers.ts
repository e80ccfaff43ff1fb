import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/world/tables.ts';
import { startRows } from './support/rows.ts';

const openRows = await startRows();

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the rows of an object', () => {
  test('are what was written last, in the order in which each came first', async () => {
    const rows = openRows();
    await rows.write([{ changes: [['faults', 'b', 1] as const, ['faults', 'a', 2] as const] }]);
    const { changes } = await rows.write([
      { changes: [['faults', 'c', 3] as const, ['faults', 'b', { more: 'now' }] as const] },
      { changes: [['faults', 'a', null] as const, ['sequences', 'b', 4] as const] },
    ]);
    expect(changes).toEqual([
      ['faults', 'b', { more: 'now' }],
      ['faults', 'c', 3],
      ['sequences', 'b', 4],
    ]);
  });

  test('are as many bytes as their values, whatever was put, replaced, deleted or reset', async () => {
    const rows = openRows();
    const [merchant, long] = [{ name: 'Zoë 🧵' }, 'ж'.repeat(1_200_000)];
    const steps: [Change[], unknown[]][] = [
      [[['merchants', '3', merchant]], [merchant]],
      [[['motor.policies', 'INS1', { a: 1 }]], [merchant, { a: 1 }]],
      [[['motor.policies', 'INS1', long]], [merchant, long]],
      [[['motor.policies', 'INS1', 'ä']], [merchant, 'ä']],
      [[['motor.policies', 'INS2', long]], [merchant, 'ä', long]],
      [[['motor.policies', 'INS1', null]], [merchant, long]],
      [[['motor.policies', 'unknown', null]], [merchant, long]],
    ];
    for (const [changes, values] of steps) {
      const written = await rows.write([{ changes }]);
      const bytes = values.reduce<number>((sum, value) => sum + byteLength(value), 0);
      expect([written.bytes, written.reopened.bytes]).toEqual([bytes, bytes]);
      expect(written.changes.map(([, , value]) => value)).toEqual(values);
    }
    const reset = await rows.write([
      { replaced: true, changes: [] },
      { changes: [['faults', '1', true]] },
    ]);
    expect(reset.changes).toEqual([
      ['merchants', '3', merchant],
      ['faults', '1', true],
    ]);
    expect(reset.bytes).toBe(byteLength(merchant) + byteLength(true));
    expect(reset.reopened.bytes).toBe(reset.bytes);
  });

  test('are as they were where a write breaks off', async () => {
    const rows = openRows();
    const before = await rows.write([
      { changes: [['motor.policies', 'INS1', 'x'.repeat(1_200_000)] as const] },
    ]);
    const { problem, ...after } = await rows.write(
      [
        { replaced: true, changes: [['faults', '1', true] as const] },
        { changes: [['faults', '2', true] as const] },
      ],
      1,
    );
    expect(problem).toBe('database or disk is full');
    expect(after).toEqual(before);
  });

  test('hold a value of more bytes than the engine takes in one, cut between no two halves of a character', async () => {
    const rows = openRows();
    for (const start of ['', 'x']) {
      const value = start + '🧵'.repeat(900_000);
      const { changes, bytes } = await rows.write([{ changes: [['faults', '1', value]] }]);
      expect(changes.length).toBe(1);
      expect(changes[0]?.[2] === value).toBe(true);
      expect(bytes).toBe(byteLength(value));
    }
  });

  test('have keys of any text', async () => {
    const rows = openRows();
    const keys = ['', '"', 'a\u0000b', 'a\ud800', 'a\ud801', '🧵'];
    const changes = keys.map((key, number): Change => ['motor.used', key, number + 1]);
    expect((await rows.write([{ changes }])).changes).toEqual(changes);
  });

  test('are counted without what is only shown, which has a limit of its own', async () => {
    const rows = openRows();
    const { changes, bytes } = await rows.write([
      { changes: [['journal', 'req-3-1', 'entry'] as const, ['faults', '1', true] as const] },
    ]);
    expect(changes).toHaveLength(2);
    expect(bytes).toBe(byteLength(true));
  });
});
