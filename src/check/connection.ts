import type { Redact } from './redact.ts';

/** Sends a request over whatever the check was given: a socket, or a sandbox in this process. */
export type Fetch = (request: Request) => Promise<Response>;

/** Time, as the check needs it. */
export interface Time {
  now(): number;
  /** Resolves after that many milliseconds, or as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** An answer, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON it holds; undefined if it holds none. */
  readonly body: unknown;
}

/** Why there is no answer, in words that follow the address. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}

export type Send = (request: Request) => Promise<Reply>;

/** Sends one request after another, no more than `rps` of them a second, and waits for none longer than `timeout`. */
export function createConnection(
  fetch: Fetch,
  time: Time,
  { rps, timeout }: { readonly rps: number | undefined; readonly timeout: number },
  redact: Redact,
): Send {
  let free = Number.NEGATIVE_INFINITY;
  return async (request) => {
    if (rps !== undefined) {
      const now = time.now();
      const at = Math.max(now, free);
      free = at + 1000 / rps;
      if (at > now) await time.wait(at - now);
    }
    const stop = new AbortController();
    const done = new AbortController();
    const late = time.wait(timeout, done.signal).then(() => undefined);
    const reply = read(fetch, new Request(request, { signal: stop.signal }), redact);
    try {
      const first = await Promise.race([reply, late]);
      if (first) return first;
      stop.abort(null);
      // Whatever still comes of it is of no interest.
      reply.catch(() => undefined);
      throw new NoReply(`gave no whole answer within ${timeout} ms`);
    } finally {
      // With a reason of its own, an abort makes no exception with a stack.
      done.abort(null);
    }
  };
}

async function read(fetch: Fetch, request: Request, redact: Redact): Promise<Reply> {
  try {
    const response = await fetch(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  } catch (error) {
    throw new NoReply(redact(reason(error)));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'refused the connection: nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'has a host name that no address is known of'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'can not be reached'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated|closed|lost/i, 'cut the connection'],
  [/HPE_|Parse Error/, 'answered something that is not HTTP'],
  [/ERR_SSL|EPROTO|WRONG_VERSION/, 'does not speak TLS, which https asks for'],
  [/CERT|TLS|self.signed/i, 'has a certificate that is not trusted'],
];

/** Why a request failed, told from the codes and messages that runtimes put into errors. */
function reason(error: unknown): string {
  const said: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    said.push(`${(each as { code?: unknown }).code ?? ''} ${each.message}`.trim());
    const { errors } = each as { errors?: unknown };
    if (Array.isArray(errors)) said.push(String(errors[0]?.code ?? ''));
  }
  const known = REASONS.find(([pattern]) => pattern.test(said.slice().reverse().join(' ')));
  return known?.[1] ?? `could not be asked: ${said.at(-1) ?? String(error)}`;
}
