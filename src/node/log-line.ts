/* What the lines of a log are made of. */

let shownSecond: number | undefined;
let shown = '';

/** Local time of day: `12:01:07`. It is asked for with every line, and made once a second. */
export function timeOfDay(at: number): string {
  const second = Math.floor(at / 1000);
  if (second !== shownSecond) {
    const moment = new Date(at);
    shown = [moment.getHours(), moment.getMinutes(), moment.getSeconds()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
    shownSecond = second;
  }
  return shown;
}

/** What would move the cursor, colour the terminal, break the line, or turn the order of its letters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text that others chose, as one line can show it: what is no letter is escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) =>
      SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
