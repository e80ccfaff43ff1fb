import { describe, expect, test, vi } from 'vitest';
import { onAbort } from '../../src/world/platform.ts';

describe('a signal with many callbacks', () => {
  test('calls each of them when it aborts, except removed ones', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort([controller.signal], () => called.push('first'));
    const stop = onAbort([controller.signal], () => called.push('second'));
    onAbort([controller.signal], () => called.push('third'));
    stop();
    controller.abort();
    expect(called).toEqual(['first', 'third']);
  });

  test('has one listener, and none without callbacks', () => {
    const { signal } = new AbortController();
    const [add, remove] = [
      vi.spyOn(signal, 'addEventListener'),
      vi.spyOn(signal, 'removeEventListener'),
    ];
    const wait = () => onAbort([signal], () => {});
    const stops = [wait(), wait(), wait()];
    expect(add).toHaveBeenCalledTimes(1);
    for (const stop of stops) stop();
    expect(remove.mock.calls).toEqual(add.mock.calls.map(([type, listener]) => [type, listener]));
    wait();
    expect(add).toHaveBeenCalledTimes(2);
  });

  test('calls back at once if it has already aborted', () => {
    const callback = vi.fn();
    onAbort([AbortSignal.abort()], callback)();
    expect(callback).toHaveBeenCalledTimes(1);
  });
});
