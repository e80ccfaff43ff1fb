import { CONTROL_DOCUMENT_PATH, CONTROL_PATH } from '../../control/app.ts';
import type { OptionError } from '../../options.ts';
import { firstList } from '../../products/world.ts';
import type { SandboxOptions } from '../../public.ts';
import { VERSION } from '../../version.ts';
import type { Command, Terminal } from '../command.ts';
import { type Config, readConfig } from '../config.ts';
import { FileError, readFixtureFolder, readJsonFile } from '../files.ts';
import { UsageError } from '../flags.ts';
import { PROGRAM } from '../help.ts';
import type { LogOptions } from '../log-options.ts';
import { openBrowser } from '../open-browser.ts';
import type { ChangeFixtures } from '../ownership.ts';
import { type SandboxServer, startServer } from '../serve.ts';
import { START_FLAGS } from '../start-flags.ts';
import { bold } from '../styles.ts';

export const start: Command = {
  summary: 'serve a sandbox (what happens without a command)',
  usage: '[start] [flags]',
  description:
    'Stops on SIGTERM or SIGINT (Ctrl+C), with exit code 0; 1 if the port is taken, 2 if it is told something it can not follow. ' +
    'A flag wins over its environment variable, where a switch is 1 or true.',
  flagGroups: START_FLAGS,
  more: [
    [
      'Health',
      [
        ['GET /livez', '200 while it runs'],
        [
          'GET /readyz',
          `200 once it takes calls, 503 while it can not keep what they change; without a key, and what "${PROGRAM} ready" waits for`,
        ],
      ],
    ],
  ],
  examples: [
    PROGRAM,
    `${PROGRAM} --port 0 --json        # a free port, told in JSON`,
    `${PROGRAM} --now 2026-01-31T10:00:00Z --freeze`,
    `${PROGRAM} --open                 # and look at it`,
    `${PROGRAM} --auto-merchants       # one key per test worker`,
    `${PROGRAM} fixtures init my-fixtures`,
    `${PROGRAM} --fixtures my-fixtures --watch`,
    `${PROGRAM} --cors http://localhost:5173`,
    `SANDBOX_PORT=8080 ${PROGRAM} --state sandbox.json`,
  ],
  async run(args, terminal) {
    const config = readConfig(args, terminal.environment);
    const log = logOf(config, terminal);
    const options = optionsOf(config);
    const warn = (message: string) => terminal.err(`${PROGRAM}: ${message}\n`);
    let change: ChangeFixtures | undefined;
    const server = await startServer(
      {
        ...options,
        port: config.port,
        host: config.host,
        ...(config.state !== undefined && { state: config.state }),
      },
      {
        overrideGlobalObjects: true,
        quietMs: 250,
        warn,
        log,
        onOpen: (changeFixtures) => {
          change = changeFixtures;
        },
      },
    ).catch((error) => {
      throw namedAsGiven(error, config);
    });
    const stopped = terminal.stopped();
    const watch = change && config.watch && (await startWatching(config, options, change, warn));
    if (!config.quiet) {
      terminal.out(config.json ? jsonLine(server) : banner(server, terminal, config, log));
    }
    if (config.open) openBrowser(inspectorOf(server));
    await stopped;
    if (watch) await watch.end();
    try {
      await server.close();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      terminal.err(`${PROGRAM}: ${error.message}\n`);
      return 1;
    }
    return 0;
  },
};

/** Reads the folder of fixtures again whenever it changes. What was read is told beside the log, not in it. */
async function startWatching(
  { fixtures, quiet }: Config,
  options: SandboxOptions,
  change: ChangeFixtures,
  warn: (line: string) => void,
) {
  const { watchFixtures } = await import('../watch-fixtures.ts');
  return watchFixtures({
    folder: fixtures as string,
    files: options.fixtures ?? {},
    change,
    tell: quiet ? () => undefined : warn,
    warn,
  });
}

/** An error about an option of the sandbox, told as one about the flag or the variable that said it. */
function namedAsGiven(error: unknown, { sourceOf }: Config): unknown {
  const { option, message } = error as Partial<OptionError>;
  if (option === undefined || message === undefined) return error;
  const source = sourceOf(option);
  return new UsageError(
    message.startsWith(`${option} `)
      ? `${source}${message.slice(option.length)}`
      : `${source}: ${message}`,
  );
}

/** The log of requests that is asked for, or that people at a terminal get. */
function logOf(
  { log, quiet, json }: Config,
  { output, colours }: Terminal,
): LogOptions | undefined {
  const mode = log ?? (output.isTerminal && !quiet && !json ? 'calls' : 'off');
  return mode === 'off' ? undefined : { mode, output, colours };
}

function optionsOf(config: Config): SandboxOptions {
  const { clock, seed, autoMerchants, maxMerchants, redact } = config;
  const { amountCheck, now, publicUrl, cors, adminToken, fixtures, profile } = config;
  return {
    clock,
    seed,
    autoMerchants,
    maxMerchants,
    redact,
    ...(amountCheck !== undefined && { amountCheck }),
    ...(now !== undefined && { now }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(cors !== undefined && { cors }),
    ...(adminToken !== undefined && { adminToken }),
    ...(fixtures !== undefined && { fixtures: readFixtureFolder(fixtures) }),
    ...(profile !== undefined && { profile: readJsonFile(profile) }),
  };
}

const inspectorOf = ({ url }: SandboxServer): string => `${url}${CONTROL_PATH}`;

function jsonLine(server: SandboxServer): string {
  const { url, port, sandbox } = server;
  const key = sandbox.merchants()[0]?.apiKey ?? null;
  const inspector = inspectorOf(server);
  return `${JSON.stringify({ url, port, pid: process.pid, version: VERSION, key, inspector })}\n`;
}

function banner(
  server: SandboxServer,
  { colours }: Terminal,
  { state }: Config,
  log: LogOptions | undefined,
): string {
  const { url, sandbox } = server;
  const [merchant] = sandbox.merchants();
  const call = merchant
    ? `curl -H 'Authorization: Bearer ${merchant.apiKey}' ${url}${firstList?.path}`
    : `curl -X POST ${url}${CONTROL_PATH}/merchants`;
  const kept = state === undefined ? 'Everything is in memory.' : `Everything is kept in ${state}.`;
  return `${bold(`${PROGRAM} ${VERSION}`, colours)} at ${bold(url, colours)}

  key        ${merchant ? `${merchant.apiKey}  (${merchant.name})` : 'none yet; create a merchant'}
  try        ${call}
  inspector  ${inspectorOf(server)}  shows every call, and steers the sandbox
  documents  ${url}/docs  and  /openapi.json  /openapi-3.0.json
  control    ${url}/docs/control  and  ${CONTROL_DOCUMENT_PATH}

${kept} Ctrl+C stops it; ${PROGRAM} --help shows what else it can do.
${log ? '\n' : ''}`;
}
