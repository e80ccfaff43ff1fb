/* Checks the options of a sandbox, and says which value is wrong and what is allowed. */

import { ANY_ORIGIN, isOrigin, originMeant } from '../api/cors.ts';
import { ControlError } from '../control/control-error.ts';
import { MOMENT_FORM, momentToText, readMoment } from '../control/fields.ts';
import { LOG_MODES } from '../control/log-line.ts';
import { profileOptions } from '../control/profile.ts';
import type { Moment, SandboxOptions } from '../types/public.ts';
import { isClockInstant } from '../world/clock.ts';
import { isSendableKey } from '../world/merchants.ts';
import { parseUrl } from '../world/platform.ts';
import { describeValue, didYouMean, isPlainObject, truncate } from '../world/problem-texts.ts';
import { MAX_SEED } from '../world/random.ts';
import type { ServerOptions } from './start-options.ts';

type Rule = readonly [
  holds: (value: unknown) => boolean,
  demand: string,
  /** Says what to write instead of a text that is not allowed. */
  advice?: (value: string) => string | undefined,
  /** Finds what is wrong in a list. */
  culprit?: (values: readonly unknown[]) => unknown,
];

export const oneOf = (words: unknown): Rule => {
  const allowed = words as readonly unknown[];
  return [(value) => allowed.includes(value), allowed.map((word) => `"${word}"`).join(' or ')];
};

const YES_OR_NO: Rule = [(value) => typeof value === 'boolean', 'true or false'];

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a text is an http(s) URL to which paths can be added. */
export const isBaseUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#][^\s?#]*$/i.test(text) && parseUrl(text) !== undefined;

const originAdvice = (text: string): string | undefined => {
  const origin = originMeant(text);
  return origin === undefined ? undefined : `did you mean "${origin}"?`;
};

/** Code that reads a JSON file. */
const readingJson = (path: string): string => `JSON.parse(readFileSync(${truncate(path)}, 'utf8'))`;

const isOneOrigin = (value: unknown): boolean => isText(value) && isOrigin(value);

/** Rules by option name; `undefined` if the code that uses the option validates it. */
export type OptionRules = Readonly<Record<string, Rule | undefined>>;

const RULES: OptionRules & Readonly<Record<keyof SandboxOptions, Rule | undefined>> = {
  now: [(value) => isClockInstant(readMoment(momentToText(value as Moment))), MOMENT_FORM],
  clock: [
    (value) => value === 'running' || value === 'frozen' || typeof value === 'function',
    '"running", "frozen" or a function that returns the time',
  ],
  seed: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_SEED,
    `a whole number from 0 to ${MAX_SEED}`,
  ],
  fixtures: [
    isPlainObject,
    'an object with fixture files by name',
    (folder) =>
      `read each file: { 'products.json': ${readingJson(`${folder.replace(/\/$/, '')}/products.json`)} }.`,
  ],
  autoMerchants: YES_OR_NO,
  maxMerchants: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    'a whole number of 1 or more',
  ],
  amountCheck: oneOf(profileOptions['amount-check']?.allowed),
  profile: [
    (value) => !isText(value),
    'the content of a profile file',
    (file) => `read the file: ${readingJson(file)}.`,
  ],
  publicUrl: [
    (value) => isText(value) && isBaseUrl(value),
    'a URL like https://sandbox.example, without ? and #',
  ],
  cors: [
    (value) => {
      const values = Array.isArray(value) ? value : [value];
      return values.every(isOneOrigin) || (values.length === 1 && values[0] === ANY_ORIGIN);
    },
    'an origin as browsers send it, such as http://localhost:5173, a list of them, or * alone',
    originAdvice,
    (values) => values.find((value) => !isOneOrigin(value)),
  ],
  adminToken: [
    (value) => isText(value) && isSendableKey(value),
    'a non-empty string without spaces, of printable ASCII characters',
  ],
  redact: YES_OR_NO,
  log: oneOf(['off', ...LOG_MODES]),
  onCall: [(value) => typeof value === 'function', 'a function that takes a journal entry'],
};

/** The rules of the options that only servers have. */
export const SERVER_RULES: OptionRules &
  Readonly<Record<Exclude<keyof ServerOptions, keyof SandboxOptions>, Rule>> = {
  port: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    'a whole number from 0 to 65535',
  ],
  host: [(value) => isText(value) && value !== '', 'a host name or IP address'],
  state: [(value) => isText(value) && value !== '', 'the path of a file'],
};

/** An invalid option. The message begins with its name, or says what is wrong in its value. */
export class OptionError extends ControlError {
  readonly option: keyof SandboxOptions;

  constructor(option: keyof SandboxOptions, message: string, problems?: readonly string[]) {
    super(422, message, problems);
    this.option = option;
  }
}

/** Runs code that parses an option. Its `ControlError` becomes an `OptionError` of that option. */
export function readOption<T>(option: keyof SandboxOptions, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new OptionError(option, error.problem.detail, error.problem.errors);
  }
}

/**
 * Refuses unknown options and invalid values. TypeScript finds most of them, but in JavaScript a misspelt option would
 * be ignored, and an admin token that is a number would let everybody in.
 *
 * @param more rules of further options
 */
export function validateOptions(options: object, more: OptionRules = {}): void {
  const rules: OptionRules = { ...RULES, ...more };
  if (!isPlainObject(options)) {
    throw new ControlError(422, `Options must be an object; got ${describeValue(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) {
      const problem = Object.hasOwn(SERVER_RULES, name)
        ? `Unknown option "${name}": only startSandbox and the kit for Playwright, which listen on a port, take it.`
        : unknownOption(name, Object.keys(rules));
      throw new ControlError(422, problem);
    }
    const option = name as keyof SandboxOptions;
    const [holds, demand, advice, culprit] = rules[name] ?? [];
    if (value === undefined || !holds || holds(value)) continue;
    const wrong = culprit && Array.isArray(value) ? culprit(value) : value;
    // Never print a secret, even an invalid one.
    const got = name === 'adminToken' ? '' : `; got ${truncate(wrong)}`;
    const advised = isText(wrong) ? advice?.(wrong) : undefined;
    const end = advised === undefined ? '.' : `; ${advised}`;
    throw new OptionError(option, `${name} must be ${demand}${got}${end}`);
  }
}

/** The problem with an unknown option. */
export function unknownOption(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known, '.');
  return `Unknown option ${truncate(name)}${hint} Known options: ${known.join(', ')}.`;
}

/** Reads origins in a flag or a variable: one, or several with commas. The rules of the option refuse invalid ones. */
export const splitOrigins = (text: string | undefined): string | string[] | undefined =>
  text?.includes(',') ? text.split(',').map((each) => each.trim()) : text;

/** The allowed CORS origins, or only `*`. */
export const allowedOrigins = ({ cors = [] }: Pick<SandboxOptions, 'cors'>): readonly string[] =>
  typeof cors === 'string' ? [cors] : [...cors];

/** The base of page URLs without a trailing slash; undefined if it is that of each request. */
export const publicUrlOf = ({ publicUrl }: Pick<SandboxOptions, 'publicUrl'>): string | undefined =>
  publicUrl?.replace(/(?<!\/)\/+$/, '');
