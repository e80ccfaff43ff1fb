import type { Command } from 'commander';
import { DEFAULT_MAX_MERCHANTS } from '../../api/activity.ts';
import { CONTROL_DOCUMENT_PATH, CONTROL_PATH } from '../../control/access.ts';
import type { OptionError } from '../../options.ts';
import { firstList } from '../../products/world.ts';
import type { SandboxOptions } from '../../public.ts';
import { VERSION } from '../../version.ts';
import { nearest } from '../../world/problem-texts.ts';
import { MAX_SEED } from '../../world/random.ts';
import {
  isOn,
  jsonFile,
  namingFile,
  oneOf,
  port,
  type Subcommand,
  sourceOf,
  type Terminal,
  text,
  webAddress,
  wholeNumber,
} from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import { readFixtureFolder } from '../files.ts';
import { bold, type Environment, type LogOptions } from '../output.ts';
import { type CoreServer, startServer } from '../serve.ts';
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  LOG_MODES,
  PROGRAM,
  START_OPTIONS,
  START_VARIABLES,
} from '../start-options.ts';

export const start: Subcommand = {
  usage: '[flags]',
  description:
    'Serves a sandbox until it is stopped (Ctrl+C). A flag wins over its environment variable; set a switch to 1 or true.\n' +
    'Exit code 0 after a stop, 1 if the port is taken or the state cannot be saved, 2 for a wrong option or file.',
  options: START_OPTIONS,
  more: {
    Health: [
      'GET /livez   200 while it runs',
      'GET /readyz  200 once it takes calls, 503 while it cannot store changes',
    ],
    Examples: [
      PROGRAM,
      `${PROGRAM} --port 0 --json    # a free port, printed as JSON`,
      `${PROGRAM} --now 2026-01-31T10:00:00Z --freeze`,
      `${PROGRAM} --open             # open the inspector`,
      `${PROGRAM} --auto-merchants   # use one key per test`,
      `${PROGRAM} fixtures init my-fixtures`,
      `${PROGRAM} --fixtures my-fixtures --watch`,
      `${PROGRAM} --cors http://localhost:5173`,
      `SANDBOX_PORT=8080 ${PROGRAM} --state sandbox.json`,
    ],
  },
  argumentRefusal: (argument) =>
    `Unknown command or argument "${argument}". A command comes before its flags; --help lists both.`,
  async run(given, terminal) {
    const warn = (message: string) => terminal.err(`${PROGRAM}: ${message}\n`);
    for (const line of unknownVariables(terminal.environment)) warn(line);
    if (isOn(given, 'watch')) requireWatchable(given);
    const [json, quiet, state] = [isOn(given, 'json'), isOn(given, 'quiet'), text(given, 'state')];
    const log = logOf(given, terminal);
    const options = optionsOf(given);
    const server = await startServer(
      {
        ...options,
        port: port(given, DEFAULT_PORT),
        host: text(given, 'host') ?? DEFAULT_HOST,
        ...(state !== undefined && { state }),
      },
      { quietMs: 250, warn, log },
    ).catch((error) => {
      throw namedAsGiven(error, given);
    });
    const stopped = terminal.stopped();
    const watch =
      isOn(given, 'watch') &&
      (await import('../watch-fixtures.ts')).watchFixtures({
        folder: text(given, 'fixtures') as string,
        files: options.fixtures ?? {},
        change: server.core.changeFixtures,
        // Beside the log, not in it.
        tell: quiet ? () => undefined : warn,
        warn,
      });
    if (json && !quiet) terminal.out(jsonLine(server));
    else if (!quiet) terminal.out(banner(server, terminal, state, log));
    if (isOn(given, 'open')) await openBrowser(inspectorOf(server));
    await stopped;
    if (watch) await watch.end();
    try {
      await server.close();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      warn(error.message);
      return 1;
    }
    return 0;
  },
};

const PREFIX = 'SANDBOX_';
/** With those of client programs. */
const KNOWN_VARIABLES = [...START_VARIABLES, 'SANDBOX_URL', 'SANDBOX_KEY'].filter((name) =>
  name.startsWith(PREFIX),
);

/** A warning for each unknown variable with the prefix. */
function unknownVariables(environment: Environment): string[] {
  const endOf = (name: string) => name.slice(PREFIX.length);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN_VARIABLES.includes(name))
    .map((name) => {
      const meant = nearest(endOf(name), KNOWN_VARIABLES.map(endOf));
      const hint = meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`;
      return `unknown variable ${name}${hint}`;
    });
}

/** Refuses to watch where there is nothing to watch, or where changes would not fit what is kept. */
function requireWatchable(given: Command): void {
  const watch = sourceOf(given, 'watch');
  if (text(given, 'state') !== undefined) {
    const state = sourceOf(given, 'state');
    throw new UsageError(
      `${watch} cannot be used with ${state}: stored records belong to the fixtures they began with.`,
    );
  }
  if (text(given, 'fixtures') !== undefined) return;
  throw new UsageError(`${watch} needs --fixtures DIR; the built-in fixtures never change.`);
}

/** Rewrites an error about an option of the sandbox to name the flag or the variable that set it. */
function namedAsGiven(error: unknown, given: Command): unknown {
  const { option, message } = error as Partial<OptionError>;
  if (option === undefined || message === undefined) return error;
  const source = sourceOf(given, option);
  return new UsageError(
    message.startsWith(`${option} `)
      ? `${source}${message.slice(option.length)}`
      : `${source}: ${message}`,
  );
}

/** The request log; on a terminal there is one by default. */
function logOf(given: Command, { output, colours }: Terminal): LogOptions | undefined {
  const isShown = output.isTerminal && !isOn(given, 'quiet') && !isOn(given, 'json');
  const mode = oneOf(given, 'log', ['off', ...LOG_MODES]) ?? (isShown ? 'calls' : 'off');
  return mode === 'off' ? undefined : { mode, output, colours };
}

function optionsOf(given: Command): SandboxOptions {
  const folder = text(given, 'fixtures');
  const options = {
    clock: isOn(given, 'freeze') ? 'frozen' : 'running',
    seed: wholeNumber(given, 'seed', { byDefault: 1, max: MAX_SEED }),
    autoMerchants: isOn(given, 'autoMerchants'),
    maxMerchants: wholeNumber(given, 'maxMerchants', { byDefault: DEFAULT_MAX_MERCHANTS, min: 1 }),
    redact: isOn(given, 'redact'),
    amountCheck: oneOf(given, 'amountCheck', ['exact', 'ignore']),
    now: text(given, 'now'),
    publicUrl: webAddress(given, 'publicUrl'),
    cors: text(given, 'cors'),
    adminToken: adminToken(given),
    fixtures: folder && namingFile(given, 'fixtures', () => readFixtureFolder(folder)),
    profile: jsonFile(given, 'profile'),
  };
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as SandboxOptions;
}

/** A secret that a header can carry. A bad one is refused without being repeated. */
function adminToken(given: Command): string | undefined {
  const token = text(given, 'adminToken');
  if (token === undefined || /^\S+$/.test(token)) return token;
  throw new UsageError(`${sourceOf(given, 'adminToken')} must be a text without spaces.`);
}

/** Programs that open an address in the default browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the default browser, if there is one. Does not wait for it. */
async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  // In a session of its own, so that stopping this program leaves the browser open.
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

const inspectorOf = ({ url }: CoreServer): string => `${url}${CONTROL_PATH}`;

function jsonLine(server: CoreServer): string {
  const { url, port, core } = server;
  const [merchant] = core.store.byId.values();
  const key = merchant?.api_key ?? null;
  const inspector = inspectorOf(server);
  return `${JSON.stringify({ url, port, pid: process.pid, version: VERSION, key, inspector })}\n`;
}

function banner(
  server: CoreServer,
  { colours }: Terminal,
  state: string | undefined,
  log: LogOptions | undefined,
): string {
  const { url, core } = server;
  const [merchant] = core.store.byId.values();
  const call = merchant
    ? `curl -H 'Authorization: Bearer ${merchant.api_key}' ${url}${firstList?.path}`
    : `curl -X POST ${url}${CONTROL_PATH}/merchants`;
  const kept =
    state === undefined ? 'Everything is in memory.' : `Everything is stored in ${state}.`;
  return `${bold(`${PROGRAM} ${VERSION}`, colours)} at ${bold(url, colours)}

  key        ${merchant ? `${merchant.api_key}  (${merchant.name})` : 'none; create a merchant first'}
  try        ${call}
  inspector  ${inspectorOf(server)}  see calls, move the clock, set faults
  documents  ${url}/docs  and  /openapi.json  /openapi-3.0.json
  control    ${url}/docs/control  and  ${CONTROL_DOCUMENT_PATH}

${kept} Press Ctrl+C to stop. ${PROGRAM} --help lists all options.
${log ? '\n' : ''}`;
}
