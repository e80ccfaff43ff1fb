import { VERSION } from '../version.ts';
import { nearest } from '../world/problem-texts.ts';
import type { Command, Terminal } from './command.ts';
import { UsageError } from './flags.ts';
import { commandHelp, type HelpStyle, PROGRAM, programHelp } from './help.ts';

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
  const [first = 'start', second] = args;
  const isFlag = (arg: string) => arg.startsWith('-');
  if (first === 'help' && second !== undefined && !isFlag(second)) {
    return showHelp(await load(second), terminal);
  }
  if (first === 'help' || first === '--help' || first === '-h') return showProgramHelp(terminal);
  const [name, rest] = isFlag(first) ? ['start', args] : [first, args.slice(1)];
  // Asked for so often that it does not wait for a sandbox to be loaded.
  if (name === 'start' && isVersionAsked(rest) && !isHelpAsked(rest)) return showVersion(terminal);
  const command = await load(name);
  if (isHelpAsked(rest)) return showHelp(command, terminal);
  if (isVersionAsked(rest) && !command.ownVersion) return showVersion(terminal);
  return command.run(rest, terminal);
}

const isHelpAsked = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h');

const isVersionAsked = (args: readonly string[]): boolean =>
  args.includes('--version') || args.includes('-v');

function showVersion(terminal: Terminal): number {
  terminal.out(`${VERSION}\n`);
  return 0;
}

async function showProgramHelp(terminal: Terminal): Promise<number> {
  const commands: Record<string, Command> = {};
  for (const name of Object.keys(COMMANDS)) commands[name] = await load(name);
  terminal.out(programHelp(commands, await load('start'), styleOf(terminal)));
  return 0;
}

function showHelp(command: Command, terminal: Terminal): number {
  terminal.out(commandHelp(command, styleOf(terminal)));
  return 0;
}

const styleOf = ({ colours, columns }: Terminal): HelpStyle => ({ colours, columns });

function load(name: string): Promise<Command> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command();
  const meant = nearest(name, [...Object.keys(COMMANDS), 'help']);
  const hint = meant === undefined ? '; ' : `; did you mean "${meant}"? `;
  throw new UsageError(`There is no command "${name}"${hint}--help lists all.`);
}
