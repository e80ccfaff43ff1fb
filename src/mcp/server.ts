import type { z } from '@hono/zod-openapi';
import { VERSION } from '../version.ts';
import { formatIssues } from '../world/problem-texts.ts';
import { createCaller, type McpHost, Refused } from './host.ts';
import type { McpServer } from './library.ts';
import { RESOURCES } from './resources.ts';
import { TOOLS } from './tools.ts';

/** Creates the MCP server of a sandbox. It holds nothing, so every connection or request may have its own. */
export async function createMcpServer(host: McpHost): Promise<McpServer> {
  const { McpServer } = await import('./library.ts');
  const server = new McpServer(
    { name: 'micro-insurance-sandbox', version: VERSION },
    { instructions: instructions(host) },
  );
  for (const { name, title, description, input, readOnly, run } of TOOLS) {
    const annotations = {
      readOnlyHint: readOnly,
      destructiveHint: name === 'reset',
      openWorldHint: false,
    };
    const config = { title, description, inputSchema: readable(input), annotations };
    server.registerTool(name, config, async (given, { mcpReq }) => {
      try {
        return saying(await run(given, createCaller(host, mcpReq.signal)));
      } catch (error) {
        if (error instanceof Refused) return { ...saying(error.message), isError: true };
        throw error;
      }
    });
  }
  addResources(server, host);
  return server;
}

/** The same schema. Its problems read like those of the control plane. */
const readable = (input: z.ZodObject) => ({
  '~standard': {
    ...input['~standard'],
    validate(value: unknown) {
      const { success, data, error } = input.safeParse(value);
      if (success) return { value: data };
      return { issues: formatIssues(value, error).map((message) => ({ message })) };
    },
  },
});

const saying = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const keyText = ({ key }: McpHost): string =>
  key === undefined ? 'create a merchant first, with create_merchant' : key;

const instructions = (host: McpHost): string =>
  `A local stand-in for a micro-insurance provider's merchant API, to develop and test against.

Base URL: ${host.url}
API key: ${keyText(host)} (header "Authorization: Bearer KEY")
If nothing responds at this URL, the resource sandbox://address has the current one.

Read the resource sandbox://llms.txt first: it has the requests of every purchase, ready to copy. Your code calls the base URL over HTTP; these tools show what it called and why it was refused, move the clock, and make calls fail. All tools act on the merchant of this key unless you give them another one.`;

function addResources(server: McpServer, host: McpHost): void {
  for (const { name, read, ...about } of RESOURCES) {
    server.registerResource(name, `sandbox://${name}`, about, async ({ href: uri }) => ({
      contents: [{ uri, mimeType: about.mimeType, text: await read(host) }],
    }));
  }
}
