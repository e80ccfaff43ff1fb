/* Responds to requests that Node's parser refuses. Otherwise Node responds without a body, and no log shows them. */

import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Called with each such request. Its method and target are not known. */
export type ReportUnreadable = (status: number, detail: string) => void;

/** What Node knows about a request that it could not read. */
interface ParseError extends Error {
  readonly code?: string;
  /** The parser's words: `Invalid header token`. */
  readonly reason?: string;
  /** The bytes that it read last. */
  readonly rawPacket?: Uint8Array;
}

export function refuseUnreadable(server: Server, report: ReportUnreadable): void {
  /** The latest response of each connection, which may not be sent yet. */
  const newest = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  server.prependListener('request', ({ socket }, response) => newest.set(socket, response));
  server.on('clientError', (error: ParseError, socket: Socket) => {
    // What follows on the connection cannot be read either.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, detail } = problemOf(error);
    report(status, detail);
    const respond = () => {
      if (socket.writable) socket.write(responseOf(status, detail));
      socket.destroySoon();
    };
    const before = newest.get(socket);
    if (!before || before.writableFinished) return respond();
    // The request that cannot be read follows on a complete one, whose response is still to come.
    if (before.req.complete) return void before.once('close', respond);
    // The body of this request cannot be read.
    if (before.headersSent) return socket.destroySoon();
    respond();
  });
}

/** The first byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16;

function problemOf({ code, reason, message, rawPacket }: ParseError) {
  if (rawPacket?.[0] === TLS_HANDSHAKE) {
    return { status: 400, detail: 'The request is encrypted. Use http:// instead of https://.' };
  }
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        detail: `The request line and the headers must not be larger than ${maxHeaderSize} bytes.`,
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, detail: 'The chunk extensions of the request are too large.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'The headers of the request did not arrive in time.' };
    default:
      return { status: 400, detail: `The request is not valid HTTP: ${reason ?? message}.` };
  }
}

/** A whole response, which ends the connection. */
function responseOf(status: number, detail: string): string {
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status, detail });
  return [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
