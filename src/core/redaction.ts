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
const MINTED_KEY = /\bsk(?:_|%5f)sandbox(?:_|%5f)\w+/gi;
/** What a text without a secret hardly ever has: most texts are looked at once. */
const SUSPICIOUS = /nin|api|id.{0,3}number|sk.{1,3}sandbox/i;
/** A shorter key is a word that may stand anywhere. */
const MIN_KEY_LENGTH = 8;

/** Takes the secrets out of what belongs to one call. */
export interface Redact {
  header(name: string, value: string): string;
  text(text: string): string;
  json(value: unknown): unknown;
}

/** @param key the key the call was made with, wherever else it stands */
export function createRedact(key: string | undefined): Redact {
  const known = key !== undefined && key.length >= MIN_KEY_LENGTH ? formsOf(key) : [];
  const text = (given: string): string => {
    const cleared = known.reduce((shown, form) => shown.replaceAll(form, REDACTED), given);
    if (!SUSPICIOUS.test(cleared)) return cleared;
    return cleared
      .replace(MINTED_KEY, REDACTED)
      .replace(QUOTED_VALUE, `$1$2${REDACTED}`)
      .replace(BARE_VALUE, `$1${REDACTED}`);
  };
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
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
    text,
    json,
  };
}

/** A key as it is, and as a path or a query carries it; most look the same there. */
const formsOf = (key: string): readonly string[] => [...new Set([key, encodeURIComponent(key)])];
