/* Makes any text a value that a header can have. */

/** The longest text of a header. Clients refuse responses whose headers are too long. */
const MAX_LENGTH = 500;

/**
 * Makes a text the value of a header: at most 500 characters of printable ASCII, with escapes as in JSON. A platform
 * refuses other characters only when the response is made, after the call was done.
 */
export function headerText(text: string): string {
  const ascii = text
    .slice(0, MAX_LENGTH + 1)
    .replace(
      /[^\x20-\x7e]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  if (ascii.length <= MAX_LENGTH) return ascii;
  const withoutHalfEscape = ascii.slice(0, MAX_LENGTH - 3).replace(/\\(?:u[0-9a-f]{0,3})?$/, '');
  return `${withoutHalfEscape}...`;
}
