/* Redaction: how secrets are hidden in texts and JSON, whatever counts as one, and what counts as one in a journal. */

/** Shown in place of a secret. */
export const REDACTED = '[redacted]';

/** What counts as a secret, and what is shown in its place. */
export interface Secrets {
  /** Replaces the secrets in a text. */
  hideIn(text: string): string;
  /** Whether a field holds a secret, whatever its value. */
  isSecretField(name: string): boolean;
  /** Whether a number is a secret. */
  isSecretNumber(digits: string): boolean;
  /** Whether a field holds messages by field, whose names say nothing of their values. Default: none does. */
  isProblems?(name: string, value: unknown): boolean;
  /** Shown in place of a secret value. */
  hide(value: unknown): unknown;
  /** The size limit of what is shown: longer texts are cut, and longer lists end. Default: none. */
  readonly maxLength?: number;
}

/** Redacts what is shown. */
export interface Redact {
  text(text: string): string;
  json(value: unknown): unknown;
  /** Redacts the value of a field, which may be a secret as a whole. */
  field(name: string, value: unknown): unknown;
}

export function createRedact(secrets: Secrets): Redact {
  const { maxLength = Number.POSITIVE_INFINITY } = secrets;
  const text = (given: string): string => secrets.hideIn(given.slice(0, maxLength));
  const json = (value: unknown): unknown => {
    let left = maxLength;
    const shown = (held: unknown, areProblems = false): unknown => {
      left -= typeof held === 'string' ? held.length : 1;
      if (typeof held === 'string') return text(held);
      if (typeof held === 'number') {
        return secrets.isSecretNumber(String(held)) ? secrets.hide(held) : held;
      }
      if (typeof held !== 'object' || held === null) return held;
      if (Array.isArray(held)) return firstOf(held).map((each) => shown(each));
      return Object.fromEntries(
        firstOf(Object.entries(held)).map(([name, inner]) => [
          text(name),
          secrets.isSecretField(name) && !areProblems
            ? secrets.hide(inner)
            : shown(inner, secrets.isProblems?.(name, inner) === true),
        ]),
      );
    };
    /** As many elements as may be shown. */
    const firstOf = <Element>(elements: readonly Element[]): readonly Element[] =>
      elements.slice(0, Math.max(0, left));
    return shown(value);
  };
  return {
    text,
    json,
    field: (name, value) => (secrets.isSecretField(name) ? secrets.hide(value) : json(value)),
  };
}

/* The secrets of a journal: the key of the call, minted keys and identity numbers. */

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

const MINTED_KEY = /\bsk(?:_|%5f)sandbox(?:_|%5f)\w+/gi;
/** A quick test: most texts without secrets do not match. */
const SUSPICIOUS = /nin|api|id.{0,3}number|sk.{1,3}sandbox/i;
/** A shorter key may be an ordinary word. */
const MIN_KEY_LENGTH = 8;

/** Redacts the parts of one call. */
export interface CallRedact extends Redact {
  /** @param name in lower case */
  header(name: string, value: string): string;
  /** @param name in lower case */
  headerName(name: string): string;
}

const same = <T>(given: T): T => given;

/** Redacts nothing. */
export const AS_SENT: CallRedact = {
  text: same,
  json: same,
  field: (_name, value) => value,
  header: (_name, value) => value,
  headerName: same,
};

/** The secrets of a call. @param key the key of the call, a secret wherever it appears */
export function secretsOf(key: string | null): Secrets {
  const known = knownKey(key);
  return {
    hideIn: (text) => {
      const cleared = known === undefined ? text : hideKey(text, known);
      if (!SUSPICIOUS.test(cleared)) return cleared;
      return redactSecrets(cleared.replace(MINTED_KEY, REDACTED));
    },
    isSecretField: (name) => SECRET_FIELD.test(name),
    isSecretNumber: (digits) => digits === known,
    hide: (value) => (value === null ? null : REDACTED),
  };
}

const knownKey = (key: string | null): string | undefined =>
  key !== null && key.length >= MIN_KEY_LENGTH ? key : undefined;

/** @param key the key of the call */
export function redactCall(key: string | null): CallRedact {
  const secrets = secretsOf(key);
  const redact = createRedact(secrets);
  const lowerKey = knownKey(key)?.toLowerCase();
  return {
    ...redact,
    header: (name, value) =>
      SECRET_HEADERS.has(name) || secrets.isSecretField(name) ? REDACTED : redact.text(value),
    headerName: (name) =>
      redact.text(lowerKey === undefined ? name : name.replaceAll(lowerKey, REDACTED)),
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
