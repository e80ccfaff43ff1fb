/* What is used of the MCP library. The build writes it to a file of its own, which is loaded on demand. */

export {
  createMcpHandler,
  McpServer,
  ProtocolError,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
