import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operationOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | undefined;
  /** The fault that touched the answer. */
  readonly fault: string | undefined;
  /** Undefined where the text is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers freely
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  /** Sent as it is instead of the body as JSON. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls one server, over connections that stay open. Rejects where a connection ends without an answer. */
export class Caller {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, maxSockets = 1) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  async call(path: string, { method, key, body, raw, headers }: Sent = {}): Promise<Reply> {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const message = request(this.#url + path, {
      agent: this.#agent,
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...headers,
      },
    }).end(text);
    return readReply(await responseTo(message));
  }

  /** Calls an operation of the merchant API: its documented example unless told otherwise. */
  operate(operationId: string, key: string, input?: object, headers = {}): Promise<Reply> {
    const { method, path } = operationOf(operationId);
    if (method === 'post') {
      return this.call(path, { key, body: input ?? exampleOf(operationId), headers });
    }
    let filled = path;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input ?? {})) {
      if (path.includes(`:${name}`)) filled = filled.replace(`:${name}`, encodeURIComponent(value));
      else query.set(name, value);
    }
    return this.call(query.size > 0 ? `${filled}?${query}` : filled, { key, headers });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function responseTo(message: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [response] = await once(message, 'response');
  return response;
}

export async function readReply(response: IncomingMessage): Promise<Reply> {
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return {
    status: response.statusCode ?? 0,
    text,
    requestId: response.headers['sandbox-request-id'] as string | undefined,
    fault: response.headers['sandbox-fault'] as string | undefined,
    body: parsed(text),
  };
}

/** The JSON that a text is; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SNAPSHOT = '/_sandbox/snapshot';

/** How much of a document is read before its reader does something else. */
const PORTION_BYTES = 16 * 2 ** 20;

/** Fetches a snapshot into a file, a portion at a time, and answers its digest and how many bytes it has. */
export async function fetchSnapshot(
  url: string,
  key: string,
  file: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<{ readonly digest: string; readonly bytes: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await responseTo(request(url + SNAPSHOT, { agent: false, headers }).end());
  if (response.statusCode !== 200) throw new Error((await readReply(response)).text);
  const hash = createHash('sha256');
  let bytes = 0;
  let portion = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      portion += chunk.length;
      if (portion < PORTION_BYTES) return done(null, chunk);
      portion = 0;
      between().then(() => done(null, chunk), done);
    },
  });
  await pipeline(response, counted, createWriteStream(file));
  return { digest: hash.digest('hex'), bytes };
}

/** Puts a snapshot back out of pieces; in chunks unless their length is told before. */
export async function putSnapshot(
  url: string,
  key: string,
  pieces: AsyncIterable<string | Buffer>,
  length?: number,
): Promise<Reply> {
  // A connection that ends with its answer would end before all is sent, and cut the answer off.
  const agent = new Agent({ keepAlive: true });
  const message = request(url + SNAPSHOT, {
    agent,
    method: 'PUT',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(length !== undefined && { 'content-length': length }),
    },
  });
  const answered = responseTo(message);
  // What was refused is read no further; the answer says why.
  message.on('error', () => undefined);
  const sent = pipeline(pieces, message).catch(() => undefined);
  const reply = await readReply(await answered);
  agent.destroy();
  await sent;
  return reply;
}

export const piecesOf = (file: string): AsyncIterable<Buffer> =>
  createReadStream(file, { highWaterMark: 256 * 1024 });
