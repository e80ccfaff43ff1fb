import { sleepUnmocked } from '../../world/clock.ts';

/** What a task does with its place. */
export interface Place {
  /** Lets another task start in the meantime, because this one only waits. It goes on after that, in any case. */
  lend(ms: number): void;
}

/**
 * Runs tasks in their order, at most `places` at a time. After an error it starts no more, and rejects with it when the
 * running ones have ended.
 */
export async function runSideBySide<Task>(
  tasks: readonly Task[],
  places: number,
  run: (task: Task, place: Place) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks];
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let free = places;
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
    const end = new AbortController();
    let isLent = false;
    const lend = (ms: number) => {
      if (isLent || end.signal.aborted) return;
      isLent = true;
      free++;
      startNext();
      void sleepUnmocked(ms, end.signal).then(() => {
        if (end.signal.aborted) return;
        isLent = false;
        free--;
      });
    };
    try {
      await run(task, { lend });
    } catch (error) {
      errors.push(error);
    }
    end.abort();
    if (!isLent) free++;
    startNext();
  };
  startNext();
  while (running.size > 0) await Promise.race(running);
  if (errors.length > 0) throw errors[0];
}
