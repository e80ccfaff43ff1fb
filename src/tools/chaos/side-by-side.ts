/* Runs tasks side by side, in a limited number of slots. */

import { sleepUnmocked } from '../../world/clock.ts';

/** The slot that a task runs in. Without either call, the task has it until it ends. */
export interface Slot {
  /** Lets another task start in the meantime, because this one only waits. It goes on after that, in any case. */
  lend(ms: number): void;
  /** Lets another task start for good, because only little work is left. */
  leave(): void;
}

/**
 * Runs tasks in their order, at most `slots` at a time. After an error it starts no more, and rejects with it when the
 * running ones have ended.
 */
export async function runSideBySide<Task>(
  tasks: readonly Task[],
  slots: number,
  run: (task: Task, slot: Slot) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks];
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let free = slots;
  const startNext = () => {
    while (free > 0 && errors.length === 0) {
      const task = waiting.shift();
      if (task === undefined) return;
      free--;
      const ended: Promise<void> = start(task).then(() => void running.delete(ended));
      running.add(ended);
    }
  };
  const start = async (task: Task) => {
    const left = new AbortController();
    let isLent = false;
    const lend = (ms: number) => {
      if (isLent || left.signal.aborted) return;
      isLent = true;
      free++;
      startNext();
      void sleepUnmocked(ms, left.signal).then(() => {
        if (left.signal.aborted) return;
        isLent = false;
        free--;
      });
    };
    const leave = () => {
      if (left.signal.aborted) return;
      left.abort();
      if (!isLent) free++;
      startNext();
    };
    try {
      await run(task, { lend, leave });
    } catch (error) {
      errors.push(error);
    }
    leave();
  };
  startNext();
  while (running.size > 0) await Promise.race(running);
  if (errors.length > 0) throw errors[0];
}
