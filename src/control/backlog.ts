import { wait } from '../world/clock.ts';

/** The messages that wait for one reader. It ends when somebody ends it, or when too much waits. */
export interface Backlog {
  add(message: Uint8Array): void;
  /** Takes the oldest message, once there is one; undefined after that many real milliseconds, or at the end. */
  next(ms: number): Promise<Uint8Array | undefined>;
  end(): void;
  isOver(): boolean;
  /** Whether it ended because too much waited. */
  isFull(): boolean;
}

/**
 * @param maxBytes how many bytes may wait; a single message may have more
 * @param onEnd called once, at the end
 */
export function createBacklog(maxBytes: number, onEnd: () => void): Backlog {
  const messages: Uint8Array[] = [];
  let [waiting, full, ended] = [0, false, false];
  let bell: AbortController | undefined;
  const end = () => {
    if (ended) return;
    ended = true;
    messages.length = 0;
    bell?.abort();
    onEnd();
  };
  return {
    end,
    isOver: () => ended,
    isFull: () => full,
    add(message) {
      if (ended) return;
      full = messages.length > 0 && waiting + message.length > maxBytes;
      if (full) return end();
      waiting += message.length;
      messages.push(message);
      bell?.abort();
    },
    async next(ms) {
      if (messages.length === 0 && !ended) {
        bell = new AbortController();
        await wait(ms, bell.signal);
        bell = undefined;
      }
      const message = messages.shift();
      waiting -= message?.length ?? 0;
      return message;
    },
  };
}
