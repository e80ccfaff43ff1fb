import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** An event of a stream with parsed data. */
export interface SandboxEvent {
  readonly event: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access events freely
  readonly data: any;
}

/** Reads a stream of events. */
export interface EventReader {
  /** Returns the next events, once there are that many. */
  take(count: number): Promise<SandboxEvent[]>;
  /** Resolves when the stream ends. */
  readonly ended: Promise<void>;
  /** The number of comments so far. */
  comments(): number;
  cancel(): Promise<void>;
}

export function readEvents({ body }: Response): EventReader {
  const received: EventSourceMessage[] = [];
  let commented = 0;
  let notify = () => {};
  const parser = createParser({
    onEvent: (event) => {
      received.push(event);
      notify();
    },
    onComment: () => {
      commented += 1;
      notify();
    },
  });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const readAll = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
    }
  };
  return {
    ended: readAll(),
    comments: () => commented,
    cancel: () => reader.cancel(),
    async take(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      return received.splice(0, count).map(({ event = '', id = '', data }) => ({
        event,
        id,
        data: JSON.parse(data),
      }));
    },
  };
}
