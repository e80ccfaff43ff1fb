import { createJudge, type ProxyEntry } from '../../src/tools/proxy/index.ts';
import type { Json } from '../check/mutants/mutate.ts';
import {
  type CallInit,
  createDemoClient,
  operationOf,
  requestOf,
  START,
} from '../support/client.ts';

/** A response of the service that can still be changed. */
export interface Answer {
  status: number;
  readonly headers: Headers;
  body: Json;
}

export interface Found extends ProxyEntry {
  /** The original response of the sandbox. */
  readonly body: Json;
  /** `path: expected, seen`, one for each difference. */
  readonly lines: readonly string[];
}

/** A sandbox in this process whose calls are compared as in a proxy, both under a profile. A change makes it differ. */
export function judgedSandbox(decisions: Readonly<Record<string, unknown>> = {}) {
  const profile = { version: 1, decisions };
  const client = createDemoClient({ profile });
  const judge = createJudge({ target: 'http://service', profile });
  let change: (answer: Answer) => void = () => undefined;
  return {
    client,
    judge,
    /** Changes all later responses. */
    change(next: (answer: Answer) => void) {
      change = next;
    },
    /** Calls an operation and returns the findings. */
    async call(operationId: string, input: unknown = {}, init: CallInit = {}): Promise<Found> {
      const { apiKey } = client.merchant;
      const request = requestOf(operationOf(operationId), 'http://service', apiKey, input, init);
      const sent = new Uint8Array(await request.clone().arrayBuffer());
      const response = await client.sandbox.fetch(request);
      const text = await response.text();
      const { status, headers } = response;
      const answer: Answer = { status, headers: new Headers(headers), body: JSON.parse(text) };
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
          responseText: JSON.stringify(answer.body),
        },
      );
      const lines = entry.differences.map(
        ({ path, expected, seen }) => `${path}: ${expected}, ${seen}`,
      );
      return { ...entry, body: JSON.parse(text), lines };
    },
  };
}

/** The places of the findings, without positions. */
export const pathsOf = ({ differences }: ProxyEntry): string[] =>
  differences.map(({ path }) => path.replace(/\[\d+\]/g, '[]'));
