import { isBaseUrl } from '../core/base-url.ts';
import type { CommandLine, Said } from './flags.ts';
import { UsageError } from './usage.ts';

/* What flags say, read as what they mean. What can not be meant is a `UsageError` that names its source. */

/** Whether a flag without a value is on. */
export const isOn = ({ said }: CommandLine, name: string): boolean =>
  said.get(name)?.value === true;

/** What a flag says, as it was said. */
export const text = ({ said }: CommandLine, name: string): string | undefined =>
  said.get(name)?.value as string | undefined;

/** A whole number from 0 to `most`; `standard` where nothing is said. */
export function wholeNumber(
  line: CommandLine,
  name: string,
  standard: number,
  most: number,
): number {
  const given = line.said.get(name);
  if (!given) return standard;
  const number = /^\d{1,15}$/.test(String(given.value)) ? Number(given.value) : Number.NaN;
  if (number <= most) return number;
  throw unusable(given, `must be a whole number from 0 to ${most}`);
}

/** One of a few words. */
export function oneOf<V extends string>(
  line: CommandLine,
  name: string,
  values: readonly V[],
): V | undefined {
  const given = line.said.get(name);
  if (!given) return undefined;
  const value = values.find((each) => each === given.value);
  if (value !== undefined) return value;
  throw unusable(given, `must be ${values.join(' or ')}`);
}

/** An http(s) URL that paths can be put after. */
export function webAddress(line: CommandLine, name: string): string | undefined {
  const given = line.said.get(name);
  if (!given) return undefined;
  const value = String(given.value);
  if (isBaseUrl(value)) return value;
  throw unusable(given, 'must be a URL like https://sandbox.example, without ? and #');
}

const unusable = ({ value, source }: Said, demand: string): UsageError =>
  new UsageError(`${source} ${demand}; got "${value}".`);
