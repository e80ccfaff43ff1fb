import { onTestFinished, vi } from 'vitest';

/** Gives the test control of timers. They fire only in `pass`. */
export function ownTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    /** Resolves once there is a pending timer. */
    async started(): Promise<void> {
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

/** Gives the test control of the system's time, which then stands still. */
export function ownSystemTime() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms: number) => void vi.setSystemTime(Date.now() + ms) };
}
