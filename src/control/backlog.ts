import { wait } from '../core/clock.ts';

/** What was not sent yet. */
interface Unsent {
  readonly data: string | Promise<string>;
}

/** The messages that wait for one listener. It ends when somebody ends it, or when too much waits. */
export interface Backlog<Message extends Unsent> {
  add(message: Message): void;
  /** The oldest message, once there is one; undefined after that many real milliseconds, or at the end. */
  next(ms: number): Promise<Message | undefined>;
  /** The oldest message has left. */
  sent(message: Message): void;
  end(): void;
  /** Resolves at the end. */
  readonly over: Promise<void>;
  isOver(): boolean;
  /** Whether it ended because too much waited. */
  isFull(): boolean;
}

/** @param maxUnsent how many characters may wait; a single message may have more */
export function createBacklog<Message extends Unsent>(maxUnsent: number): Backlog<Message> {
  const messages: Message[] = [];
  let [unsent, full, ended] = [0, false, false];
  let bell: AbortController | undefined;
  let resolveOver = () => {};
  const over = new Promise<void>((resolve) => {
    resolveOver = resolve;
  });
  const end = () => {
    ended = true;
    messages.length = 0;
    bell?.abort();
    resolveOver();
  };
  return {
    over,
    end,
    isOver: () => ended,
    isFull: () => full,
    add(message) {
      if (ended) return;
      const length = lengthOf(message);
      full = messages.length > 0 && unsent + length > maxUnsent;
      if (full) return end();
      unsent += length;
      messages.push(message);
      bell?.abort();
    },
    async next(ms) {
      if (messages.length === 0 && !ended) {
        bell = new AbortController();
        await wait(ms, bell.signal);
        bell = undefined;
      }
      return messages[0];
    },
    sent(message) {
      if (ended) return;
      messages.shift();
      unsent -= lengthOf(message);
    },
  };
}

const lengthOf = ({ data }: Unsent): number => String(data).length;
