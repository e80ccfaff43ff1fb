/* Makes texts from outside safe to show on one line of a terminal, a log or a message. */

/**
 * Characters that break the line, move the cursor, colour a terminal, reverse the text or show nothing, and halves of
 * characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes a text from outside safe to show on one line, with escapes as in JSON. JSON stays the same JSON. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, '0')}`,
  ).join('');

/** Shows any value as JSON on one line. What someone wrote stays inside its quotes. */
export function quoted(value: unknown): string {
  if (['number', 'bigint', 'symbol'].includes(typeof value)) return printable(String(value));
  if (typeof value === 'function') return 'a function';
  try {
    return printable(JSON.stringify(value) ?? 'nothing');
  } catch {
    return 'a value that is not JSON';
  }
}

/** A word as a shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The beginning of a text that has more than `most` characters. The cut may leave half a character. */
export const cut = (text: string, length: number, most = length): string =>
  text.length > most ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;

const MAX_CHARACTERS = 160;

/** A text on one line, cut if it is long. */
export function truncateLine(text: string, max = MAX_CHARACTERS): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return printable(line.length <= max ? line : `${line.slice(0, max)}…`);
}
