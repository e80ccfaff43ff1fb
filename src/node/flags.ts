import { parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { UsageError } from './usage.ts';

/** One flag of a command, with its twin in the environment. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; a flag without is on or off. */
  readonly value?: string;
  /** Environment variables that mean the same, the first set one counts. */
  readonly twins?: readonly string[];
  readonly short?: string;
  /** What holds without the flag, for the help. */
  readonly standard?: string;
  readonly description: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What was said of a flag: its value, or whether it is on; and where, for messages. */
export interface Said {
  readonly value: string | boolean;
  readonly source: string;
}

export interface CommandLine {
  readonly said: ReadonlyMap<string, Said>;
  readonly positionals: readonly string[];
}

/** What a command line and the environment say. Flags win over their twins; an unknown flag is refused. */
export function readCommandLine(
  flags: readonly Flag[],
  args: readonly string[],
  environment: Environment,
): CommandLine {
  const said = new Map<string, Said>();
  for (const flag of flags) {
    const twin = flag.twins?.find(
      (name) => environment[name] !== undefined && environment[name] !== '',
    );
    if (twin !== undefined)
      said.set(flag.name, { value: twinValue(flag, twin, environment), source: twin });
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
    said.set(flag.name, { value: flagValue(flag, token.value), source: `--${flag.name}` });
  }
  return { said, positionals };
}

function twinValue(flag: Flag, twin: string, environment: Environment): string | boolean {
  const value = environment[twin] as string;
  if (flag.value !== undefined) return value;
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new UsageError(`${twin} must be 1 or true, or 0 or false; got "${value}".`);
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
  const nearest = closest(
    rawName,
    names.map((name) => `--${name}`),
  );
  return new UsageError(`There is no flag ${rawName}; did you mean ${nearest}? --help lists all.`);
}
