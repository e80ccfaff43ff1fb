/*
 * Responds to requests that never reach the listener of requests: those that Node's parser refuses, and CONNECT. Otherwise
 * Node responds without a body or not at all, and no log shows them.
 */

import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';

/** Called with each such request. Its method and target are not known if Node could not read them. */
export type ReportUnreadable = (
  status: number,
  detail: string,
  line?: { readonly method: string; readonly path: string },
) => void;

/** A request whose response may not be sent yet. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What Node knows about a request that it could not read. */
interface ParseError extends Error {
  readonly code?: string;
  /** The parser's words: `Invalid header token`. */
  readonly reason?: string;
  /** The bytes that it read last. */
  readonly rawPacket?: Uint8Array;
}

export function refuseUnreadable(server: Server, report: ReportUnreadable): void {
  const newest = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    newest.set(incoming.socket, { incoming, outgoing });
  });
  // Node responds 417 without a body to an expectation that it does not know; a server may also ignore it.
  server.on('checkExpectation', (incoming, outgoing) => {
    server.emit('request', incoming, outgoing);
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    report(405, NO_PROXY, { method: 'CONNECT', path: url });
    socket.end(responseOf(405, NO_PROXY, [`Allow: ${ALLOWED}`]));
  });
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
    if (!before || before.outgoing.writableFinished) return respond();
    const { incoming, outgoing } = before;
    // The request that cannot be read follows on a complete one, whose response is still to come.
    if (incoming.complete) return void outgoing.once('close', respond);
    // The body of this request cannot be read.
    if (outgoing.headersSent) return socket.destroySoon();
    respond();
  });
}

const NO_PROXY = 'This server is not a proxy. Send requests to its own URL.';
/** The methods of all routes. */
const ALLOWED = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

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
function responseOf(status: number, detail: string, headers: readonly string[] = []): string {
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status, detail });
  return [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
