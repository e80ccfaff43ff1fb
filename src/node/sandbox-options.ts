/* Reads the options of a sandbox from the command line, and names the flag of a wrong one. */

import type { Command } from 'commander';
import { FixtureError } from '../products/fixture-error.ts';
import type { OptionError } from '../sandbox/options.ts';
import type { SandboxOptions } from '../types/public.ts';
import { MAX_SEED } from '../world/random.ts';
import {
  isOn,
  jsonFile,
  named,
  namingFile,
  oneOf,
  sourceOf,
  text,
  wholeNumber,
} from './command.ts';
import { UsageError } from './errors.ts';
import { readFixtureFolder } from './files.ts';

/** Reads `SANDBOX_OPTIONS`. */
export function sandboxOptions(given: Command): SandboxOptions {
  const [folder, now] = [text(given, 'fixtures'), text(given, 'now')];
  return defined({
    clock: isOn(given, 'freeze') ? 'frozen' : 'running',
    seed: wholeNumber(given, 'seed', { byDefault: undefined, max: MAX_SEED }),
    autoMerchants: isOn(given, 'autoMerchants'),
    amountCheck: oneOf(given, 'amountCheck', ['exact', 'ignore']),
    now,
    fixtures: folder && namingFile(given, 'fixtures', () => readFixtureFolder(folder)),
    profile: jsonFile(given, 'profile'),
  });
}

/** The options that are set. */
export const defined = (options: Readonly<Record<string, unknown>>): SandboxOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as SandboxOptions;

/** Makes an error about a sandbox option name the flag or the variable that set it. */
export function namedAsGiven(error: unknown, given: Command): unknown {
  if (error instanceof FixtureError) return named(error, sourceOf(given, 'fixtures'));
  const { option, message, problem } = error as Partial<OptionError>;
  if (option === undefined || message === undefined) return error;
  // One line, as for every invalid flag.
  const said = problem?.detail ?? message;
  const source = sourceOf(given, option);
  return new UsageError(
    said.startsWith(`${option} `) ? `${source}${said.slice(option.length)}` : `${source}: ${said}`,
  );
}
