import { createJudge, type ProxyEntry, type ProxyJudge } from '../../src/contract/proxy/index.ts';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { type Client, clientOf, operationOf, requestOf, START } from '../support/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: any part of any body is changed here
type Json = any;

/** What a service answers, while it can still be changed. */
export interface Answer {
  status: number;
  readonly headers: Headers;
  body: Json;
}

/** A sandbox whose calls a proxy would judge, in this process; a change makes it differ. */
export interface Judged {
  readonly client: Client;
  readonly judge: ProxyJudge;
  /** Calls an operation, and answers what was found in the exchange. */
  call(
    operationId: string,
    input?: unknown,
    init?: Parameters<typeof requestOf>[4],
  ): Promise<Found>;
  /** From now on answers are changed so. */
  change(change: (answer: Answer) => void): void;
}

export interface Found extends ProxyEntry {
  /** The answer of the sandbox, before it was changed. */
  readonly body: Json;
  /** `path: expected, seen`, one for each difference. */
  readonly lines: readonly string[];
}

export function judgedSandbox(options: SandboxOptions = {}, profile?: unknown): Judged {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7, ...options });
  const client = clientOf(sandbox, sandbox.merchant('sk_sandbox_demo'));
  const judge = createJudge({ target: 'http://service', profile });
  let change: (answer: Answer) => void = () => undefined;
  return {
    client,
    judge,
    change(next) {
      change = next;
    },
    async call(operationId, input = {}, init = {}) {
      const operation = operationOf(operationId);
      const request = requestOf(operation, 'http://service', client.merchant.apiKey, input, init);
      const sent = new Uint8Array(await request.clone().arrayBuffer());
      const response = await sandbox.fetch(request);
      const text = await response.text();
      const body = JSON.parse(text);
      const answer: Answer = {
        status: response.status,
        headers: new Headers(response.headers),
        body: JSON.parse(text),
      };
      change(answer);
      const { pathname, search } = new URL(request.url);
      const proxied = {
        method: request.method,
        target: pathname + search,
        headers: [...request.headers].flat(),
      };
      const call = judge.callOf(proxied);
      if (!call) throw new Error(`The judge knows no ${pathname}`);
      const entry = await judge.judge(
        { request: proxied, call, startedAt: Date.parse(START) },
        {
          ...proxied,
          sent,
          sentBytes: sent.length,
          status: answer.status,
          responseHeaders: [...answer.headers].flat(),
          responseText: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
        },
      );
      const lines = entry.differences.map(
        ({ path, expected, seen }) => `${path}: ${expected}, ${seen}`,
      );
      return { ...entry, body, lines };
    },
  };
}

/** The places of what was found. */
export const pathsOf = ({ differences }: ProxyEntry): string[] =>
  differences.map(({ path }) => path.replace(/\[\d+\]/g, '[]'));
