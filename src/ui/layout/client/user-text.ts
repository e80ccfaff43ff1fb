/*
 * Texts from users and servers next to the page's own. `bdi` alone is not enough: it isolates its content with an opening
 * and a closing mark, and marks in the content can end that isolate early or keep it open.
 */

/** Longer names, paths and tokens are cut, so that the text after them stays visible. */
const MAX_SHOWN = 200;

export const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;

/** Control characters that end a paragraph and every isolate. Pages show them as spaces. */
const SEPARATORS = /[^\P{Cc}\n\t]|\u2029/gu;
const ISOLATE_MARKS = /[\u2066-\u2069]/g;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * Keeps a text inside the isolate around it, such as `bdi`: closes open marks within the line, and removes closing marks
 * without an opening one.
 */
export const balanceIsolates = (text: string): string =>
  text.replaceAll(SEPARATORS, ' ').split('\n').map(balanceLine).join('\n');

function balanceLine(line: string): string {
  let open = 0;
  const held = line.replaceAll(ISOLATE_MARKS, (mark) => {
    if (mark !== POP_ISOLATE) open += 1;
    else if (open > 0) open -= 1;
    else return '';
    return mark;
  });
  return held + POP_ISOLATE.repeat(open);
}

/** Puts a text into its own isolate, for titles and options, which contain no elements. Not for text to copy. */
export const isolate = (text: string): string =>
  `${FIRST_STRONG_ISOLATE}${balanceIsolates(shorten(text))}${POP_ISOLATE}`;

/** Copies a text, also on insecure pages, where browsers have no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}
