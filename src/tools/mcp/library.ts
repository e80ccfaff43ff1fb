/* What is used of the MCP library. The build writes it to a file of its own, which is loaded on demand. */

export { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
