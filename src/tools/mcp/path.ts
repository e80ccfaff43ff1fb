/* Where the Model Context Protocol is served, in its own file so that naming it loads no tools. */

export const MCP_PATH = '/_sandbox/mcp';
