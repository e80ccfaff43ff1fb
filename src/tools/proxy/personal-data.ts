/*
 * What the proxy hides besides the secrets of a journal: everything personal, because it handles data of real
 * customers.
 */

import { IDENTITY_LENGTH, PHONE_LENGTH } from '../../world/limits.ts';
import { createRedact, REDACTED, type Redact, secretsOf } from '../../world/redaction.ts';

/** Field names of personal data: names, phone numbers, addresses, dates of birth and pictures. */
const PERSONAL_FIELD =
  /(?:surname|(?:first|middle|last|full|person|group|other)_?names?|next_?of_?kil?n|phone(?:_?(?:no|number))?|e?mail(?:_?address)?|address|date_?of_?birth|dob|id_url|profile_url|pin)$|next_?of_?kil?n_/i;

/** Characters of an e-mail address. */
const EMAIL_RUN = /[^\s"'<>=&?/:,;()]+/g;
const EMAIL_END = /^.*\.[a-z]{2,}/is;
/** A phone number or an identity number, possibly with the country's prefix. */
const PERSONAL_NUMBER = new RegExp(
  [...new Set([PHONE_LENGTH, IDENTITY_LENGTH])]
    .map((n) => `(?<![\\w.-])(?:\\+|%2b)?(?:234)?\\d{${n - 1},${n}}(?![\\w-])(?<=\\d{${n}})`)
    .join('|'),
  'gi',
);
/** Whether a text may be a phone number or an identity number. */
export const isPersonalNumber = (text: string): boolean =>
  /^\d+$/.test(text) && [PHONE_LENGTH, IDENTITY_LENGTH].includes(text.length);

/** Any key in a usual format, possibly of another merchant. */
const ANY_KEY = /\b(?:bearer\s+\S+|[sp]k_(?:\w+_)?\w{8,})/gi;
/** A shorter word may be part of any text. */
const MIN_NAME_LENGTH = 3;

const { isSecretField } = secretsOf(null);

/** Whether a field contains personal data or a secret. Flags such as verify_phone do not. */
const isPersonalField = (name: string): boolean =>
  (PERSONAL_FIELD.test(name) && !/^verify_/i.test(name)) || isSecretField(name);

/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 32 * 1024;

/** Redacts a personal value. Its type and length stay visible, because they may explain a difference. */
function hidePersonal(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : `${REDACTED} ${formOf(value)}`;
  if (typeof value === 'number') return `${REDACTED} number`;
  if (Array.isArray(value)) return value.map(hidePersonal);
  return typeof value === 'object' && value !== null ? REDACTED : value;
}

const formOf = (text: string): string =>
  /^\d+$/.test(text) ? `${text.length} digits` : `${text.length} characters`;

/**
 * Creates the redaction of keys and personal data of one call.
 *
 * @param key the key that was sent
 * @param bodies the bodies of request and response; personal values in them are redacted everywhere
 */
export function redactPersons(key: string | null, bodies: readonly unknown[]): Redact {
  const secrets = secretsOf(key);
  const names = new Set<string>();
  for (const body of bodies) collectNames(body, names);
  const hideNames = createNameHider(names);
  const hideIn = (text: string): string => {
    const cleared = hideNames(hidePersonalFields(secrets.hideIn(text)));
    return hideEmails(cleared.replace(ANY_KEY, REDACTED)).replace(PERSONAL_NUMBER, REDACTED);
  };
  const redact = createRedact({
    hideIn,
    isProblems,
    isSecretField: isPersonalField,
    isSecretNumber: (digits) => hideIn(digits) !== digits,
    hide: hidePersonal,
    maxLength: MAX_TEXT_LENGTH,
  });
  // The value of `errors` itself, without the body around it.
  const inside = (name: string, value: unknown) =>
    isProblems(name, value)
      ? (redact.json({ [name]: value }) as Record<string, unknown>)[name]
      : undefined;
  return { ...redact, field: (name, value) => inside(name, value) ?? redact.field(name, value) };
}

/** Whether a field of a refusal has the problems of a request by field: `{ "surname": ["The surname field is required."] }`. */
const isProblems = (name: string, value: unknown): boolean =>
  name === 'errors' &&
  typeof value === 'object' &&
  value !== null &&
  Object.values(value)
    .flat()
    .every((each) => typeof each === 'string' && each.includes(' '));

/** Collects the texts of personal fields, also in JSON inside texts, and the words of names. */
function collectNames(value: unknown, names: Set<string>, field?: string): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (field !== undefined) addWords(String(value), names, PERSON_NAME.test(field));
    else if (typeof value === 'string') collectNames(innerJson(value), names);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (isProblems(name, held)) continue;
    collectNames(held, names, field ?? (isPersonalField(name) ? name : undefined));
  }
}

/** Fields in which each word is a name. Words of a group name or an address may be ordinary words. */
const PERSON_NAME = /(?:sur|first|middle|last|full|person|other)_?names?$|next_?of_?kil?n/i;

function addWords(text: string, names: Set<string>, eachWord: boolean): void {
  for (const word of [text.trim(), ...(eachWord ? text.split(/\s+/) : [])]) {
    if (word.length >= MIN_NAME_LENGTH) names.add(word);
  }
}

/** Members of a group may be sent as JSON text. */
function innerJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const WORD = /[\p{L}\p{N}_]+/gu;
/** The longest search, in words. Longer names are searched in parts. */
const MAX_WORDS = 20;

/** Redacts names in a text if they are whole words, also percent-encoded or escaped as JSON. */
function createNameHider(names: ReadonlySet<string>): (text: string) => string {
  const known = new Set<string>();
  /** The word counts of the known names. */
  const counts = new Set<number>();
  for (const name of names) {
    for (const form of new Set([name, encodeText(name), JSON.stringify(name).slice(1, -1)])) {
      const words = [...form.matchAll(WORD)];
      for (let first = 0; first < words.length; first += MAX_WORDS) {
        const start = Math.max(0, Math.min(first, words.length - MAX_WORDS));
        const part = words.slice(start, start + MAX_WORDS);
        known.add(form.slice(part[0]?.index, endOf(part.at(-1))).toLowerCase());
        counts.add(part.length);
      }
    }
  }
  const longestFirst = [...counts].sort((a, b) => b - a);
  return (text) => {
    if (known.size === 0) return text;
    const words = [...text.matchAll(WORD)];
    let cleared = '';
    let from = 0;
    for (let place = 0; place < words.length; ) {
      const start = words[place]?.index as number;
      const count = longestFirst.find(
        (each) =>
          place + each <= words.length &&
          known.has(text.slice(start, endOf(words[place + each - 1])).toLowerCase()),
      );
      if (count !== undefined) {
        cleared += text.slice(from, start) + REDACTED;
        from = endOf(words[place + count - 1]);
      }
      place += count ?? 1;
    }
    return cleared + text.slice(from);
  };
}

const endOf = (word: RegExpExecArray | undefined): number =>
  word ? word.index + word[0].length : 0;

/** A field in a text: a form, XML, broken JSON, or JSON inside JSON. The value may be the first of a list. */
const FIELD_START = /\b(\w+)(?:\\*["'])?\s*[:=>]\s*(?:(?!\[redacted\])\[\s*)*/g;
const FIELD_VALUE = /(\\*["'])(?:[^"'\\]|\\u[0-9a-f]{4})*|(?!\\*["']|\[)[^\s,;&<}\]"'\\]+/iy;

/** Redacts the values of personal fields in a text. */
function hidePersonalFields(text: string): string {
  let cleared = '';
  let from = 0;
  for (const field of text.matchAll(FIELD_START)) {
    if (field.index < from || !isPersonalField(field[1] as string)) continue;
    FIELD_VALUE.lastIndex = endOf(field);
    const value = FIELD_VALUE.exec(text);
    if (!value) continue;
    cleared += text.slice(from, value.index) + (value[1] ?? '') + REDACTED;
    from = endOf(value);
  }
  return cleared + text.slice(from);
}

function hideEmails(text: string): string {
  if (!/@|%40/.test(text)) return text;
  return text.replace(EMAIL_RUN, (run) => {
    const at = run.search(/@|%40/);
    const end = at === -1 ? 0 : (EMAIL_END.exec(run)?.[0].length ?? 0);
    return at > 0 && end > at ? REDACTED + run.slice(end) : run;
  });
}

/** Percent-encodes a text. A text with lone surrogates stays as it is. */
function encodeText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
