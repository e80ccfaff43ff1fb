import { getPath, getQueryParam } from 'hono/utils/url';
import type { Answer } from './sending.ts';

/** What a server can tell of a request besides the request itself. */
export interface Connection {
  /** Header names and values in turn, as they came. */
  readonly rawHeaders?: readonly string[];
  /** The address of the client. */
  readonly remoteAddress?: string | undefined;
  /** Makes the responses, where a server has something cheaper than Response. */
  readonly respond?: (answer: Answer) => Response;
}

/**
 * A call as an exchange reads it. Hono's context is one; for the paths that are found without Hono there
 * is `receive`, because that context alone is a quarter of the memory a quote touches.
 */
export interface Received {
  readonly env: Connection;
  readonly req: {
    readonly raw: Request;
    readonly method: string;
    readonly url: string;
    readonly path: string;
    header(name: string): string | undefined;
    query(): Record<string, string>;
    param(): Record<string, string>;
  };
}

export const receive = (raw: Request, env: Connection): Received => ({
  env,
  req: new ReceivedRequest(raw),
});

class ReceivedRequest {
  readonly raw: Request;
  readonly method: string;
  readonly url: string;
  readonly path: string;

  constructor(raw: Request) {
    this.raw = raw;
    this.method = raw.method;
    this.url = raw.url;
    this.path = getPath(raw);
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  query(): Record<string, string> {
    return getQueryParam(this.url) as Record<string, string>;
  }

  param(): Record<string, string> {
    return {};
  }
}
