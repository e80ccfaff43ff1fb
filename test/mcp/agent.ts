import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { PROGRAM } from '../node/command.ts';

/** The revisions of the protocol: with the handshake, and without. */
export const REVISIONS = ['legacy', { pin: '2026-07-28' }] as const;

/** What an agent does with an MCP server. */
export interface Agent {
  readonly client: Client;
  /** Calls a tool and returns its text. Throws the text of an error. */
  use(tool: string, input?: Record<string, unknown>): Promise<string>;
  /** The text of a resource. */
  read(name: string): Promise<string>;
}

type Mode = NonNullable<NonNullable<ClientOptions['versionNegotiation']>['mode']>;

/** Connects an agent. It disconnects when the test ends. */
export async function connect(
  transport: Parameters<Client['connect']>[0],
  mode: Mode = 'legacy',
): Promise<Agent> {
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    { versionNegotiation: { mode } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    async use(name, input = {}) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      const text = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
      if (result.isError) throw new Error(text);
      return text;
    },
    async read(name) {
      const { contents } = await client.readResource({ uri: `sandbox://${name}` });
      return contents.map((each) => ('text' in each ? each.text : '')).join('');
    },
  };
}

/** Connects an agent to a sandbox in this process, over HTTP. */
export const connectTo = (
  sandbox: { readonly fetch: typeof fetch },
  { key, mode }: { readonly key?: string; readonly mode?: Mode } = {},
): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL('http://sandbox/_sandbox/mcp'), {
      fetch: (input, init) => sandbox.fetch(input, init),
      ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    }),
    mode,
  );

/** The command as agents start it. */
export const transportTo = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: { PATH: process.env.PATH as string, ...env },
  });
