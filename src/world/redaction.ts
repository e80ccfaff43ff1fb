/* Redaction: how a journal hides the key of its call, minted keys and the fields that identify a person. */

/** Shown in place of a secret. */
export const REDACTED = '[redacted]';

const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
]);

/** The field of a merchant's key in the control plane. */
const KEY_FIELD = 'api_key';

const MINTED_KEY = /\bsk(?:_|%5f)sandbox(?:_|%5f)\w+/gi;
/** A shorter key may be an ordinary word. */
const MIN_KEY_LENGTH = 8;

/** Redacts the parts of one call. */
export interface CallRedact {
  text(text: string): string;
  json(value: unknown): unknown;
  /** Redacts the value of a field, which may be a secret as a whole. */
  field(name: string, value: unknown): unknown;
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

/** @param key the key of a call, a secret wherever it appears */
export type Redaction = (key: string | null) => CallRedact;

/** @param personal the fields that identify a person, as their schemas name them */
export function createRedaction(personal: readonly string[]): Redaction {
  const { isSecretField, isSuspicious, hideFields } = secretFields([...personal, KEY_FIELD]);
  return (key) => {
    const secretKey = key !== null && key.length >= MIN_KEY_LENGTH ? key : undefined;
    const text = (shown: string): string => {
      const cleared = secretKey === undefined ? shown : hideKey(shown, secretKey);
      return isSuspicious(cleared) ? hideFields(cleared.replace(MINTED_KEY, REDACTED)) : cleared;
    };
    const json = (value: unknown): unknown => {
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return String(value) === secretKey ? REDACTED : value;
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(json);
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [text(name), field(name, inner)]),
      );
    };
    const field = (name: string, value: unknown): unknown => {
      if (!isSecretField(name)) return json(value);
      return value === null ? null : REDACTED;
    };
    const lowerKey = secretKey?.toLowerCase();
    return {
      text,
      json,
      field,
      header: (name, value) =>
        SECRET_HEADERS.has(name) || isSecretField(name) ? REDACTED : text(value),
      headerName: (name) =>
        text(lowerKey === undefined ? name : name.replaceAll(lowerKey, REDACTED)),
    };
  };
}

// In a query or a form the separator may be percent-encoded.
const BETWEEN = '(?:[_-]|%5f|%2d)?';

/** How secret fields are found, in whatever case and with whatever separators. */
function secretFields(names: readonly string[]) {
  const fields = `(?:${names.map((name) => name.replaceAll('_', BETWEEN)).join('|')})`;
  const name = new RegExp(`^${fields}$`, 'i');
  // A quick test: most texts without secrets do not match.
  const suspicious = new RegExp(`${fields}|sk.{1,3}sandbox`, 'i');
  /*
   * The same fields in a text: a form, XML, broken JSON, or JSON inside JSON, whose quotes are escaped. The value may be
   * the first of a list. Redacted values stay, because a restored journal is redacted again.
   */
  const named = `(\\b${fields}(?:\\\\*["'])?\\s*[:=>]\\s*(?:(?!\\[redacted\\])\\[\\s*)*)`;
  const quotedValue = new RegExp(`${named}(\\\\*["'])(?:[^"'\\\\]|\\\\u[0-9a-f]{4})*`, 'gi');
  const bareValue = new RegExp(`${named}(?!\\\\*["']|\\[)[^\\s,;&<}\\]"'\\\\]+`, 'gi');
  return {
    isSecretField: (field: string) => name.test(field),
    isSuspicious: (text: string) => suspicious.test(text),
    hideFields: (text: string) =>
      text.replace(quotedValue, `$1$2${REDACTED}`).replace(bareValue, `$1${REDACTED}`),
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
