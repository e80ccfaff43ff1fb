/* The transport of the MCP server over standard input and output: every line is a message and gets its answer. */

import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { BATCH_REVISION, readMessages } from './messages.ts';

/** Where a client without a handshake names the revision of each request. */
const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The longest line, in characters. */
const MAX_LINE = 10 * 1024 * 1024;

/** Where lines come from, and where answers go. */
export interface Pipe {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a text. Rejects if nobody reads any more. */
  write(text: string): Promise<void>;
}

/** A transport that says when and why it ended. */
export interface LineTransport extends Transport {
  /** Resolves when the input ends, nobody reads the output, or the transport is closed; with what is wrong, if anything. */
  readonly ended: Promise<string | undefined>;
}

/** A batch whose answers are sent together. */
interface Batch {
  readonly waiting: Set<RequestId>;
  readonly answers: object[];
}

export function createLineTransport({ input, write }: Pipe): LineTransport {
  // Until the client has named one.
  let revision = BATCH_REVISION;
  let isClosed = false;
  const batches = new Set<Batch>();
  let end: (problem?: string) => void = () => {};
  const ended = new Promise<string | undefined>((resolve) => {
    end = resolve;
  });

  const writeJson = async (value: object): Promise<void> => {
    if (isClosed) return;
    try {
      await write(`${JSON.stringify(value)}\n`);
    } catch {
      close();
    }
  };
  const writeBatch = async (batch: Batch): Promise<void> => {
    if (batch.waiting.size > 0) return;
    batches.delete(batch);
    if (batch.answers.length > 0) await writeJson(batch.answers);
  };
  const close = (problem?: string) => {
    if (isClosed) return;
    isClosed = true;
    end(problem);
    transport.onclose?.();
  };

  const take = (text: string): void => {
    if (text.trim() === '') return;
    const reading = readMessages(text, revision);
    if (!('batch' in reading)) {
      if ('error' in reading) void writeJson(reading.error);
      else {
        revision = claimedRevision(reading.message) ?? revision;
        transport.onmessage?.(reading.message);
      }
      return;
    }
    const batch: Batch = { waiting: new Set(), answers: [] };
    batches.add(batch);
    for (const read of reading.batch) {
      if ('error' in read) batch.answers.push(read.error);
      else if ('method' in read.message && 'id' in read.message) batch.waiting.add(read.message.id);
    }
    for (const read of reading.batch) if ('message' in read) transport.onmessage?.(read.message);
    void writeBatch(batch);
  };

  const read = async (): Promise<void> => {
    const utf8 = new TextDecoder();
    let line = '';
    for await (const chunk of input) {
      if (isClosed) return;
      const [first = '', ...others] = utf8.decode(chunk, { stream: true }).split('\n');
      line += first;
      for (const next of [...others, undefined]) {
        if (line.length > MAX_LINE) return close(`a message is longer than ${MAX_LINE} characters`);
        if (next === undefined) break;
        take(line);
        line = next;
      }
    }
    close();
  };

  const transport: LineTransport = {
    ended,
    async start() {
      // A destroyed input ends with an error.
      void read().catch(() => close());
    },
    async close() {
      close();
    },
    async send(message: JSONRPCMessage) {
      revision = agreedRevision(message) ?? revision;
      const id = 'method' in message ? undefined : message.id;
      const batch = [...batches].find(({ waiting }) => id !== undefined && waiting.delete(id));
      if (!batch) return writeJson(message);
      batch.answers.push(message);
      return writeBatch(batch);
    },
  };
  return transport;
}

/** The revision that a request of a client without a handshake names. */
function claimedRevision(message: JSONRPCMessage): string | undefined {
  const meta = 'params' in message ? message.params?._meta : undefined;
  const claimed = meta?.[PROTOCOL_VERSION_META_KEY];
  return typeof claimed === 'string' ? claimed : undefined;
}

/** The revision in the answer to a handshake. */
function agreedRevision(message: JSONRPCMessage): string | undefined {
  const agreed = 'result' in message ? message.result.protocolVersion : undefined;
  return typeof agreed === 'string' ? agreed : undefined;
}
