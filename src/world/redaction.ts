/** What stands where a key or an identity number stood. */
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
/** `id_number` is what the documented motor sample calls it. */
const FIELD = `(?:nin|(?:nin|id)${BETWEEN}number|api${BETWEEN}key)`;
const SECRET_FIELD = new RegExp(`^${FIELD}$`, 'i');
/*
 * The same fields in a text: a form, XML, broken JSON, or JSON inside of JSON, so that quotes may be
 * escaped; the value may be the first of a list. What is redacted already stays as it is: a journal goes
 * through here again when it is restored.
 */
const NAMED = `(\\b${FIELD}(?:\\\\*["'])?\\s*[:=>]\\s*(?:(?!\\[redacted\\])\\[\\s*)*)`;
const QUOTED_VALUE = new RegExp(`${NAMED}(\\\\*["'])(?:[^"'\\\\]|\\\\u[0-9a-f]{4})*`, 'gi');
const BARE_VALUE = new RegExp(`${NAMED}(?!\\\\*["']|\\[)[^\\s,;&<}\\]"'\\\\]+`, 'gi');

const redactSecrets = (text: string): string =>
  text.replace(QUOTED_VALUE, `$1$2${REDACTED}`).replace(BARE_VALUE, `$1${REDACTED}`);

/** Whether a field holds a key or an identity number. */
export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name);

const MINTED_KEY = /\bsk(?:_|%5f)sandbox(?:_|%5f)\w+/gi;
/** What a text without a secret hardly ever has: most texts are looked at once. */
const SUSPICIOUS = /nin|api|id.{0,3}number|sk.{1,3}sandbox/i;
/** A shorter key is a word that may stand anywhere. */
const MIN_KEY_LENGTH = 8;

/** Takes the secrets out of what belongs to one call. */
export interface Redact {
  header(name: string, value: string): string;
  /** @param name in lower case */
  headerName(name: string): string;
  text(text: string): string;
  json(value: unknown): unknown;
}

const same = <T>(given: T): T => given;

/** Takes nothing out. */
export const AS_SENT: Redact = {
  header: (_name, value) => value,
  headerName: same,
  text: same,
  json: same,
};

/** @param key the key that authenticated the call, wherever else it stands */
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

/**
 * What a character may be escaped as: percent-encoded as a path, a query or a form carries it, or as JSON writes it in
 * a text. JSON inside of JSON has more backslashes.
 */
const ESCAPE = /%([0-9a-f]{2})|\\{1,7}(?:u([0-9a-f]{4})|(?=["/]))/gi;

/** Takes a key out of a text, whichever of its characters are escaped there. */
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

/** A key as it reads once each percent escape has become a character: one for each of its UTF-8 bytes. */
const percentDecoded = (key: string): string =>
  String.fromCharCode(...new TextEncoder().encode(key));

/** Where each character of a text without its escapes stands in the text, and where that ends. */
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

/** A long key is found by its beginning: to look for all of it could cost its length at every place of a text. */
const sought = (key: string): string => key.slice(0, 64);

/**
 * Takes a key out of a text. What begins like a long key is taken out as far as it matches.
 *
 * @param decoded the text without its escapes
 * @param places where each character of that stands in the text
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
