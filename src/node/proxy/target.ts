import { lookup } from 'node:dns/promises';
import { Agent, type ClientRequest, type RequestOptions, request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The service that calls go on to. */
export interface Target {
  /** As messages name it. */
  readonly url: string;
  /** What it is called in `Host`. */
  readonly host: string;
  /** Asks it over the connection that belongs to a client's own. */
  ask(client: Socket, options: RequestOptions & { readonly path: string }): ClientRequest;
}

/** Prepares to ask the service at a base address. TLS is loaded where it is used. */
export async function createTarget(base: string): Promise<Target> {
  const url = new URL(base);
  const isSecure = url.protocol === 'https:';
  const https = isSecure ? await import('node:https') : undefined;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const basePath = url.pathname.replace(/(?<!\/)\/+$/, '');
  const where: RequestOptions = {
    host: hostname,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    ...(isSecure && isIP(hostname) === 0 && { servername: hostname }),
  };
  const agents = new WeakMap<Socket, Agent>();

  /** One connection for each of a client's: what the service does to it can be done to the client's. */
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

/** Whether a base address leads to that port of this very machine. */
export async function leadsHere(base: string, port: number): Promise<boolean> {
  const { protocol, hostname, port: given } = new URL(base);
  if (protocol !== 'http:' || Number(given || 80) !== port) return false;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const addresses = new Set(['0.0.0.0', '::', ...own.map(({ address }) => address)]);
  try {
    const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    return found.some(({ address }) => addresses.has(address) || address.startsWith('127.'));
  } catch {
    return false;
  }
}
