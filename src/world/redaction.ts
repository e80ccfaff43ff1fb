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
}

const same = <T>(given: T): T => given;

/** Redacts nothing. */
export const AS_SENT: CallRedact = {
  text: same,
  json: same,
  field: (_name, value) => value,
  header: (_name, value) => value,
};

/** @param key the key of a call, a secret wherever it appears */
export type Redaction = (key: string | null) => CallRedact;

/** @param personal the fields that identify a person, as their schemas name them */
export function createRedaction(personal: readonly string[]): Redaction {
  const { isSecretField, isSuspicious, hideFields } = secretFields([...personal, KEY_FIELD]);
  const create = (key: string | null): CallRedact => {
    const secretKey = key !== null && key.length >= MIN_KEY_LENGTH ? key : undefined;
    const pattern = secretKey === undefined ? undefined : keyPattern(secretKey);
    const text = (shown: string): string => {
      const cleared = pattern ? shown.replace(pattern, REDACTED) : shown;
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
    const header = (name: string, value: string): string =>
      SECRET_HEADERS.has(name) || isSecretField(name) ? REDACTED : text(value);
    return { text, json, field, header };
  };
  // Calls in a row have the same key, and its pattern takes long to make.
  let latest = { key: null as string | null, redact: create(null) };
  return (key) => {
    if (key !== latest.key) latest = { key, redact: create(key) };
    return latest.redact;
  };
}

/** Of a longer key this many characters are sought, and what follows them is hidden up to the next blank. */
const SOUGHT_LENGTH = 64;

/** Finds a key in any case, even if some of its characters are escaped. */
function keyPattern(key: string): RegExp {
  const sought = [...key.slice(0, SOUGHT_LENGTH)].map(formsOf).join('');
  return new RegExp(key.length > SOUGHT_LENGTH ? `${sought}[!-~]*` : sought, 'gi');
}

/** A character as it is, percent-encoded, or escaped in JSON. JSON inside JSON has more backslashes. */
function formsOf(character: string): string {
  const plain = character.replace(/\W/, '\\$&');
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:\\\\{0,7}${plain}|%${hex}|\\\\{1,7}u00${hex})`;
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
