import { isSendableKey } from '../api/activity.ts';
import { describeFailure } from '../contract/client.ts';
import { parseJson } from '../contract/json.ts';
import { CONTROL_PATH } from '../control/access.ts';

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

/** The sandbox refused a call of a tool. The message is for the agent. */
export class Refused extends Error {
  override readonly name = 'Refused';
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
  // biome-ignore lint/suspicious/noExplicitAny: the control plane declares what it responds
  overWorld(call: ControlCall, key: string | undefined): Promise<any>;
  /** An admin call. Throws `Refused`. */
  // biome-ignore lint/suspicious/noExplicitAny: the control plane declares what it responds
  overSandbox(call: ControlCall): Promise<any>;
}

/** @param signal aborts when the client gives up */
export function createCaller(host: McpHost, signal?: AbortSignal): Caller {
  const send = async (call: ControlCall, authorization: string | undefined) => {
    const response = await request(host, call, authorization, signal);
    const answer = parseJson(await response.text());
    if (response.ok && answer !== undefined) return answer;
    const { errors, detail } = Object(answer);
    if (Array.isArray(errors)) throw new Refused(errors.join('\n'));
    throw new Refused(
      detail ??
        `${host.url} responded with status ${response.status}, which no sandbox does. Is the URL right?`,
    );
  };
  return {
    overWorld(call, key = host.key) {
      if (key === undefined) {
        throw new Refused(
          'This sandbox has no demo merchant. Create one with create_merchant, and name its key.',
        );
      }
      if (isSendableKey(key)) return send(call, `Bearer ${key}`);
      throw new Refused('key must be printable ASCII text without spaces.');
    },
    overSandbox: (call) => send(call, host.adminAuthorization),
  };
}

const baseOf = ({ url, base = url }: McpHost): string => base;

async function request(
  host: McpHost,
  { method, path, query = {}, body }: ControlCall,
  authorization: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const url = new URL(`${baseOf(host)}${CONTROL_PATH}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers();
  if (authorization !== undefined) headers.set('authorization', authorization);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return reach(
    host,
    new Request(url, {
      method,
      headers,
      redirect: 'manual',
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

/** The text of a public document of the sandbox. Throws `Refused`. */
export async function readDocument(host: McpHost, path: string): Promise<string> {
  const response = await reach(host, new Request(baseOf(host) + path));
  const text = await response.text();
  if (response.ok) return text;
  throw new Refused(`${host.url}${path} responded with status ${response.status}.`);
}

async function reach(host: McpHost, request: Request): Promise<Response> {
  try {
    return await host.fetch(request);
  } catch (error) {
    throw new Refused(`${host.url} ${describeFailure(error)}.`);
  }
}
