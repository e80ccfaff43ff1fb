/* The server of the proxy: its connections, its own journal page, and how it stops. */

import { lookup } from 'node:dns/promises';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline, Readable } from 'node:stream';
import { CONTROL_PATH, foreignCallerOf } from '../../control/access.ts';
import type { ProxyEntry } from '../../tools/proxy/index.ts';
import { type ReportUnreadable, refuseUnreadable } from '../client-errors.ts';
import { addressOf, listen, trackConnections } from '../connections.ts';
import { forward } from './answer.ts';
import {
  type HoldLimits,
  type ProxyContext,
  respondProblem,
  type Target,
  targetOf,
} from './call.ts';

export interface ProxyOptions extends Pick<ProxyContext, 'judge' | 'onEntry'> {
  /** The base URL of the service. */
  readonly target: string;
  readonly port: number;
  readonly host: string;
  readonly hold?: HoldLimits;
  /** Told about requests that are not valid HTTP, which never reach the service. */
  readonly refused: ReportUnreadable;
}

/** A running proxy. */
export interface ProxyServer {
  readonly url: string;
  readonly port: number;
  /** Accepts no new requests, gives pending ones a second, and closes all connections. */
  close(): Promise<void>;
}

const HOLD: HoldLimits = { maxBytes: 10_000_000, maxMs: 1000 };
/** The proxy's own path. All others belong to the service. */
export const JOURNAL_PATH = `${CONTROL_PATH}/journal`;
/** How long an idle connection stays open while the proxy closes. */
const QUIET_MS = 30;

/** Starts a proxy. Rejects with `ListenError` if the port or the address is not available. */
export async function startProxy({
  target,
  port,
  host,
  hold = HOLD,
  refused,
  ...rest
}: ProxyOptions): Promise<ProxyServer> {
  const context: ProxyContext = { target: await createTarget(target), hold, ...rest };
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isJournalCall =
      incoming.method === 'GET' && targetOf(incoming)?.split('?', 1)[0] === JOURNAL_PATH;
    if (isJournalCall) respondJournal(incoming, outgoing, context);
    else forward(incoming, outgoing, context);
  };
  const server = createServer(
    {
      // The service and the client set time limits.
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 60_000,
      keepAlive: true,
      requireHostHeader: false,
    },
    handle,
  );
  server.on('checkContinue', handle).on('checkExpectation', handle);
  refuseUnreadable(server, refused);
  const connections = trackConnections(server);
  await listen(server, port, host);
  return { ...addressOf(server), close: () => connections.end(QUIET_MS) };
}

/**
 * Sends the newest journal entries to clients on this machine, and the URL of the service for `check`.
 */
function respondJournal(
  { socket, headers, url = '' }: IncomingMessage,
  outgoing: ServerResponse,
  { target, judge }: ProxyContext,
): void {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  const { host, origin } = headers;
  const caller = foreignCallerOf(
    { remoteAddress: socket.remoteAddress, authority },
    {
      url: 'http://localhost',
      headers: new Headers({ host: host ?? '', ...(origin !== undefined && { origin }) }),
    },
  );
  if (caller) {
    respondProblem(outgoing, 403, 'The journal of the proxy is available from this machine only.');
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  // Streamed, so that a slow reader does not keep the whole text in memory.
  const pieces = Readable.from(journalPieces(target.url, judge.entries()));
  pipeline(pieces, outgoing, () => undefined);
}

/** The JSON of a journal, one entry at a time. */
function* journalPieces(target: string, entries: readonly ProxyEntry[]): Generator<string> {
  yield `{"target":${JSON.stringify(target)},"data":[`;
  for (const [place, entry] of entries.entries()) {
    yield `${place === 0 ? '' : ','}${JSON.stringify(entry)}`;
  }
  yield ']}';
}

/** The service at a base URL. TLS is loaded on demand. */
async function createTarget(base: string): Promise<Target> {
  const url = new URL(base);
  const isSecure = url.protocol === 'https:';
  const https = isSecure ? await import('node:https') : undefined;
  const hostname = hostnameOf(url);
  const basePath = url.pathname.replace(/(?<!\/)\/+$/, '');
  const where: RequestOptions = {
    host: hostname,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    ...(isSecure && isIP(hostname) === 0 && { servername: hostname }),
  };
  const agents = new WeakMap<Socket, Agent>();

  /** One upstream connection for each client connection, so that closing one can close the other. */
  function agentOf(client: Socket): Agent {
    const known = agents.get(client);
    if (known) return known;
    const options = { keepAlive: true, maxSockets: 1 };
    const agent = https ? new https.Agent(options) : new Agent(options);
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  }

  return {
    url: base,
    host: url.host,
    ask: (client, { path, ...options }) =>
      (https?.request ?? request)({
        ...where,
        ...options,
        path: path.startsWith('/') ? basePath + path : path,
        agent: agentOf(client),
      }),
  };
}

/** Whether a base URL points to a port of this machine. */
export async function leadsHere(base: string, port: number): Promise<boolean> {
  const url = new URL(base);
  if (url.protocol !== 'http:' || Number(url.port || 80) !== port) return false;
  const ownAddresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const addresses = new Set(['0.0.0.0', '::', ...ownAddresses.map(({ address }) => address)]);
  try {
    const found = await lookup(hostnameOf(url), { all: true });
    return found.some(({ address }) => addresses.has(address) || address.startsWith('127.'));
  } catch {
    return false;
  }
}

/** The host name, without the brackets of an IPv6 address. */
const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
