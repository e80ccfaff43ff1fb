/* Reads the options of a sandbox from the command line, and names the flag of a wrong one. */

import type { Command } from 'commander';
import { FixtureError } from '../products/fixture-error.ts';
import type { OptionError } from '../sandbox/options.ts';
import type { SandboxOptions } from '../types/public.ts';
import { isOn, jsonFile, named, namingFile, sourceOf, text } from './command.ts';
import { UsageError } from './errors.ts';
import { readFixtureFolder } from './files.ts';

/** Reads `SANDBOX_OPTIONS`. */
export function sandboxOptions(given: Command): SandboxOptions {
  const [folder, now] = [text(given, 'fixtures'), text(given, 'now')];
  return defined({
    clock: isOn(given, 'freeze') ? 'frozen' : 'running',
    seed: numberOrText(given, 'seed'),
    autoMerchants: isOn(given, 'autoMerchants'),
    amountCheck: text(given, 'amountCheck'),
    now,
    fixtures: folder && namingFile(given, 'fixtures', () => readFixtureFolder(folder)),
    profile: jsonFile(given, 'profile'),
  });
}

/** A number, or a text that is none, for the rule of the option to refuse. */
export function numberOrText(given: Command, name: string): number | string | undefined {
  const value = text(given, name);
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : value;
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
