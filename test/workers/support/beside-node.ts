import { afterAll, expect } from 'vitest';
import { startSandbox } from '../../../src/node/index.ts';
import { BASE, type Fetcher, START } from '../../support/client.ts';
import { ADMIN_TOKEN, send, sharedEngine } from './engine.ts';

/** What was answered, as far as two servers can agree about it. */
interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The same sandbox twice: served by Node, and by Cloudflare's engine. */
interface Pair {
  readonly node: Fetcher;
  readonly engine: Fetcher;
  /** Sends a request to both, holds the one answer against the other, and returns what both answered. */
  same(request: Request): Promise<Heard>;
}

/** Starts both with the same start and seed, and the built-in merchants. */
export async function startPair(): Promise<Pair> {
  const engine = await sharedEngine({
    SANDBOX_DEMO: '1',
    SANDBOX_SEED: '1',
    SANDBOX_PUBLIC_URL: BASE,
  });
  const server = await startSandbox({
    port: 0,
    now: START,
    clock: 'frozen',
    seed: 1,
    publicUrl: BASE,
    adminToken: ADMIN_TOKEN,
  });
  afterAll(() => server.close());
  const node = { fetch: (request: Request) => send(request, server.url) };
  return {
    node,
    engine,
    async same(request) {
      const [one, other] = await Promise.all([
        node.fetch(request.clone()).then(hear),
        engine.fetch(request).then(hear),
      ]);
      const place = firstDifference(one.text, other.text);
      const around = ({ text, ...rest }: Heard) => ({
        ...rest,
        text: text.slice(place, place + 200),
      });
      expect(around(other), `${request.method} ${request.url}`).toEqual(around(one));
      return one;
    },
  };
}

/** What says how an answer was carried, and not what it is. */
const TRANSPORT = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

async function hear(response: Response): Promise<Heard> {
  const headers = Object.fromEntries(response.headers);
  for (const name of TRANSPORT) delete headers[name];
  const text = (await response.text()).replaceAll(new URL(response.url).origin, BASE);
  return { status: response.status, headers, text: comparable(text) };
}

/**
 * A text without the headers of journalled requests, to which each transport adds its own, and without what the
 * inspector is told of the kind of its sandbox.
 */
const comparable = (text: string): string =>
  text
    .replaceAll(/("request":\{"headers":)\{[^{}]*\}/g, '$1{}')
    .replaceAll(/(&quot;(?:isSpread|isHosted|breaksConnections)&quot;:)(?:true|false)/g, '$1');

/** Where two texts part, or end: pages are long. */
function firstDifference(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return place;
}
