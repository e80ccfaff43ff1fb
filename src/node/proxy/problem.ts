import { type ServerResponse, STATUS_CODES } from 'node:http';

/** Answers a problem document (RFC 9457). */
export function respondProblem(outgoing: ServerResponse, status: number, detail: string): void {
  const title = STATUS_CODES[status];
  const text = JSON.stringify({ type: 'about:blank', title, status, detail });
  outgoing.writeHead(status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(text),
  });
  outgoing.end(text);
}
