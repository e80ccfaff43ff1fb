import type { z } from '@hono/zod-openapi';
import { isSendableKey } from '../../api/activity.ts';
import { CONTROL_PATH } from '../../control/access.ts';
import { describeFailure } from '../../kit/failed-call.ts';
import { parseJson } from '../../scenarios/json.ts';
import { printable } from '../../world/printable.ts';
import { Refusal } from './answers.ts';

/** The sandbox that an MCP server works on. */
export interface McpHost {
  /** Its base URL without a trailing slash, as programs reach it. */
  readonly url: string;
  /** The base URL of the calls of tools, if it is another one. */
  readonly base?: string;
  /** The key of the merchant that tools act on; undefined if they have to name one. */
  readonly key: string | undefined;
  /** The `Authorization` header of admin calls, if they have one. */
  readonly adminAuthorization: string | undefined;
  fetch(request: Request): Promise<Response>;
}

/** A tool cannot do what it was asked. The problems are for the agent. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** A line each. */
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

interface ControlCall {
  readonly method: 'GET' | 'POST';
  /** Below `/_sandbox`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends control calls for one tool. */
export interface Caller {
  /** A call on the World of a key. Throws `Refused`. */
  overWorld<T>(call: ControlCall, answer: z.ZodType<T>, key: string | undefined): Promise<T>;
  /** An admin call. Throws `Refused`. */
  overSandbox<T>(call: ControlCall, answer: z.ZodType<T>): Promise<T>;
}

/** @param signal aborts when the client gives up */
export function createCaller(host: McpHost, signal?: AbortSignal): Caller {
  const send = async <T>(
    call: ControlCall,
    answer: z.ZodType<T>,
    authorization: string | undefined,
    withoutRights: string,
  ): Promise<T> => {
    const received = await reach(host, requestOf(host, call, authorization, signal));
    const body = parseJson(received.text);
    const read = answer.safeParse(body);
    if (received.isOk && read.success) return read.data;
    if (TOO_LARGE.includes(received.status)) throw new Refused('The arguments are too large.');
    const refusal = Refusal.safeParse(body).data;
    if (refusal?.status !== received.status) throw noSandbox(host, received);
    if (refusal.status === 401) throw new Refused(withoutRights);
    throw new Refused(...(refusal.errors ?? [refusal.detail]).map(namingTools));
  };
  return {
    overWorld(call, answer, given) {
      const key = given ?? host.key;
      if (key === undefined) {
        throw new Refused(
          'This sandbox has no demo merchant. Create one with create_merchant, and name its key.',
        );
      }
      if (!isSendableKey(key)) {
        throw new Refused('key must be printable ASCII text without spaces.');
      }
      const whose = given === undefined ? 'the key of this connection' : 'this key';
      return send(
        call,
        answer,
        `Bearer ${key}`,
        `key: A merchant's API key is required, and no merchant has ${whose}. create_merchant makes a merchant with a key.`,
      );
    },
    overSandbox: (call, answer) =>
      send(
        call,
        answer,
        host.adminAuthorization,
        'The admin token is required. Set SANDBOX_ADMIN_TOKEN for the command, or send the token as the key of the endpoint.',
      ),
  };
}

/** What servers say to a body, a URL or headers beyond their limits. */
const TOO_LARGE: readonly number[] = [413, 414, 431];

/** What an agent uses in the place of control-plane requests that a refusal names. */
const TOOLS: Readonly<Record<string, string>> = {
  [`POST ${CONTROL_PATH}/reset`]: 'reset',
  [`DELETE ${CONTROL_PATH}/faults`]: 'reset',
};

const namingTools = (problem: string): string =>
  printable(
    problem.replace(/(?:POST|DELETE) \/_sandbox\/\w+/g, (request) => TOOLS[request] ?? request),
  );

const baseOf = ({ url, base = url }: McpHost): string => base;

function requestOf(
  host: McpHost,
  { method, path, query = {}, body }: ControlCall,
  authorization: string | undefined,
  signal: AbortSignal | undefined,
): Request {
  const url = new URL(`${baseOf(host)}${CONTROL_PATH}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers();
  if (authorization !== undefined) headers.set('authorization', authorization);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return new Request(url, {
    method,
    headers,
    redirect: 'manual',
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The text of a public document of the sandbox. Throws `Refused`. */
export async function readDocument(host: McpHost, path: string, type: string): Promise<string> {
  const received = await reach(host, new Request(baseOf(host) + path, { redirect: 'manual' }));
  if (received.isOk && received.type.startsWith(type)) return received.text;
  throw noSandbox(host, received);
}

interface Received {
  readonly status: number;
  readonly isOk: boolean;
  readonly type: string;
  readonly text: string;
}

const noSandbox = ({ url }: McpHost, { status }: Received): Refused =>
  new Refused(
    `${url} responded with status ${status} in a way which no sandbox does. Is the URL right?`,
  );

async function reach(host: McpHost, request: Request): Promise<Received> {
  try {
    const response = await host.fetch(request);
    const { status, ok: isOk, headers } = response;
    return { status, isOk, type: headers.get('content-type') ?? '', text: await response.text() };
  } catch (error) {
    throw new Refused(printable(`${host.url} ${describeFailure(error)}.`));
  }
}
