/* Checks the options of a sandbox, and says which value is wrong and what is allowed. */

import { ANY_ORIGIN, isOrigin, originMeant } from './api/cors.ts';
import { ControlError } from './control/control-error.ts';
import { LOG_MODES } from './control/log-line.ts';
import { profileOptions } from './control/profile.ts';
import type { SandboxOptions } from './public.ts';
import { isSendableKey } from './world/merchants.ts';
import { parseUrl } from './world/platform.ts';
import { describeValue, isPlainObject, truncate } from './world/problem-texts.ts';
import { MAX_SEED } from './world/random.ts';

type Rule = readonly [
  holds: (value: unknown) => boolean,
  demand: string,
  /** Suggests a value for one that is not allowed. */
  meant?: (value: string) => string | undefined,
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

const isOneOrigin = (value: unknown): boolean => isText(value) && isOrigin(value);

/** Rules by option name; `undefined` if the code that uses the option validates it. */
export type OptionRules = Readonly<Record<string, Rule | undefined>>;

const RULES: OptionRules & Readonly<Record<keyof SandboxOptions, Rule | undefined>> = {
  now: undefined,
  clock: [
    (value) => value === 'running' || value === 'frozen' || typeof value === 'function',
    '"running", "frozen" or a function that returns the time',
  ],
  seed: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_SEED,
    `a whole number from 0 to ${MAX_SEED}`,
  ],
  fixtures: [isPlainObject, 'an object with fixture files by name'],
  autoMerchants: YES_OR_NO,
  maxMerchants: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    'a whole number of 1 or more',
  ],
  amountCheck: oneOf(profileOptions['amount-check']?.allowed),
  profile: undefined,
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
    originMeant,
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

/** An invalid option. The message begins with its name, or says what is wrong in its value. */
export class OptionError extends ControlError {
  readonly option: keyof SandboxOptions;

  constructor(option: keyof SandboxOptions, message: string, more?: ControlError['more']) {
    super(422, message, more);
    this.option = option;
  }
}

/** Runs code that parses an option. Its `ControlError` becomes an `OptionError` of that option. */
export function readOption<T>(option: keyof SandboxOptions, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new OptionError(option, error.problem.detail, error.more);
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
      const known = Object.keys(rules).join(', ');
      throw new ControlError(422, `Unknown option ${truncate(name)}. Known options: ${known}.`);
    }
    const option = name as keyof SandboxOptions;
    const [holds, demand, meant, culprit] = rules[name] ?? [];
    if (value === undefined || !holds || holds(value)) continue;
    const wrong = culprit && Array.isArray(value) ? culprit(value) : value;
    // Never print a secret, even an invalid one.
    const got = name === 'adminToken' ? '' : `; got ${truncate(wrong)}`;
    const nearest = isText(wrong) ? meant?.(wrong) : undefined;
    const end = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
    throw new OptionError(option, `${name} must be ${demand}${got}${end}`);
  }
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
