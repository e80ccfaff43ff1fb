/* One request that goes through the proxy: answered, refused or cut off, and reported once. */

import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ProxyEntry, ProxyJudge, TimedCall } from '../../tools/proxy/index.ts';
import { systemNow } from '../../world/clock.ts';
import { UnusableAnswer } from './headers.ts';

/** The service behind the proxy. */
export interface Target {
  /** Its URL, for messages. */
  readonly url: string;
  /** The value of the Host header. */
  readonly host: string;
  /** Sends a request on the upstream connection that belongs to a client's connection. */
  ask(client: Socket, options: RequestOptions & { readonly path: string }): ClientRequest;
}

/** Within these limits a response is held back until it is complete, so that a header can count its differences. */
export interface HoldLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** Shared by all requests to a proxy. */
export interface ProxyContext {
  readonly target: Target;
  readonly judge: ProxyJudge;
  readonly hold: HoldLimits;
  /** Called once for each request, with its result. */
  onEntry(entry: ProxyEntry): void;
}

/** A request that goes through the proxy, with its response. */
export class ProxiedCall {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly context: ProxyContext;
  readonly timed: TimedCall;
  /** The request to the service, once there is one. */
  upstream: ClientRequest | undefined;
  #isReported = false;
  #hasFailed = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, context: ProxyContext) {
    const { method = 'GET', url = '/', rawHeaders: headers } = incoming;
    // A target without a path may contain a user.
    const target = targetOf(incoming) ?? url.replace(/\/\/[^/?#]*@/, '//');
    const request = { method, target, headers };
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.context = context;
    this.timed = { request, call: context.judge.callOf(request), startedAt: systemNow() };
  }

  /** Reports the result of the request. Only the first report counts. */
  report(entry: () => ProxyEntry): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.context.onEntry(entry());
  }

  /** Reports that the request is not compared, and why. */
  pass(status: number | null, why: string): void {
    this.report(() => this.context.judge.pass(this.timed, status, why));
  }

  /**
   * Responds in place of the service.
   *
   * @param why for the journal; follows "not compared: "
   * @param detail for the client, as a sentence
   */
  refuse(status: number, why: string, detail: string): void {
    this.pass(status, why);
    respondProblem(this.outgoing, status, detail);
  }

  /** @param why follows the name of the service */
  refuseOfService(status: number, why: string): void {
    this.refuse(status, `the service ${why}`, `${this.context.target.url} ${why}.`);
  }

  /** Responds with 502 if the service sent no response, or none that can be returned. */
  badGateway(why: string): void {
    // The client's connection stays open, because the proxy's own response keeps it alive.
    if (this.upstream?.socket) tied.delete(this.upstream.socket);
    this.refuseOfService(502, why);
  }

  /** Ends the connection in the middle of the response, after the written bytes. */
  cutOff(): void {
    this.outgoing.flushHeaders();
    if (this.outgoing.socket) this.outgoing.socket.destroySoon();
    else this.outgoing.destroy();
  }

  /** Wraps an event handler. An error in it ends only this request, and none of its handlers runs afterwards. */
  guarded<Args extends unknown[]>(handler: (...args: Args) => unknown): (...args: Args) => void {
    return (...args) => {
      if (this.#hasFailed) return;
      try {
        const done = handler(...args);
        if (done instanceof Promise) done.catch((error) => this.#fail(error));
      } catch (error) {
        this.#fail(error);
      }
    };
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const { incoming, outgoing, upstream } = this;
    if (upstream) incoming.unpipe(upstream).resume();
    upstream?.destroy();
    const { message } = error as Error;
    const why = error instanceof UnusableAnswer ? message : `could not be proxied: ${message}`;
    if (outgoing.headersSent) {
      this.cutOff();
      this.pass(outgoing.statusCode, `the service ${why}`);
    } else this.badGateway(why);
  }

  /** Closes the client's idle connection when the service closes its own. Returns a test for being connected. */
  watchConnection(upstream: ClientRequest): () => boolean {
    const { outgoing } = this;
    const client = this.incoming.socket;
    let isConnected = false;
    upstream.on('socket', (socket) => {
      if (tied.has(socket)) {
        isConnected = true;
        return;
      }
      tied.add(socket);
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
      socket.once('close', () => {
        if (tied.has(socket) && outgoing.writableFinished && !busy.has(client)) {
          client.destroySoon();
        }
      });
    });
    busy.set(client, (busy.get(client) ?? 0) + 1);
    outgoing.once('close', () => {
      const left = (busy.get(client) ?? 1) - 1;
      if (left === 0) busy.delete(client);
      else busy.set(client, left);
    });
    return () => isConnected;
  }
}

/** Upstream connections that end together with a client's connection. */
const tied = new WeakSet<Socket>();

/** The number of pending requests on each client's connection. */
const busy = new WeakMap<Socket, number>();

/**
 * Path and query; undefined if there is no path. Clients that use this as a forward proxy send a complete URL.
 */
export function targetOf({ method, url = '/' }: IncomingMessage): string | undefined {
  if (url === '*' && method === 'OPTIONS') return url;
  return /^(?:https?:\/\/[^/?#]*)?(\/.*)$/i.exec(url)?.[1];
}

/** Sends a problem document (RFC 9457). */
export function respondProblem(outgoing: ServerResponse, status: number, detail: string): void {
  const title = STATUS_CODES[status];
  const text = JSON.stringify({ type: 'about:blank', title, status, detail });
  outgoing.writeHead(status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(text),
  });
  outgoing.end(text);
}
