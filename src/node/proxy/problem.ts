import { type ServerResponse, STATUS_CODES } from 'node:http';

/** Answers a problem document (RFC 9457). */
export function respondProblem(outgoing: ServerResponse, status: number, detail: string): void {
  respondJson(outgoing, status, 'application/problem+json', {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
  });
}

export function respondJson(
  outgoing: ServerResponse,
  status: number,
  type: string,
  body: unknown,
): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
  });
  outgoing.end(text);
}
