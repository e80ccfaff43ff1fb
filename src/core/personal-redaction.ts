import { createRedact, isSecretField, REDACTED, type Redact, redactNamed } from './redaction.ts';

/*
 * Whoever stands between a merchant and the real service carries real customers: what says who they are is
 * taken out of everything that is kept or shown, besides what is taken out of every journal.
 */

/** Names, phone numbers, addresses of any kind, days of birth, pictures; flags such as verify_phone are none. */
const PERSON = `(?!verify_)\\w*?(?:surname|(?:first|middle|last|full|person|group|other)_?names?|next_?of_?kil?n(?:_\\w+)?|phone(?:_?(?:no|number))?|e?mail(?:_?address)?|address|date_?of_?birth|dob|id_url|profile_url|pin)`;
const PERSONAL_FIELD = new RegExp(`^${PERSON}$`, 'i');
const redactPersons = redactNamed(PERSON);

const EMAIL = /[^\s"'<>@=&?/:,;()]+(?:@|%40)[^\s"'<>@=&?/:,;()]+\.[a-z]{2,}/gi;
/** A phone number or an identity number, also with the country's prefix. */
const ELEVEN_DIGITS = /(?<![\w.-])(?:\+|%2b)?(?:234)?\d{10,11}(?![\w-])(?<=\d{11})/gi;
/** A key that somebody else was given, as providers write them. */
const ANY_KEY = /\b(?:bearer\s+\S+|[sp]k_(?:\w+_)?\w{8,})/gi;
/** A shorter word may stand anywhere. */
const MIN_NAME_LENGTH = 3;

/** Whether a field holds something that nobody else should see. */
export const isPersonalField = (name: string): boolean =>
  PERSONAL_FIELD.test(name) || isSecretField(name);

/** What stands where something personal was: its form still shows, as that may be what differs. */
export function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : `${REDACTED} ${formOf(value)}`;
  if (typeof value === 'number') return `${REDACTED} number`;
  if (Array.isArray(value)) return value.map(hidden);
  return typeof value === 'object' && value !== null ? REDACTED : value;
}

const formOf = (text: string): string =>
  /^\d+$/.test(text) ? `${text.length} digits` : `${text.length} characters`;

/**
 * Takes keys and persons out of what belongs to one call.
 *
 * @param key the key that was sent
 * @param bodies what was sent and answered: the persons in it are hidden wherever else they stand
 */
export function createPersonalRedact(key: string | null, bodies: readonly unknown[]): Redact {
  const redact = createRedact(key);
  const names = new Set<string>();
  for (const body of bodies) collectNames(body, names);
  const known = patternOf(names);
  const text = (given: string): string =>
    redactPersons(redact.text(given))
      .replace(known, REDACTED)
      .replace(ANY_KEY, REDACTED)
      .replace(EMAIL, REDACTED)
      .replace(ELEVEN_DIGITS, REDACTED);
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return text(`${value}`) === `${value}` ? value : hidden(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [
        text(name),
        isPersonalField(name) ? hidden(held) : json(held),
      ]),
    );
  };
  return {
    header: (name, value) => text(redact.header(name, value)),
    headerName: (name) => text(redact.headerName(name)),
    text,
    json,
  };
}

/** The texts of every personal field, those of JSON inside of texts too, and the words of names. */
function collectNames(value: unknown, names: Set<string>, field?: string): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (field !== undefined) addWords(String(value), names, PERSON_NAME.test(field));
    else if (typeof value === 'string') collectNames(innerJson(value), names);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    collectNames(held, names, field ?? (isPersonalField(name) ? name : undefined));
  }
}

/** Fields whose words are names each; those of a group or an address may stand anywhere. */
const PERSON_NAME = /(?:sur|first|middle|last|full|person|other)_?names?$|next_?of_?kil?n/i;

function addWords(text: string, names: Set<string>, eachWord: boolean): void {
  for (const word of [text.trim(), ...(eachWord ? text.split(/\s+/) : [])]) {
    if (word.length >= MIN_NAME_LENGTH) names.add(word);
  }
}

/** Members of a group may be sent as a text of JSON. */
function innerJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Any of these words, also as a URL carries it. */
function patternOf(names: ReadonlySet<string>): RegExp {
  const forms = [...names]
    .flatMap((name) => [...new Set([name, encodeText(name), JSON.stringify(name).slice(1, -1)])])
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (forms.length === 0) return /(?!)/g;
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
}

/** A text as a URL carries it; lone surrogates can't be carried. */
function encodeText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
