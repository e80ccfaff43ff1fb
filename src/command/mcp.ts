/* `mcp`: serves a sandbox to agents over standard input and output. */

import { DEMO_KEY } from '../control/access.ts';
import {
  merchantKey,
  type Subcommand,
  secretIn,
  serverAddress,
  type Terminal,
  tell,
} from '../node/command.ts';
import { type OptionGroups, RUN } from '../sandbox/start-options.ts';
import type { McpHost } from '../tools/mcp/host.ts';
import { startServer } from '../tools/serve.ts';
import type { Environment } from '../world/platform.ts';

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
    const url = serverAddress(given, 'url');
    const { createMcpServer } = await import('../tools/mcp/server.ts');
    const { createLineTransport } = await import('../tools/mcp/lines.ts');
    const { serveStdio } = await import('../tools/mcp/library.ts');
    const { host, close } =
      url === undefined
        ? await startOwn(terminal)
        : { host: hostAt(url, terminal.environment), close: async () => undefined };
    const { stdin, stdout } = process;
    const transport = createLineTransport({ input: stdin, write: writerTo(stdout) });
    // The write that failed reports it.
    stdout.on('error', () => undefined);
    const connection = serveStdio(() => createMcpServer(host), { transport });
    const problem = await Promise.race([transport.ended, terminal.stopped().then(() => undefined)]);
    await connection.close();
    await close();
    stdin.destroy();
    if (problem === undefined) return 0;
    tell(terminal, `The connection was closed: ${problem}.`);
    return 1;
  },
};

const writerTo = (output: NodeJS.WritableStream) => (text: string) =>
  new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });

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
