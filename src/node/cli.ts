import { closest } from 'fastest-levenshtein';
import { VERSION } from '../version.ts';
import type { Command, Terminal } from './command.ts';
import { check } from './commands/check.ts';
import { fixtures } from './commands/fixtures.ts';
import { openapi } from './commands/openapi.ts';
import { ready } from './commands/ready.ts';
import { start } from './commands/start.ts';
import { commandHelp, PROGRAM, programHelp } from './help.ts';
import { UsageError } from './usage.ts';

/** The subcommands. One that is heavy is loaded when it is called. */
const COMMANDS: Readonly<Record<string, { summary: string; load(): Command | Promise<Command> }>> =
  {
    start: { summary: `${start.summary} (what happens without a command)`, load: () => start },
    fixtures: { summary: fixtures.summary, load: () => fixtures },
    ready: { summary: ready.summary, load: () => ready },
    openapi: { summary: openapi.summary, load: () => openapi },
    check: { summary: check.summary, load: () => check },
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
  UnusableFile: 2,
  FixtureError: 2,
  ControlError: 2,
  CannotCheck: 2,
  ListenError: 1,
};

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = 'start'] = args;
  if (first === 'help' && args[1] !== undefined) return showHelp(args[1], terminal);
  if (first === 'help' || first === '--help' || first === '-h') {
    terminal.out(programHelp(COMMANDS, start, terminal.colours));
    return 0;
  }
  if (first.startsWith('-')) return runCommand('start', args, terminal);
  return runCommand(first, args.slice(1), terminal);
}

const asksForVersion = (args: readonly string[]): boolean =>
  args.includes('--version') || args.includes('-v');

function showVersion(terminal: Terminal): number {
  terminal.out(`${VERSION}\n`);
  return 0;
}

async function runCommand(
  name: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return showHelp(name, terminal);
  // Another command may mean the version of something else by it.
  if (name === 'start' && asksForVersion(args)) return showVersion(terminal);
  return (await loaded(name)).run(args, terminal);
}

async function showHelp(name: string, terminal: Terminal): Promise<number> {
  terminal.out(commandHelp(await loaded(name), terminal.colours));
  return 0;
}

function loaded(name: string): Command | Promise<Command> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command.load();
  const nearest = closest(name, [...Object.keys(COMMANDS), 'help']);
  throw new UsageError(
    `There is no command "${name}"; did you mean "${nearest}"? --help lists all.`,
  );
}
