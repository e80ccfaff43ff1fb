import { onTestFinished, vi } from 'vitest';

/** Puts the rest of a test in charge of timers, which then fire by `pass` alone. */
export function ownTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    /** Resolves once somebody waits for a timer. */
    async started(): Promise<void> {
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

/** Puts the rest of a test in charge of the system's time, which then stands still. */
export function ownSystemTime() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms: number) => void vi.setSystemTime(Date.now() + ms) };
}
