import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { ProxyEntry, ProxyJudge } from '../contract/proxy/index.ts';
import { strangerOf } from '../control/access.ts';
import { CONTROL_PATH } from '../control/app.ts';
import { trackConnections } from './connections.ts';
import { listen, reachable } from './listen.ts';
import type { ForwardContext, HoldLimits } from './proxy/call.ts';
import { forward, targetOf } from './proxy/forward.ts';
import { respondProblem } from './proxy/problem.ts';
import { createTarget } from './proxy/target.ts';

export interface ProxyOptions {
  /** The base address of the service. */
  readonly target: string;
  readonly port: number;
  readonly host: string;
  readonly judge: ProxyJudge;
  readonly hold?: HoldLimits;
  /** Called once for each call, when what became of it is known. */
  told(entry: ProxyEntry): void;
}

/** A proxy that answers over a socket. */
export interface ProxyServer {
  readonly url: string;
  readonly port: number;
  /** Takes no more calls, gives those under way a second, and leaves nothing open. */
  close(): Promise<void>;
}

const HOLD: HoldLimits = { maxBytes: 10_000_000, maxMs: 1000 };
/** The one path that is the proxy's own; every other one is the service's. */
const JOURNAL_PATH = `${CONTROL_PATH}/journal`;
/** How long a connection stays open for its client's next request once the proxy closes. */
const QUIET_MS = 30;

/** Starts a proxy. Rejects with `ListenError` where the port or the address can't be had. */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const { target, port, host, judge, hold = HOLD, told } = options;
  const context: ForwardContext = { target: await createTarget(target), judge, hold, told };
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (isJournalCall(incoming)) respondJournal(incoming, outgoing, options);
    else forward(incoming, outgoing, context);
  };
  const server = createServer(
    {
      // When a connection ends, and how long a call may take, is for the service and the client to say.
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 60_000,
      keepAlive: true,
      requireHostHeader: false,
    },
    handle,
  );
  server.on('checkContinue', handle).on('checkExpectation', handle);
  const connections = trackConnections(server);
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${reachable(address)}:${address.port}`,
    port: address.port,
    close: () => connections.end(QUIET_MS),
  };
}

const isJournalCall = (incoming: IncomingMessage): boolean =>
  incoming.method === 'GET' && targetOf(incoming)?.split('?', 1)[0] === JOURNAL_PATH;

/**
 * What was seen lately, for whoever sits at this machine; and of which service, so that a check knows whom it
 * asks.
 */
function respondJournal(
  { socket, headers, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { target, judge }: Pick<ProxyOptions, 'target' | 'judge'>,
): void {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  const { host, origin } = headers;
  const stranger = strangerOf(
    { remoteAddress: socket.remoteAddress, authority },
    {
      url: 'http://localhost',
      headers: new Headers({ host: host ?? '', ...(origin !== undefined && { origin }) }),
    },
  );
  if (stranger) {
    respondProblem(outgoing, 403, 'The journal of a proxy is shown to this machine only.');
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  // In pieces as they are read: many readers that read nothing would hold the whole text many times.
  const pieces = Readable.from(journalPieces(target, judge.entries()));
  pipeline(pieces, outgoing, () => undefined);
}

/** The JSON of a journal, an entry at a time. */
function* journalPieces(target: string, entries: readonly ProxyEntry[]): Generator<string> {
  yield `{"target":${JSON.stringify(target)},"data":[`;
  for (const [place, entry] of entries.entries()) {
    yield `${place === 0 ? '' : ','}${JSON.stringify(entry)}`;
  }
  yield ']}';
}
