/* How tools call the sandbox of an MCP server. */

import { ConnectError } from '../../connect/connect-error.ts';
import {
  type ControlArguments,
  type ControlClient,
  type ControlRoute,
  type ControlServer,
  createControlClient,
  reach,
} from '../../connect/control-client.ts';
import { sendOver } from '../../connect/receive.ts';
import { ControlError } from '../../control/control-error.ts';
import type { ControlCalls } from '../../types/control-wire.ts';
import { isSendableKey } from '../../world/merchants.ts';
import { printable } from '../../world/printable.ts';

/** The sandbox that an MCP server works on. */
export interface McpHost {
  /** Its base URL without a trailing slash, as programs reach it. */
  readonly url: string;
  /** The base URL of the calls of tools, if it is another one. */
  readonly base?: string;
  /** The key of the merchant that tools act on; undefined if they have to name one. */
  readonly key: string | undefined;
  /** The token of admin calls, if they have one. */
  readonly adminToken: string | undefined;
  /** Aborts when the client of a POST has left. Without it, the library reports when a client gives up. */
  readonly signal?: AbortSignal;
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

/** Sends control calls for one tool. */
export interface Caller {
  /** A call over the World of a key. Throws `Refused`. */
  overWorld<R extends ControlRoute>(
    key: string | undefined,
    route: R,
    ...input: ControlArguments<R>
  ): Promise<ControlCalls[R]['response']>;
  /** An admin call. Throws `Refused`. */
  overSandbox<R extends ControlRoute>(
    route: R,
    ...input: ControlArguments<R>
  ): Promise<ControlCalls[R]['response']>;
}

/** @param signal aborts when the client gives up */
export function createCaller(host: McpHost, signal?: AbortSignal): Caller {
  const control = (token: string | undefined): ControlClient =>
    createControlClient({ ...serverOf(host), token, signal: host.signal ?? signal });
  return {
    overWorld(given, route, ...input) {
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
      return refusing(
        control(key)(route, ...input),
        `key: A merchant's API key is required, and no merchant has ${whose}. create_merchant makes a merchant with a key.`,
      );
    },
    overSandbox: (route, ...input) =>
      refusing(
        control(host.adminToken)(route, ...input),
        'The admin token is required. Set SANDBOX_ADMIN_TOKEN for the command, or send the token as the key of the endpoint.',
      ),
  };
}

const serverOf = ({ url, base, fetch }: McpHost): ControlServer => ({
  url,
  base,
  send: sendOver(fetch),
});

/** Tells an agent why a call failed. Throws `Refused`. */
async function refusing<Answer>(call: Promise<Answer>, withoutRights?: string): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof ConnectError)) throw error;
    const { status = 0, message } = error;
    if (TOO_LARGE.includes(status)) throw new Refused('The arguments are too large.');
    if (error instanceof ConnectError) throw new Refused(printable(message));
    if (status === 401 && withoutRights !== undefined) throw new Refused(withoutRights);
    throw new Refused(...error.problems.map(printable));
  }
}

/** What servers say to a body, a URL or headers beyond their limits. */
const TOO_LARGE: readonly number[] = [413, 414, 431];

/** The text of a public document of the sandbox. Throws `Refused`. */
export const readDocument = (host: McpHost, path: string, type: string): Promise<string> =>
  refusing(readText(serverOf(host), path, type));

async function readText(server: ControlServer, path: string, type: string): Promise<string> {
  const { url, base = url } = server;
  const request = new Request(base + path, { redirect: 'manual' });
  const { status, headers, text } = await reach(server, request);
  if (status < 300 && headers.get('content-type')?.startsWith(type)) return text;
  throw ConnectError.notASandbox(url, status);
}
