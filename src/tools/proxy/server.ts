/* The server of the proxy: passes calls on with httpxy, reads responses, and serves its journal. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { createProxyServer } from 'httpxy';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import { describeFailure } from '../../connect/failed-call.ts';
import { CONTROL_PATH, foreignReason } from '../../control/access.ts';
import { addressOf, listen, trackConnections } from '../../node/connections.ts';
import { nextTurn, stopwatch, systemNow } from '../../world/clock.ts';
import { type ProxyEntry, type ProxyJournal, shownPath } from './journal.ts';
import { judge, operationOf, passedReason, pathOf } from './judge.ts';

export interface ProxyOptions {
  /** The base URL of the service. */
  readonly target: string;
  readonly port: number;
  readonly journal: ProxyJournal;
  onEntry(entry: ProxyEntry): void;
}

/** The proxy's own path. All others belong to the service. */
export const JOURNAL_PATH = `${CONTROL_PATH}/journal`;
/** A larger response passes without being held against the contract. */
const MAX_BYTES = 10_000_000;
const TOO_LARGE = 'a response larger than 10 MB';

/** Headers of a connection, not of the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** Starts a proxy on this machine. Rejects with `ListenError` if the port is not available. */
export async function startProxy(options: ProxyOptions) {
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const isOfJournal = incoming.method === 'GET' && pathOf(incoming.url ?? '') === JOURNAL_PATH;
    if (isOfJournal) respondJournal(incoming, outgoing, options);
    else forward(incoming, outgoing, options);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const detail = `This is no proxy for tunnels. Send requests to ${addressOf(server).url} instead of ${options.target}.`;
    createReport(incoming, options)({ status: 405, not_judged: 'CONNECT is refused' });
    // A client that is gone already needs no answer.
    socket.on('error', () => undefined);
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n${detail}\n`);
  });
  const closeServer = trackConnections(server);
  await listen(server, options.port, '127.0.0.1');
  return {
    ...addressOf(server),
    async close() {
      await closeServer();
      // A connection that was cut says so at the end of a turn; its call is reported then.
      await nextTurn();
      await nextTurn();
    },
  };
}

/** Sends the journal to programs on this machine, but not to pages of other sites in its browser. */
function respondJournal(
  { socket: { remoteAddress }, headers: { host = '', origin } }: IncomingMessage,
  outgoing: ServerResponse,
  { target, journal }: ProxyOptions,
): void {
  const headers = new Headers({ host, ...(origin !== undefined && { origin }) });
  if (foreignReason({ remoteAddress }, { url: 'http://localhost', headers })) {
    respondProblem(outgoing, 403, 'The journal is available from this machine only.');
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ target, data: journal.entries() }));
}

function respondProblem(outgoing: ServerResponse, status: number, detail: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/problem+json' });
  const title = STATUS_CODES[status];
  outgoing.end(JSON.stringify({ type: 'about:blank', title, status, detail }));
}

/** Reports a call, once. */
function createReport(
  { method = 'GET', url: target = '/' }: IncomingMessage,
  { journal, onEntry }: ProxyOptions,
) {
  const [startedAt, started] = [systemNow(), stopwatch()];
  let isReported = false;
  return (outcome: Partial<ProxyEntry>): void => {
    if (isReported) return;
    isReported = true;
    const entry: ProxyEntry = {
      at: new Date(startedAt).toISOString(),
      operation: operationOf(target)?.operationId ?? null,
      method,
      path: shownPath(target),
      status: null,
      duration_ms: Math.round(stopwatch() - started),
      not_judged: null,
      differences: [],
      ...outcome,
    };
    journal.add(entry);
    onEntry(entry);
  };
}

/** Passes a call on to the service. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: ProxyOptions): void {
  const { method = 'GET', url: target = '/', headers } = incoming;
  const operation = operationOf(target);
  const report = createReport(incoming, options);

  const sent: Buffer[] = [];
  let sentBytes = 0;
  let isAnswered = false;

  /** The differences of a whole response, or why it is not held against the contract. */
  function judged(response: IncomingMessage, body: Buffer): Partial<ProxyEntry> {
    const { statusCode: status = 0, headers: received } = response;
    const decode = DECODERS[received['content-encoding']?.toLowerCase() ?? 'identity'];
    if (!operation || !decode) return { not_judged: 'an unknown encoding' };
    const call = { operation, method, target, headers, sent: Buffer.concat(sent) };
    try {
      const text = decode(body, { maxOutputLength: MAX_BYTES }).toString();
      return { differences: judge({ ...call, status, text }) };
    } catch (error) {
      // Such as a body that is not in its encoding. The call passes all the same.
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') return { not_judged: TOO_LARGE };
      return { not_judged: `a response that cannot be judged: ${message}` };
    }
  }

  /** Reads a response whole before it passes; one that is not judged passes as it comes. */
  async function receive(response: IncomingMessage): Promise<void> {
    const { statusCode: status = 0 } = response;
    copyHead(response, outgoing);
    isAnswered = true;
    let held: Buffer[] | undefined = [];
    let size = 0;
    const passOn = (why: string) => {
      report({ status, not_judged: why });
      // `flushHeaders` would write Latin-1 headers in UTF-8.
      for (const chunk of [Buffer.alloc(0), ...(held ?? [])]) outgoing.write(chunk);
      held = undefined;
    };
    const why = passedReason(operation, method, status);
    if (why !== undefined) passOn(why);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        held?.push(chunk);
        if (held && size > MAX_BYTES) passOn(TOO_LARGE);
        else if (!held && !outgoing.write(chunk)) await once(outgoing, 'drain');
      }
    } catch {
      if (held) passOn('the service cut its response');
      outgoing.socket?.destroySoon();
      return;
    }
    if (!held) return void outgoing.end();
    const body = Buffer.concat(held);
    const outcome = judged(response, body);
    if (outcome.differences) {
      outgoing.setHeader('Sandbox-Differences', outcome.differences.length);
    }
    report({ status, ...outcome });
    outgoing.end(body);
  }

  /** Responds for a service that did not. */
  function fail(error: unknown): void {
    if (isAnswered) return;
    const why = describeFailure(error);
    report({ not_judged: `the service ${why}` });
    if (!outgoing.headersSent) respondProblem(outgoing, 502, `${options.target} ${why}.`);
  }

  for (const name of [...HOP_BY_HOP, 'expect']) delete headers[name];
  const isFramed = headers['content-length'] ?? headers['transfer-encoding'];
  if (isFramed === undefined && !['GET', 'HEAD'].includes(method)) headers['content-length'] = '0';
  const proxy = createProxyServer({
    target: options.target,
    changeOrigin: true,
    // On a kept connection, a call can meet the service closing it.
    agent: false,
    selfHandleResponse: true,
  });
  proxy.on('proxyRes', (response) => void receive(response).catch(fail)).on('error', fail);
  proxy.on('proxyReq', (request) => {
    // httpxy reads the body from now on; an earlier reader would take it away.
    incoming.on('data', (chunk: Buffer) => {
      if (operation && sentBytes <= MAX_BODY_BYTES) sent.push(chunk);
      sentBytes += chunk.length;
    });
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) report({ not_judged: 'the client closed its connection' });
      request.destroy();
    });
  });
  // httpxy destroys the response that it is given when the service cuts its own: the client would miss what came.
  void proxy.web(incoming, new ServerResponse(incoming)).catch(fail);
}

/** Bytes in a reason phrase that Node reads but does not write. */
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Copies status and headers of a response. Node frames the body. */
function copyHead(response: IncomingMessage, outgoing: ServerResponse): void {
  const { statusCode = 0, statusMessage = '', headersDistinct } = response;
  outgoing.statusCode = statusCode;
  outgoing.statusMessage = statusMessage.replace(UNWRITABLE, ' ');
  outgoing.sendDate = false;
  for (const [name, values] of Object.entries(headersDistinct)) {
    const isOfConnection = name === 'transfer-encoding' || HOP_BY_HOP.includes(name);
    if (values && !isOfConnection) outgoing.setHeader(name, values);
  }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer, limits: ZlibOptions) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};
