import { describe, expect, test, vi } from 'vitest';
import { onAbort } from '../../src/world/platform.ts';

describe('a signal that many wait for', () => {
  test('calls each of them back when it aborts, but those that no longer wait', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort([controller.signal], () => called.push('first'));
    const stop = onAbort([controller.signal], () => called.push('second'));
    onAbort([controller.signal], () => called.push('third'));
    stop();
    controller.abort();
    expect(called).toEqual(['first', 'third']);
  });

  test('has one listener, and none once nobody waits', () => {
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

  test('calls back at once where it has aborted already', () => {
    const callback = vi.fn();
    onAbort([AbortSignal.abort()], callback)();
    expect(callback).toHaveBeenCalledTimes(1);
  });
});
