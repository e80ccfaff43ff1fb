import { closest } from 'fastest-levenshtein';
import { VERSION } from '../version.ts';
import type { Command, Terminal } from './command.ts';
import { UsageError } from './flags.ts';
import { commandHelp, PROGRAM, programHelp } from './help.ts';

/** The subcommands. Each is loaded when it is called: a health check does not wait for a sandbox. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  fixtures: async () => (await import('./commands/fixtures.ts')).fixtures,
  ready: async () => (await import('./commands/ready.ts')).ready,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
  check: async () => (await import('./commands/check.ts')).check,
  proxy: async () => (await import('./commands/proxy.ts')).proxy,
};

/** Does what a command line says and answers the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const code = error instanceof Error ? EXIT_CODES[error.name] : undefined;
    if (code === undefined) throw error;
    terminal.err(`${PROGRAM}: ${(error as Error).message}\n`);
    return code;
  }
}

/** What a user can put right, by the name of the error; anything else is a defect. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  UsageError: 2,
  FileError: 2,
  FixtureError: 2,
  ControlError: 2,
  CheckError: 2,
  ListenError: 1,
};

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = 'start'] = args;
  if (first === 'help' && args[1] !== undefined) return showHelp(args[1], terminal);
  if (first === 'help' || first === '--help' || first === '-h') return showProgramHelp(terminal);
  if (first.startsWith('-')) return runCommand('start', args, terminal);
  return runCommand(first, args.slice(1), terminal);
}

const isVersionAsked = (args: readonly string[]): boolean =>
  args.includes('--version') || args.includes('-v');

function showVersion(terminal: Terminal): number {
  terminal.out(`${VERSION}\n`);
  return 0;
}

async function showProgramHelp(terminal: Terminal): Promise<number> {
  const commands: Record<string, Command> = {};
  for (const name of Object.keys(COMMANDS)) commands[name] = await load(name);
  terminal.out(programHelp(commands, await load('start'), terminal.colours));
  return 0;
}

async function runCommand(
  name: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return showHelp(name, terminal);
  // Another command may mean the version of something else by it.
  if (name === 'start' && isVersionAsked(args)) return showVersion(terminal);
  return (await load(name)).run(args, terminal);
}

async function showHelp(name: string, terminal: Terminal): Promise<number> {
  terminal.out(commandHelp(await load(name), terminal.colours));
  return 0;
}

function load(name: string): Promise<Command> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command();
  const nearest = closest(name, [...Object.keys(COMMANDS), 'help']);
  throw new UsageError(
    `There is no command "${name}"; did you mean "${nearest}"? --help lists all.`,
  );
}
