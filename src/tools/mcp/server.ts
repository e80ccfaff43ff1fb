/* The MCP server: offers tools and resources, and tells agents why a call was refused. */

import type { z } from '@hono/zod-openapi';
import { VERSION } from '../../types/version.ts';
import { printable } from '../../world/printable.ts';
import { didYouMean, formatIssues, truncate } from '../../world/problem-texts.ts';
import { fitted } from './arguments.ts';
import { createCaller, type McpHost, Refused } from './host.ts';
import type { McpServer } from './library.ts';
import { checkRequests, INVALID_PARAMS } from './requests.ts';
import { RESOURCES } from './resources.ts';
import { TOOLS, type Tool } from './tools.ts';

/** Creates the MCP server of a sandbox. It holds nothing, so every connection or request may have its own. */
export async function createMcpServer(host: McpHost): Promise<McpServer> {
  const { McpServer, ProtocolError, specTypeSchemas } = await import('./library.ts');
  const server = new McpServer(
    { name: 'micro-insurance-sandbox', version: VERSION },
    { instructions: instructions(host) },
  );
  checkRequests(server, specTypeSchemas);
  const uncalled = () => saying('');
  for (const { name, title, description, input, annotations } of TOOLS) {
    const config = { title, description, inputSchema: unchecked(input), annotations };
    server.registerTool(name, config, uncalled);
  }
  // In place of the library's handler, which finds `__proto__` and `constructor` among its tools.
  server.server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(INVALID_PARAMS, unknownTool(params.name));
    try {
      const caller = createCaller(host, mcpReq.signal);
      return saying(await tool.run(argumentsOf(tool, params.arguments), caller));
    } catch (error) {
      return { ...saying(refusalText(tool.name, error)), isError: true };
    }
  });
  addResources(server, host);
  return server;
}

function unknownTool(name: string): string {
  const names = TOOLS.map((tool) => tool.name);
  return `Unknown tool ${truncate(name)}${didYouMean(name, names, `; known: ${names.join(', ')}.`)}`;
}

/** The same schema for agents to read. `argumentsOf` checks the arguments. */
const unchecked = (input: z.ZodObject) => ({
  '~standard': { ...input['~standard'], validate: (value: unknown) => ({ value }) },
});

/** Throws `Refused` with every problem. */
function argumentsOf({ input }: Tool, given: unknown = {}): z.output<z.ZodObject> {
  const fit = fitted(input, given);
  const { success, data, error } = input.safeParse(fit);
  if (success) return data;
  throw new Refused(...formatIssues(fit, error, 'the arguments'));
}

function refusalText(tool: string, error: unknown): string {
  if (!(error instanceof Refused)) {
    const what = error instanceof Error ? error.message : String(error);
    return printable(`${tool}: The tool has a defect, please report it: ${what}`);
  }
  const [problem = '', ...more] = error.problems;
  if (more.length === 0) return `${tool}: ${problem}`;
  return [`${tool}:`, ...error.problems.map((each) => `  ${each}`)].join('\n');
}

const saying = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const keyText = ({ key }: McpHost): string =>
  key === undefined ? 'create a merchant first, with create_merchant' : printable(key);

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
