/** Replaces a key or an identity number. */
export const REDACTED = '[redacted]';

const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
]);

// In a query or a form the separator may be percent-encoded.
const BETWEEN = '(?:[_-]|%5f|%2d)?';
/** The documented motor sample calls it `id_number`. */
const FIELD = `(?:nin|(?:nin|id)${BETWEEN}number|api${BETWEEN}key)`;
const SECRET_FIELD = new RegExp(`^${FIELD}$`, 'i');
/*
 * The same fields in a text: a form, XML, broken JSON, or JSON inside JSON, whose quotes are escaped. The value may be
 * the first of a list. Redacted values stay, because a restored journal is redacted again.
 */
const NAMED = `(\\b${FIELD}(?:\\\\*["'])?\\s*[:=>]\\s*(?:(?!\\[redacted\\])\\[\\s*)*)`;
const QUOTED_VALUE = new RegExp(`${NAMED}(\\\\*["'])(?:[^"'\\\\]|\\\\u[0-9a-f]{4})*`, 'gi');
const BARE_VALUE = new RegExp(`${NAMED}(?!\\\\*["']|\\[)[^\\s,;&<}\\]"'\\\\]+`, 'gi');

const redactSecrets = (text: string): string =>
  text.replace(QUOTED_VALUE, `$1$2${REDACTED}`).replace(BARE_VALUE, `$1${REDACTED}`);

/** Whether a field holds a key or an identity number. */
export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name);

const MINTED_KEY = /\bsk(?:_|%5f)sandbox(?:_|%5f)\w+/gi;
/** A quick test: most texts without secrets do not match. */
const SUSPICIOUS = /nin|api|id.{0,3}number|sk.{1,3}sandbox/i;
/** A shorter key may be an ordinary word. */
const MIN_KEY_LENGTH = 8;

/** Redacts the parts of one call. */
export interface Redact {
  header(name: string, value: string): string;
  /** @param name in lower case */
  headerName(name: string): string;
  text(text: string): string;
  json(value: unknown): unknown;
}

const same = <T>(given: T): T => given;

/** Redacts nothing. */
export const AS_SENT: Redact = {
  header: (_name, value) => value,
  headerName: same,
  text: same,
  json: same,
};

/** @param key the key of the call, redacted wherever it appears */
export function createRedact(key: string | null): Redact {
  const known = key !== null && key.length >= MIN_KEY_LENGTH ? key : undefined;
  const text = (given: string): string => {
    const cleared = known === undefined ? given : hideKey(given, known);
    if (!SUSPICIOUS.test(cleared)) return cleared;
    return redactSecrets(cleared.replace(MINTED_KEY, REDACTED));
  };
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return String(value) === known ? REDACTED : value;
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [
        text(name),
        SECRET_FIELD.test(name) && held !== null ? REDACTED : json(held),
      ]),
    );
  };
  return {
    header: (name, value) =>
      SECRET_HEADERS.has(name) || SECRET_FIELD.test(name) ? REDACTED : text(value),
    headerName: (name) =>
      text(known === undefined ? name : name.replaceAll(known.toLowerCase(), REDACTED)),
    text,
    json,
  };
}

/** An escaped character: percent-encoded, or escaped in JSON. JSON inside JSON has more backslashes. */
const ESCAPE = /%([0-9a-f]{2})|\\{1,7}(?:u([0-9a-f]{4})|(?=["/]))/gi;

/** Redacts a key in a text, even if some of its characters are escaped. */
function hideKey(text: string, key: string): string {
  const hidden = hideSpans(text, text, key);
  if (!/[%\\]/.test(hidden)) return hidden;
  let decoded = hidden.replace(ESCAPE, decodeEscape);
  let cleared = hidden;
  for (const form of new Set([key, percentDecoded(key)])) {
    if (!decoded.includes(sought(form))) continue;
    cleared = hideSpans(cleared, decoded, form, placesIn(cleared));
    decoded = cleared.replace(ESCAPE, decodeEscape);
  }
  return cleared;
}

const decodeEscape = (_: string, percent?: string, unicode?: string): string => {
  const digits = percent ?? unicode;
  return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16));
};

/** A key with one character per UTF-8 byte, as `ESCAPE` decodes its percent-encoded form. */
const percentDecoded = (key: string): string =>
  String.fromCharCode(...new TextEncoder().encode(key));

/** The position of each decoded character in the escaped text, and the end. */
function placesIn(text: string): number[] {
  const places: number[] = [];
  const addUpTo = (from: number, to: number) => {
    for (let place = from; place < to; place++) places.push(place);
  };
  let from = 0;
  for (const found of text.matchAll(ESCAPE)) {
    addUpTo(from, found.index);
    if (found[1] ?? found[2]) places.push(found.index);
    from = found.index + found[0].length;
  }
  addUpTo(from, text.length + 1);
  return places;
}

/** Searches only for the beginning of a long key, because searching for all of it could be slow. */
const sought = (key: string): string => key.slice(0, 64);

/**
 * Redacts a key in a text. A text that begins like a long key is redacted as far as it matches.
 *
 * @param decoded the text without escapes
 * @param places the position of each decoded character in the text
 */
function hideSpans(text: string, decoded: string, key: string, places?: readonly number[]): string {
  const start = sought(key);
  const placeOf = (place: number) => (places ? (places[place] as number) : place);
  let cleared = '';
  let from = 0;
  let end = 0;
  for (;;) {
    const at = decoded.indexOf(start, end);
    if (at === -1) return cleared + text.slice(from);
    end = at + start.length;
    while (end < decoded.length && decoded[end] === key[end - at]) end++;
    cleared += text.slice(from, placeOf(at)) + REDACTED;
    from = placeOf(end);
  }
}

/*
 * The proxy handles data of real customers, so it also redacts everything personal in what it stores or shows.
 */

/** Field names of personal data: names, phone numbers, addresses, dates of birth and pictures. */
const PERSONAL_FIELD =
  /(?:surname|(?:first|middle|last|full|person|group|other)_?names?|next_?of_?kil?n|phone(?:_?(?:no|number))?|e?mail(?:_?address)?|address|date_?of_?birth|dob|id_url|profile_url|pin)$|next_?of_?kil?n_/i;

/** Characters of an e-mail address. */
const EMAIL_RUN = /[^\s"'<>=&?/:,;()]+/g;
const EMAIL_END = /^.*\.[a-z]{2,}/is;
/** A phone number or an identity number, possibly with the country's prefix. */
const ELEVEN_DIGITS = /(?<![\w.-])(?:\+|%2b)?(?:234)?\d{10,11}(?![\w-])(?<=\d{11})/gi;
/** Any key in a usual format, possibly of another merchant. */
const ANY_KEY = /\b(?:bearer\s+\S+|[sp]k_(?:\w+_)?\w{8,})/gi;
/** A shorter word may be part of any text. */
const MIN_NAME_LENGTH = 3;

/** Whether a field contains personal data or a secret. Flags such as verify_phone do not. */
export const isPersonalField = (name: string): boolean =>
  (PERSONAL_FIELD.test(name) && !/^verify_/i.test(name)) || isSecretField(name);

/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 32 * 1024;

/** Redacts a personal value. Its type and length stay visible, because they may explain a difference. */
export function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : `${REDACTED} ${formOf(value)}`;
  if (typeof value === 'number') return `${REDACTED} number`;
  if (Array.isArray(value)) return value.map(hidden);
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
export function createPersonalRedact(key: string | null, bodies: readonly unknown[]): Redact {
  const redact = createRedact(key);
  const names = new Set<string>();
  for (const body of bodies) collectNames(body, names);
  const hideNames = createNameHider(names);
  const text = (given: string): string => {
    const cleared = redact.text(given.slice(0, MAX_TEXT_LENGTH));
    return hideEmails(hideNames(hidePersonalFields(cleared)).replace(ANY_KEY, REDACTED)).replace(
      ELEVEN_DIGITS,
      REDACTED,
    );
  };
  const json = (value: unknown): unknown => {
    let left = MAX_TEXT_LENGTH;
    const shown = (held: unknown): unknown => {
      left -= typeof held === 'string' ? held.length : 1;
      if (typeof held === 'string') return text(held);
      if (typeof held === 'number') return text(`${held}`) === `${held}` ? held : hidden(held);
      if (typeof held !== 'object' || held === null) return held;
      if (Array.isArray(held)) return firstOf(held).map(shown);
      return Object.fromEntries(
        firstOf(Object.entries(held)).map(([name, inner]) => [
          text(name),
          isPersonalField(name) ? hidden(inner) : shown(inner),
        ]),
      );
    };
    /** As many elements as may be shown. */
    const firstOf = <Element>(elements: readonly Element[]): readonly Element[] =>
      elements.slice(0, Math.max(0, left));
    return shown(value);
  };
  return {
    header: (name, value) => text(redact.header(name, value)),
    headerName: (name) => text(redact.headerName(name)),
    text,
    json,
  };
}

/** Collects the texts of personal fields, also in JSON inside texts, and the words of names. */
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
