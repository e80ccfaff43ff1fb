import type { ServerResponse } from 'node:http';
import { ConnectionLost } from '../http/faulty.ts';
import type { Answer } from '../http/sending.ts';

/** As much of a Response as it takes to write one. */
export class PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor({ status, headers, body }: Answer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export function refuseTarget(outgoing: ServerResponse): void {
  outgoing
    .writeHead(400, { 'content-type': 'text/plain' })
    .end('The Host or the path of the request can not be read.\n');
}

export function writePlain(
  { status, headers, body }: PlainResponse,
  outgoing: ServerResponse,
): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) {
    for await (const chunk of response.body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(chunk)) await drained(outgoing);
    }
  }
  outgoing.end();
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    outgoing.once('drain', resolve).once('close', resolve);
  });

export function fail(error: unknown, outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (!socket || socket.destroyed) return;
  if (outgoing.headersSent) {
    // What was written leaves first: a client sees half a body, then the end.
    socket.destroySoon();
  } else if (error instanceof ConnectionLost) {
    socket.resetAndDestroy();
  } else {
    console.error(error);
    outgoing
      .writeHead(500, { 'content-type': 'text/plain' })
      .end('The sandbox has a defect, please report it.\n');
  }
}
