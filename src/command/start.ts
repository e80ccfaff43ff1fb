/* `start`: serves a sandbox until it is stopped. */

import type { Command } from 'commander';
import { ANY_ORIGIN } from '../api/cors.ts';
import { CONTROL_DOCUMENT_PATH, CONTROL_PATH } from '../control/access.ts';
import { LOG_MODES } from '../control/log-line.ts';
import {
  isOn,
  named,
  oneOf,
  port,
  type StandardInput,
  type Subcommand,
  sourceOf,
  type Terminal,
  tell,
  text,
  webAddress,
} from '../node/command.ts';
import { FileError, UsageError } from '../node/errors.ts';
import type { LogOptions } from '../node/output.ts';
import { defined, namedAsGiven, numberOrText, sandboxOptions } from '../node/sandbox-options.ts';
import { type CoreServer, withoutBrackets } from '../node/serve.ts';
import { operations } from '../products/world.ts';
import { splitOrigins } from '../sandbox/options.ts';
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  PROGRAM,
  RUN,
  RUN_VARIABLE,
  START_OPTIONS,
  START_VARIABLES,
} from '../sandbox/start-options.ts';
import { startServer } from '../tools/serve.ts';
import type { SandboxOptions } from '../types/public.ts';
import { VERSION } from '../types/version.ts';
import { momentText } from '../world/clock.ts';
import { bold } from '../world/colours.ts';
import type { Environment } from '../world/platform.ts';
import { printable } from '../world/printable.ts';
import { nearest, truncate } from '../world/problem-texts.ts';

export const start: Subcommand = {
  usage: '[flags]',
  description:
    'Start a sandbox server.\n\n' +
    'SIGTERM or SIGINT (Ctrl+C) stops the server. ' +
    'A flag overrides its environment variable. The variable of a switch is 1 or true.',
  options: START_OPTIONS,
  more: {
    Health: [
      'GET /livez   200 while the server runs',
      'GET /readyz  200 when the server is ready, 503 while it cannot save state',
      'Neither requires a key.',
    ],
    'Exit codes': [
      '0  stopped',
      '1  the port is taken, or the state could not be saved',
      '2  invalid option or file',
    ],
    'In the background': [
      'npx does not pass signals on. In a script, start the program itself:',
      `  node_modules/.bin/${PROGRAM} & SANDBOX=$!`,
      `  ${RUN} ready && npm test; kill $SANDBOX`,
      'Or end the process whose pid is in the line of --json.',
    ],
    Examples: [
      `${RUN} --open`,
      `${RUN} --auto-merchants --now 2026-01-31 --freeze`,
      `SANDBOX_PORT=8080 ${RUN} --state sandbox.json`,
    ],
  },
  argumentRefusal: (argument) =>
    `start takes no argument ${truncate(argument)}. Write the command before its flags; see --help.`,
  async run(given, terminal) {
    const warn = (message: string) => tell(terminal, message);
    for (const line of unknownVariables(terminal.environment)) warn(line);
    if (isOn(given, 'watch')) requireWatchable(given);
    const [json, quiet, state] = [isOn(given, 'json'), isOn(given, 'quiet'), text(given, 'state')];
    const host = withoutBrackets(text(given, 'host') ?? DEFAULT_HOST);
    const input = isOn(given, 'attached') ? requireInput(given, terminal) : undefined;
    const log = logOf(given, terminal);
    const options = optionsOf(given);
    const server = await startServer(
      {
        ...options,
        port: port(given, DEFAULT_PORT),
        host,
        ...(state !== undefined && { state }),
      },
      { warn, log },
    ).catch((error) => {
      // Files of other options are read before.
      if (error instanceof FileError) throw named(error, sourceOf(given, 'state'));
      throw namedAsGiven(error, given);
    });
    const stopped = Promise.race([terminal.stopped(), ...(input ? [input.ended()] : [])]);
    const watch =
      isOn(given, 'watch') &&
      (await import('../node/watch-fixtures.ts')).watchFixtures({
        folder: text(given, 'fixtures') as string,
        files: { ...options.fixtures },
        change: server.core.changeFixtures,
        // On standard error: standard output may be a log.
        tell: quiet ? () => undefined : warn,
        warn,
      });
    if (json && !quiet) terminal.out(jsonLine(server));
    else if (!quiet) greet(server, terminal, { host, log, special: specialOf(given, server) });
    if (isOn(given, 'open')) {
      await (await import('../node/browser.ts')).openBrowser(inspectorOf(server));
    }
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
/** Including those that client programs read, and the one with which `chaos` reaches their sandboxes. */
const KNOWN_VARIABLES = [
  ...START_VARIABLES,
  'SANDBOX_URL',
  'SANDBOX_KEY',
  'SANDBOX_RUN',
  RUN_VARIABLE,
].filter((name) => name.startsWith(PREFIX));

/** A warning for each unknown variable with the prefix. */
function unknownVariables(environment: Environment): string[] {
  const endOf = (name: string) => name.slice(PREFIX.length);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN_VARIABLES.includes(name))
    .map((name) => {
      const meant = nearest(endOf(name), KNOWN_VARIABLES.map(endOf));
      const hint = meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`;
      return `Unknown variable ${name}${hint}`;
    });
}

/** Refuses `--watch` without a folder to watch, or with a state that belongs to the fixtures it started with. */
function requireWatchable(given: Command): void {
  const watch = sourceOf(given, 'watch');
  if (text(given, 'state') !== undefined) {
    const state = sourceOf(given, 'state');
    throw new UsageError(
      `${watch} cannot be combined with ${state}: saved data belongs to the fixtures it started with.`,
    );
  }
  if (text(given, 'fixtures') !== undefined) return;
  throw new UsageError(`${watch} requires --fixtures DIR: the built-in fixtures do not change.`);
}

/** Refuses `--attached` where nothing could close the input: the sandbox would end at once, or never. */
function requireInput(given: Command, { input }: Terminal): StandardInput {
  if (input) return input;
  throw new UsageError(
    `${sourceOf(given, 'attached')} requires a pipe as standard input: start the sandbox from a program that keeps the pipe open.`,
  );
}

/** The request log; on by default on a terminal. */
function logOf(given: Command, { output, colours }: Terminal): LogOptions | undefined {
  const isShown = output.isTerminal && !isOn(given, 'quiet') && !isOn(given, 'json');
  const mode = oneOf(given, 'log', ['off', ...LOG_MODES]) ?? (isShown ? 'calls' : 'off');
  return mode === 'off' ? undefined : { mode, output, colours };
}

const optionsOf = (given: Command): SandboxOptions => ({
  ...sandboxOptions(given),
  ...defined({
    maxMerchants: numberOrText(given, 'maxMerchants'),
    redact: isOn(given, 'redact'),
    publicUrl: webAddress(given, 'publicUrl'),
    cors: splitOrigins(text(given, 'cors')),
    adminToken: text(given, 'adminToken'),
  }),
});

const inspectorOf = ({ url }: CoreServer): string => `${url}${CONTROL_PATH}`;

function jsonLine(server: CoreServer): string {
  const { url, port, core } = server;
  const [merchant] = core.store.byId.values();
  const key = merchant?.api_key ?? null;
  const inspector = inspectorOf(server);
  return `${JSON.stringify({ url, port, pid: process.pid, version: VERSION, key, inspector })}\n`;
}

/** What the greeting says beside the address. */
interface Settings {
  readonly host: string;
  readonly log: LogOptions | undefined;
  /** What is special about this start, by its name. */
  readonly special: Readonly<Record<string, string | undefined>>;
}

/** What differs from a start without flags, beside port and host. */
function specialOf(given: Command, { core: { store } }: CoreServer): Settings['special'] {
  const { clock, autoMerchants } = store.defaults;
  const from = clock.now === undefined ? undefined : `starts at ${momentText(clock.now)}`;
  const frozen = clock.mode === 'frozen' ? 'frozen' : undefined;
  const cors = text(given, 'cors');
  const watched = isOn(given, 'watch') ? ', read again when they change' : '';
  const fixtures = text(given, 'fixtures');
  return {
    profile: text(given, 'profile'),
    fixtures: fixtures && fixtures + watched,
    clock: [from, frozen].filter((each) => each !== undefined).join(', ') || undefined,
    merchants: autoMerchants ? 'a new key opens an empty World' : undefined,
    cors: cors && `pages of ${cors === ANY_ORIGIN ? 'all origins' : cors} may call it`,
    state: text(given, 'state'),
  };
}

/** Greets on standard output, unless that belongs to a log of JSON lines. */
function greet(
  server: CoreServer,
  { out, err, colours, errColumns }: Terminal,
  settings: Settings,
): void {
  if (settings.log?.mode !== 'json') out(banner(server, colours, settings));
  else err(banner(server, colours && errColumns !== undefined, settings));
}

/** Hosts that other machines cannot reach. */
const LOOPBACK = /^(localhost|127\..*|::1)$/i;

function banner(server: CoreServer, colours: boolean, { host, log, special }: Settings): string {
  const { url, core } = server;
  const [merchant] = core.store.byId.values();
  const key = merchant && printable(merchant.api_key);
  // A list needs nothing but a key.
  const list = operations.find(({ role }) => role === 'list');
  const call = merchant
    ? `curl -H 'Authorization: Bearer ${key}' ${url}${list?.path}`
    : `curl -X POST ${url}${CONTROL_PATH}/merchants`;
  const lines = Object.entries(special).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name.padEnd(9)}  ${printable(value)}\n`],
  );
  const kept = special.state === undefined ? 'Data is kept in memory. ' : '';
  const isGuarded = LOOPBACK.test(host) || core.store.adminToken !== undefined;
  const admin = isGuarded
    ? ''
    : 'Other machines can make admin calls, such as creating a merchant, if you set SANDBOX_ADMIN_TOKEN.\n';
  return `${bold(`${PROGRAM} ${VERSION}`, colours)} at ${bold(url, colours)}

  key        ${merchant ? `${key}  (${printable(merchant.name)})` : 'none; create a merchant first'}
  try        ${call}
  inspector  ${inspectorOf(server)}  shows every request and controls the sandbox
  docs       ${url}/docs  and  /openapi.json  /openapi-3.0.json
  control    ${url}/docs/control  and  ${CONTROL_DOCUMENT_PATH}
${lines.length === 0 ? '' : `\n${lines.join('')}`}
${kept}Ctrl+C stops the server. All flags: ${RUN} --help
${admin}${log ? '\n' : ''}`;
}
