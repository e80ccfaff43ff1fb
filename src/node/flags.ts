import { parseArgs } from 'node:util';
import { isBaseUrl } from '../api/activity.ts';
import { nearest } from '../world/problem-texts.ts';

/** A command line that can't be followed. Its message is the one line that says so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One flag of a command, with the environment variables that mean the same. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; a flag without is on or off. */
  readonly value?: string;
  /** Environment variables that mean the same, the first set one counts. */
  readonly env?: readonly string[];
  readonly short?: string;
  /** What holds without the flag, for the help. */
  readonly default?: string;
  readonly description: string;
}

/** Flags that are about the same thing, as the help shows them. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a flag, or whether it is on; and where it comes from, for messages. */
export interface OptionValue {
  readonly value: string | boolean;
  readonly source: string;
}

export interface CommandLine {
  readonly options: ReadonlyMap<string, OptionValue>;
  readonly positionals: readonly string[];
}

/** Parses a command line and the environment. Flags win over their variables; an unknown flag is refused. */
export function readCommandLine(
  groups: readonly FlagGroup[],
  args: readonly string[],
  environment: Environment,
): CommandLine {
  const flags = groups.flatMap((group) => group.flags);
  const options = new Map<string, OptionValue>();
  for (const flag of flags) {
    const variable = flag.env?.find(
      (name) => environment[name] !== undefined && environment[name] !== '',
    );
    if (variable !== undefined) {
      const value = variableValue(flag, variable, environment);
      options.set(flag.name, { value, source: variable });
    }
  }
  const { positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      flags.map(({ name, value, short }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
      ]),
    ),
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(token.rawName, flags);
    options.set(flag.name, { value: flagValue(flag, token.value), source: `--${flag.name}` });
  }
  return { options, positionals };
}

function variableValue(flag: Flag, variable: string, environment: Environment): string | boolean {
  const value = environment[variable] as string;
  if (flag.value !== undefined) return value;
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new UsageError(`${variable} must be 1 or true, or 0 or false; got "${value}".`);
}

function flagValue(
  { name, value: placeholder }: Flag,
  value: string | undefined,
): string | boolean {
  if (placeholder === undefined) {
    if (value === undefined) return true;
    throw new UsageError(`--${name} takes no value; got "${value}".`);
  }
  if (value === undefined || value === '' || /^--[a-z]/.test(value)) {
    throw new UsageError(`--${name} needs a value: --${name} ${placeholder}.`);
  }
  return value;
}

function unknownFlag(rawName: string, flags: readonly Flag[]): UsageError {
  // Every command has this one; some have no other.
  const names = [...flags.map(({ name }) => name), 'help'];
  const meant = nearest(rawName.replace(/^-+/, ''), names);
  const hint = meant === undefined ? '; ' : `; did you mean --${meant}? `;
  return new UsageError(`There is no flag ${rawName}${hint}--help lists all.`);
}

/* The values of flags, as what they mean. Each throws a `UsageError` that names where the value comes from. */

/** Whether a flag without a value is on. */
export const isOn = ({ options }: CommandLine, name: string): boolean =>
  options.get(name)?.value === true;

/** The value of a flag as it was given. */
export const text = ({ options }: CommandLine, name: string): string | undefined =>
  options.get(name)?.value as string | undefined;

/** A whole number from 0 to `max`. */
export function wholeNumber(
  { options }: CommandLine,
  name: string,
  defaultValue: number,
  max: number,
): number {
  const option = options.get(name);
  if (!option) return defaultValue;
  const number = numberOf(option);
  if (number <= max) return number;
  throw invalidOption(option, `must be a whole number from 0 to ${max}`);
}

/** A whole number without an upper bound. */
export function atLeastOne({ options }: CommandLine, name: string, defaultValue: number): number {
  const option = options.get(name);
  if (!option) return defaultValue;
  const number = numberOf(option);
  if (number >= 1) return number;
  throw invalidOption(option, 'must be a whole number of 1 or more');
}

const numberOf = ({ value }: OptionValue): number =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN;

/** One of a few words. */
export function oneOf<V extends string>(
  { options }: CommandLine,
  name: string,
  values: readonly V[],
): V | undefined {
  const option = options.get(name);
  if (!option) return undefined;
  const value = values.find((each) => each === option.value);
  if (value !== undefined) return value;
  throw invalidOption(option, `must be ${values.join(' or ')}`);
}

/** An http(s) URL that paths can be put after. */
export function webAddress({ options }: CommandLine, name: string): string | undefined {
  const option = options.get(name);
  if (!option) return undefined;
  const value = String(option.value);
  if (isBaseUrl(value)) return value;
  const shown = { ...option, value: withoutSecrets(value) };
  throw invalidOption(shown, 'must be a URL like https://sandbox.example, without ? and #');
}

/** A URL without the places where keys and passwords stand. */
export const withoutSecrets = (url: string): string =>
  url.replace(/\/\/[^/]*@/, '//…@').replace(/([?#]).*$/s, '$1…');

/** A secret that a header can carry. A bad one is refused without being repeated. */
export function token({ options }: CommandLine, name: string): string | undefined {
  const option = options.get(name);
  if (!option) return undefined;
  const value = String(option.value);
  if (/^\S+$/.test(value)) return value;
  throw new UsageError(`${option.source} must be a text without blanks.`);
}

const invalidOption = ({ value, source }: OptionValue, demand: string): UsageError =>
  new UsageError(`${source} ${demand}; got "${value}".`);
