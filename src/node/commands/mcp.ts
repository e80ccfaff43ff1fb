/* `mcp`: serves a sandbox to agents over standard input and output. */

import { DEMO_KEY } from '../../control/access.ts';
import { type OptionGroups, RUN } from '../../start-options.ts';
import type { McpHost } from '../../tools/mcp/host.ts';
import type { Environment } from '../../world/platform.ts';
import {
  merchantKey,
  type Subcommand,
  sandboxAddress,
  secretIn,
  type Terminal,
  tell,
} from '../command.ts';
import { startServer } from '../serve.ts';

const OPTIONS: OptionGroups = {
  Sandbox: [['--url <U>', 'URL of a running sandbox', 'starts one on a free port']],
};

export const mcp: Subcommand = {
  usage: '[flags]',
  description:
    'Serve the Model Context Protocol on standard input and output, for coding agents.\n\n' +
    'An agent sees what its program called and why it was refused, moves the clock and makes calls fail. Without --url, the command starts a sandbox and tells the agent its address; the sandbox ends with it. The command ends when its input closes.\n\n' +
    'With --url, SANDBOX_KEY has the key of the merchant to act on (default: the demo merchant), and SANDBOX_ADMIN_TOKEN the token for creating merchants.',
  options: OPTIONS,
  more: {
    'Exit codes': [
      '0  the input was closed',
      '1  a message beyond 10 MB, or an unexpected error',
      '2  invalid option',
    ],
    Examples: [
      `${RUN} mcp`,
      `${RUN} mcp --url http://127.0.0.1:4015`,
      `claude mcp add sandbox -- ${RUN} mcp`,
    ],
  },
  argumentRefusal: () => 'mcp takes no arguments, only flags; see --help.',
  async run(given, terminal) {
    const url = sandboxAddress(given, 'url');
    const { createMcpServer } = await import('../../tools/mcp/server.ts');
    const { serveStdio, StdioServerTransport } = await import('../../tools/mcp/library.ts');
    const { host, close } =
      url === undefined
        ? await startOwn(terminal)
        : { host: hostAt(url, terminal.environment), close: async () => undefined };
    const { stdin, stdout } = process;
    const transport = new StdioServerTransport(stdin, stdout);
    let isUnread = false;
    stdout.on('error', () => {
      isUnread = true;
    });
    let failure: Error | undefined;
    // It closes when the input ends, when nobody reads the output, and after a message beyond its limit.
    const closed = new Promise<void>((resolve) => {
      const closeTransport = transport.close.bind(transport);
      transport.close = async () => {
        await closeTransport();
        resolve();
      };
    });
    const connection = serveStdio(() => createMcpServer(host), {
      transport,
      onerror(error) {
        failure = error;
      },
    });
    const isStopped = await Promise.race([closed, terminal.stopped().then(() => true)]);
    const isOver = isStopped || isUnread || stdin.readableEnded || stdin.destroyed;
    await connection.close();
    await close();
    stdin.destroy();
    if (isOver) return 0;
    tell(terminal, `The connection was closed: ${failure?.message}`);
    return 1;
  },
};

/** Starts a sandbox that ends with this command. */
async function startOwn(terminal: Terminal) {
  const warn = (line: string) => tell(terminal, line);
  const server = await startServer({ port: 0 }, { warn });
  const host: McpHost = {
    url: server.url,
    key: DEMO_KEY,
    adminToken: undefined,
    fetch: (request) => server.core.fetch(request),
  };
  return { host, close: server.close };
}

/** A sandbox that runs elsewhere. */
function hostAt(url: string, environment: Environment): McpHost {
  return {
    url,
    key: merchantKey(environment),
    adminToken: secretIn(environment, 'SANDBOX_ADMIN_TOKEN'),
    fetch: (request) => fetch(request),
  };
}
