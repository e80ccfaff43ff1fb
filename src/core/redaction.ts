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
const named = (field: string) =>
  `(\\b${field}(?:\\\\*["'])?\\s*[:=>]\\s*(?:(?!\\[redacted\\])\\[\\s*)*)`;
const quotedValue = (field: string) =>
  new RegExp(`${named(field)}(\\\\*["'])(?:[^"'\\\\]|\\\\u[0-9a-f]{4})*`, 'gi');
const bareValue = (field: string) =>
  new RegExp(`${named(field)}(?!\\\\*["']|\\[)[^\\s,;&<}\\]"'\\\\]+`, 'gi');

/** Takes the values of such fields out of a text; a field is the source of a pattern without groups. */
export function redactNamed(field: string): (text: string) => string {
  const [quoted, bare] = [quotedValue(field), bareValue(field)];
  return (text) => text.replace(quoted, `$1$2${REDACTED}`).replace(bare, `$1${REDACTED}`);
}

const redactSecrets = redactNamed(FIELD);

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
  let escaped: RegExp | undefined;
  const text = (given: string): string => {
    let cleared = given;
    if (known !== undefined) {
      cleared = cleared.replaceAll(known, REDACTED);
      if (/[%\\]/.test(cleared)) {
        escaped ??= escapedForms(known);
        cleared = cleared.replace(escaped, REDACTED);
      }
    }
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
 * A key in which any character may be escaped: percent-encoded as a path, a query or a form carries it, or as
 * JSON writes it in a text. JSON inside of JSON has more backslashes, but not so many that a body full of them
 * could make this slow.
 */
function escapedForms(key: string): RegExp {
  const forms = [...key].map((character) => {
    const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
    const percent = [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte, 2)}`);
    const json = `\\\\{1,7}u${hex(character.charCodeAt(0), 4)}`;
    const quoted = /["/]/.test(character) ? '\\\\{0,7}' : '';
    return `(?:${quoted}${literal}|${percent.join('')}|${json})`;
  });
  return new RegExp(forms.join(''), 'g');
}

/** A number in hexadecimal digits, each letter in either case. */
const hex = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
