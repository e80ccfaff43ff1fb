/* The command line: picks the subcommand, loads it, and turns errors into exit codes. */

import { Command, CommanderError, Option } from 'commander';
import { listed, requireValues, type Subcommand, type Terminal, tell } from '../node/command.ts';
import { UsageError } from '../node/errors.ts';
import { type OptionRow, PROGRAM } from '../sandbox/start-options.ts';
import { VERSION } from '../types/version.ts';
import { bold } from '../world/colours.ts';
import type { Environment } from '../world/platform.ts';
import { printable } from '../world/printable.ts';
import { nearest, truncate } from '../world/problem-texts.ts';
import { formatProgramHelp } from './help.ts';

interface Loader {
  readonly summary: string;
  /** Whether the command has a `--version` of its own. */
  readonly hasOwnVersion?: boolean;
  load(): Promise<Subcommand>;
}

/** Commands are loaded on demand, so that a health check starts fast. */
const SUBCOMMANDS: Readonly<Record<string, Loader>> = {
  start: {
    summary: 'start a sandbox server (the default)',
    load: async () => (await import('./start.ts')).start,
  },
  fixtures: {
    summary: 'write or check fixture files',
    load: async () => (await import('./fixtures.ts')).fixtures,
  },
  ready: {
    summary: 'wait until a sandbox is ready',
    load: async () => (await import('./ready.ts')).ready,
  },
  openapi: {
    summary: "print the merchant API's OpenAPI document",
    hasOwnVersion: true,
    load: async () => (await import('./openapi.ts')).openapi,
  },
  show: {
    summary: 'open a saved snapshot in the inspector',
    load: async () => (await import('./show.ts')).show,
  },
  check: {
    summary: 'compare a server with the contract',
    load: async () => (await import('../tools/check/command.ts')).checkCommand,
  },
  proxy: {
    summary: 'stand before the real service and report differences',
    load: async () => (await import('../tools/proxy/command.ts')).proxy,
  },
  chaos: {
    summary: 'find out which failures a program survives',
    load: async () => (await import('../tools/chaos/command.ts')).chaos,
  },
  mcp: {
    summary: 'serve coding agents (Model Context Protocol)',
    load: async () => (await import('./mcp.ts')).mcp,
  },
};

/** Exit codes of the errors that a user can fix, by name. Any other error is a bug. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  UsageError: 2,
  FileError: 2,
  FixtureError: 2,
  ControlError: 2,
  CheckError: 2,
  ChaosError: 2,
  ListenError: 1,
};

/** Runs a command line. Returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(wordsOf(args), terminal);
  } catch (error) {
    // Commander has already printed its message, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const code = error instanceof Error ? EXIT_CODES[error.name] : undefined;
    if (code === undefined) throw error;
    tell(terminal, (error as Error).message);
    return code;
  }
}

const isFlag = (word: string): boolean => word.startsWith('-');

/** Adds the default command, and turns `help COMMAND` into `COMMAND --help`. */
function wordsOf([first = 'start', ...rest]: readonly string[]): readonly string[] {
  if (first === 'help') {
    const [name] = rest;
    return name === undefined || isFlag(name) ? ['--help'] : [name, '--help'];
  }
  const isOfProgram = ['-h', '--help', '-v', '--version'].includes(first);
  return isFlag(first) && !isOfProgram ? ['start', first, ...rest] : [first, ...rest];
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = ''] = words;
  const isKnown = Object.hasOwn(SUBCOMMANDS, first);
  const program = createProgram(terminal, (message) => withSuggestion(message, program, first));
  // Printing the version loads no command.
  const isVersionAsked = words.includes('-v') || words.includes('--version');
  let exitCode = 0;
  for (const [name, { summary, hasOwnVersion = false, load }] of Object.entries(SUBCOMMANDS)) {
    // The help of the program names all commands.
    if (isKnown && name !== first) continue;
    const command = program.command(name).summary(summary);
    if (isKnown && (hasOwnVersion || !isVersionAsked)) {
      const subcommand = await load();
      describe(command, subcommand);
      refuseMistypedFlags(command, words);
      command.action(async () => {
        exitCode = await perform(command, subcommand, terminal);
      });
    }
    command.optionsGroup('Help:').helpOption('-h, --help', 'show help');
    if (!hasOwnVersion) command.version(VERSION, '-v, --version', 'show the version');
  }
  program.configureHelp({ ...program.configureHelp(), formatHelp: formatProgramHelp });
  await program.parseAsync(isKnown || isFlag(first) ? words : [first], { from: 'user' });
  return exitCode;
}

const MIN_COLUMNS = 60;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;

function createProgram(
  { out, err, colours, output }: Terminal,
  explain: (message: string) => string,
): Command {
  return new Command(PROGRAM)
    .description("A local stand-in for a micro-insurance provider's merchant API.")
    .version(VERSION, '-v, --version', 'show the version')
    .helpCommand('help [command]', 'show help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp({
      minWidthToWrap: 20,
      styleTitle: (title) => bold(title, true),
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: out,
      writeErr: err,
      getOutHelpWidth: () => Math.min(Math.max(output.columns ?? 80, MIN_COLUMNS), MAX_COLUMNS),
      getOutHasColors: () => colours,
      outputError: (message, write) => tell({ err: write }, explain(inOneLine(message))),
    });
}

/** Joins Commander's lines, and hides the value of an unknown option: it may be a key. */
const inOneLine = (message: string): string =>
  printable(
    message
      .trimEnd()
      .replace(/^error: /, '')
      .replace(/^(unknown option '[^=']*)=.*'/s, "$1'"),
  );

/** Adds the known name that is nearest to an unknown one. Commander's own suggestions miss beginnings of names. */
function withSuggestion(message: string, program: Command, name: string): string {
  const [, dashes, unknown] = /^unknown \w+ '(-{0,2})(.*)'$/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const known = dashes === '' ? [...Object.keys(SUBCOMMANDS), 'help'] : flagsOf(program, name);
  // `--redact` is near `--no-redact`.
  const bare = (word: string) => word.replace(/^(--)?(no-)?/, '');
  const meant = nearest(bare(unknown), known.map(bare));
  const found = known.find((each) => bare(each) === meant);
  if (found !== undefined) return `${message} (Did you mean ${found}?)`;
  if (dashes === '') return `${message}. The commands are ${listed(known, 'and')}.`;
  const takesProgram = usageOf(program, name)?.includes(' -- ');
  return takesProgram ? `${message}. A program and its flags follow "--".` : message;
}

const usageOf = (program: Command, name: string): string | undefined =>
  program.commands.find((each) => each.name() === name)?.usage();

/** The long flags of a command. */
function flagsOf(program: Command, name: string): string[] {
  const command = program.commands.find((each) => each.name() === name) as Command;
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long }) => long ?? []);
}

function describe(command: Command, { usage, description, options, more }: Subcommand): void {
  command.usage(usage).description(description).allowExcessArguments();
  for (const [group, rows] of Object.entries(options)) {
    for (const row of rows) command.addOption(optionOf(row).helpGroup(`${group}:`));
  }
  addSections(command, more);
}

/** Refuses `--json=yes` and `-port` with better messages than Commander's. */
function refuseMistypedFlags({ options }: Command, words: readonly string[]): void {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (const word of words.slice(0, end)) {
    const [flag, value] = word.split('=', 2) as [string, string?];
    if (options.some(({ long }) => long === `-${flag}`)) {
      throw new UsageError(`unknown option '${flag}' (Did you mean -${flag}?)`);
    }
    if (value === undefined || !options.some(({ long, required }) => long === flag && !required)) {
      continue;
    }
    throw new UsageError(`${flag} takes no value; got ${truncate(value)}.`);
  }
}

/** Adds the default and the environment variables on a line below the description, in Commander's own format. */
function optionOf([flags, description, byDefault, ...variables]: OptionRow): Option {
  const facts = byDefault === undefined ? [] : [`default: ${byDefault}`];
  if (variables.length > 0) facts.push(`env: ${variables.join(' or ')}`);
  const shown = facts.length === 0 ? description : `${description}\n(${facts.join(', ')})`;
  const option = new Option(flags, shown);
  return takesList(flags) ? option.argParser(addToList) : option;
}

/** Whether the value of a flag is a list: `--cors <ORIGIN[,ORIGIN]>`. */
const takesList = (flags: string): boolean => flags.includes('[,');

/** A list that is given in several flags. */
const addToList = (value: string, before: string | undefined): string =>
  before === undefined ? value : `${before},${value}`;

function addSections(command: Command, sections: Subcommand['more']): void {
  for (const [title, lines] of Object.entries(sections)) {
    const indented = lines.map((line) => `\n  ${line}`).join('');
    command.addHelpText('after', `\n${bold(`${title}:`, true)}${indented}`);
  }
}

function perform(command: Command, subcommand: Subcommand, terminal: Terminal): Promise<number> {
  for (const row of Object.values(subcommand.options).flat()) {
    readVariable(command, row, terminal.environment);
  }
  requireValues(command);
  const [argument] = command.args;
  if (argument !== undefined && subcommand.argumentRefusal) {
    throw new UsageError(subcommand.argumentRefusal(argument));
  }
  return subcommand.run(command, terminal);
}

/**
 * Sets an option from the environment unless a flag has set it. Commander's own `env` supports one variable only,
 * counts an empty variable as set, and turns a switch on for any value.
 */
function readVariable(
  command: Command,
  [flags, , , ...variables]: OptionRow,
  environment: Environment,
): void {
  const option = new Option(flags);
  const name = option.attributeName();
  // Shells such as cmd.exe keep a blank that stands before the next command.
  const textOf = (variable: string) => environment[variable]?.trim();
  const variable = variables.find(textOf);
  if (variable === undefined || command.getOptionValueSource(name) === 'cli') return;
  const value = textOf(variable) as string;
  const meant = option.required ? value : switchValue(variable, value) !== option.negate;
  command.setOptionValueWithSource(name, meant, variable);
}

function switchValue(variable: string, value: string): boolean {
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new UsageError(`${variable} must be 1, true, 0 or false; got ${truncate(value)}.`);
}
