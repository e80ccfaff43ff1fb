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
  /** The fault that applied. */
  readonly fault: string | undefined;
  /** Undefined if the text is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a response
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  /** Text to send instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests to a server over persistent connections. Rejects if a connection ends early. */
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

  /** Calls an operation of the merchant API, by default with its documented example. */
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
  // A dropped response may end after its headers; reading its body then fails.
  message.on('error', () => {});
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SNAPSHOT = '/_sandbox/snapshot';

/** The bytes that a reader reads between two pauses. */
const PORTION_BYTES = 16 * 2 ** 20;

/** Downloads a snapshot to a file with pauses. Returns its digest and size. */
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

/** Restores a snapshot from pieces, in chunked encoding unless `length` is given. */
export async function putSnapshot(
  url: string,
  key: string,
  pieces: AsyncIterable<string | Buffer>,
  length?: number,
): Promise<Reply> {
  // Without keep-alive, a refusal closes the connection during the upload and loses the response.
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
  // The server stops reading a refused upload. Its response says why.
  message.on('error', () => undefined);
  const sent = pipeline(pieces, message).catch(() => undefined);
  const reply = await readReply(await answered);
  agent.destroy();
  await sent;
  return reply;
}

export const piecesOf = (file: string): AsyncIterable<Buffer> =>
  createReadStream(file, { highWaterMark: 256 * 1024 });
