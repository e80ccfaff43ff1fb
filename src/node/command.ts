/* What subcommands share: the terminal, and reading options from flags, variables and files. */

import type { Command } from 'commander';
import { DEMO_KEY } from '../control/access.ts';
import { FixtureError } from '../products/fixture-error.ts';
import { isBaseUrl } from '../sandbox/options.ts';
import { type OptionGroups, PROGRAM } from '../sandbox/start-options.ts';
import { isSendableKey } from '../world/merchants.ts';
import type { Environment } from '../world/platform.ts';
import { printable } from '../world/printable.ts';
import { truncate } from '../world/problem-texts.ts';
import { FileError, UsageError } from './errors.ts';
import { readJsonFile, requireWritable } from './files.ts';
import type { Output } from './output.ts';

/** Where a command reads and writes. */
export interface Terminal {
  readonly environment: Environment;
  /** Whether `out` shows colours. */
  readonly colours: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Standard output, with its width, for a log. */
  readonly output: Output;
  /** Width of `err`, if it is a terminal. */
  readonly errColumns?: number | undefined;
  /** Called once a server is running. Resolves on the first signal to stop. Later signals are ignored. */
  stopped(): Promise<void>;
  /** Standard input; undefined if it has no writer that could close it: a file or a device. */
  readonly input: StandardInput | undefined;
}

/** A standard input whose writer is another program, or a person at a terminal. */
export interface StandardInput {
  /** Reads and ignores it. Resolves when it is closed. */
  ended(): Promise<void>;
}

/** A subcommand. */
export interface Subcommand {
  /** The arguments and flags, as the help shows them after the command's name. */
  readonly usage: string;
  /** Starts with one sentence; further paragraphs follow empty lines. */
  readonly description: string;
  readonly options: OptionGroups;
  /** More sections of the help: lines by title. */
  readonly more: Readonly<Record<string, readonly string[]>>;
  /** The error for an argument, unless the command takes arguments. */
  readonly argumentRefusal?: (argument: string) => string;
  /** Runs the command with its parsed options. Returns the exit code. */
  run(given: Command, terminal: Terminal): Promise<number>;
}

/*
 * These functions read an option by its name in camel case. They throw a `UsageError` that names the flag or the variable
 * with the invalid value.
 */

/** The flag or the variable that set an option. */
export function sourceOf(given: Command, name: string): string {
  const source = given.getOptionValueSource(name);
  if (source !== undefined && source !== 'cli' && source !== 'default') return source;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether a switch is on. */
export const isOn = (given: Command, name: string): boolean => given.getOptionValue(name) === true;

/** The value of an option. */
export const text = (given: Command, name: string): string | undefined =>
  given.getOptionValue(name);

/** Refuses an empty value, and another flag as a value: `--state --json` is a mistake. */
export function requireValues(given: Command): void {
  for (const [name, value] of Object.entries(given.opts())) {
    if (value !== '' && !(typeof value === 'string' && value.startsWith('--'))) continue;
    throw new UsageError(`${sourceOf(given, name)} needs a value.`);
  }
}

/** A whole number from `min` to `max`. */
export function wholeNumber<Default extends number | undefined>(
  given: Command,
  name: string,
  { byDefault, min = 0, max = Number.POSITIVE_INFINITY }: NumberRule<Default>,
): number | Default {
  const value = text(given, name);
  if (value === undefined) return byDefault;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const demand = Number.isFinite(max) ? `from ${min} to ${max}` : `of at least ${min}`;
  throw invalidOption(given, name, `must be a whole number ${demand}`);
}

interface NumberRule<Default> {
  readonly byDefault: Default;
  readonly min?: number;
  readonly max?: number;
}

/** A number above 0. */
export function positive(given: Command, name: string): number | undefined {
  const value = text(given, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,6}(\.\d+)?$/.test(value) ? Number(value) : 0;
  if (number > 0) return number;
  throw invalidOption(given, name, 'must be a number above 0');
}

export const port = (given: Command, byDefault: number): number =>
  wholeNumber(given, 'port', { byDefault, max: 65_535 });

/** One of the given words. */
export function oneOf<Word extends string>(
  given: Command,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = text(given, name);
  const word = words.find((each) => each === value);
  if (value === word) return word;
  throw invalidOption(given, name, `must be ${listed(words)}`);
}

/** `a, b or c`. */
export const listed = (words: readonly string[], last = 'or'): string =>
  `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** An http(s) URL to which paths can be added. */
export function webAddress(given: Command, name: string): string | undefined {
  const value = text(given, name);
  if (value === undefined || isBaseUrl(value)) return value;
  const demand = 'must be a URL such as https://sandbox.example, without ? or #';
  throw invalidOption(given, name, demand, withoutSecrets(value));
}

/** A URL without its user, password, query and fragment, which may hold secrets. */
export const withoutSecrets = (url: string): string =>
  url.replace(/\/\/[^/]*@/, '//…@').replace(/([?#]).*$/s, '$1…');

/** The base URL of a server to which keys are sent, without a slash at its end. */
export function serverAddress(given: Command, name: string): string | undefined {
  const url = webAddress(given, name);
  if (url === undefined) return undefined;
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url.replace(/(?<!\/)\/+$/, '');
  throw invalidOption(given, name, 'must not contain a user or a password', withoutSecrets(url));
}

/** The key in `SANDBOX_KEY`; the demo merchant's by default. */
export const merchantKey = (environment: Environment): string =>
  secretIn(environment, 'SANDBOX_KEY') ?? DEMO_KEY;

/** A key or a token in a variable; undefined if it is empty. The message about an invalid one leaves it out. */
export function secretIn(environment: Environment, variable: string): string | undefined {
  const secret = environment[variable]?.trim() || undefined;
  if (secret === undefined || isSendableKey(secret)) return secret;
  throw new UsageError(`${variable} must be printable ASCII text without spaces.`);
}

/** The JSON in a file. */
export function jsonFile(given: Command, name: string): unknown {
  const file = text(given, name);
  return file === undefined ? undefined : namingFile(given, name, () => readJsonFile(file));
}

/** A file to write at the end. Refused at the start if it cannot be written. */
export function writableFile(given: Command, name: string): string | undefined {
  const file = text(given, name);
  if (file !== undefined) namingFile(given, name, () => requireWritable(file));
  return file;
}

/** Reads or checks the file or folder of an option. Errors name the option too. */
export function namingFile<Content>(given: Command, name: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    const isAboutFile = error instanceof FileError || error instanceof FixtureError;
    throw isAboutFile ? named(error, sourceOf(given, name)) : error;
  }
}

/** An error whose message begins with the flag or variable. Several problems follow on lines of their own. */
export function named({ message }: Error, source: string): UsageError {
  const lines = message.split('\n');
  const detail = lines.length === 1 ? ` ${message}` : lines.map((line) => `\n  ${line}`).join('');
  return new UsageError(`${source}:${detail}`);
}

const invalidOption = (
  given: Command,
  name: string,
  demand: string,
  shown: string | undefined = text(given, name),
): UsageError => new UsageError(`${sourceOf(given, name)} ${demand}; got ${truncate(shown)}.`);

/** Prints a message of the program on standard error. Values in it cannot steer the terminal. */
export function tell({ err }: Pick<Terminal, 'err'>, message: string): void {
  err(`${PROGRAM}: ${message.split('\n').map(printable).join('\n')}\n`);
}

/** A line on the terminal that says how far a command is. */
export function progressLine({ err, errColumns }: Terminal) {
  if (errColumns === undefined) return undefined;
  const ERASE = '\r\u001b[K';
  // A line that fills the last column would wrap.
  const show = (what: string) => err(`${ERASE}${what.slice(0, errColumns - 1)}`);
  return { show, clear: () => err(ERASE) };
}
