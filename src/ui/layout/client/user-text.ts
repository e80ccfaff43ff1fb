/*
 * Texts that users and servers write, shown beside the page's own. `bdi` alone is not enough: it isolates its content
 * by an opening and a closing mark, and marks of the content can end that isolate early or keep it open.
 */

/** A longer name, path or token is cut, so that what follows it stays on the screen. */
const MAX_SHOWN = 200;

export const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;

/** Control characters that end a paragraph, and with it every isolate; a page shows them as spaces. */
const SEPARATORS = /[^\P{Cc}\n\t]|\u2029/gu;
const ISOLATE_MARKS = /[\u2066-\u2069]/g;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * A text that can't leave the isolate around it, such as `bdi`: marks that open an isolate are closed in the same
 * line, and marks that close none are left out.
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

/** A text in an isolate of its own, for titles and options, which hold no elements. Never for what is copied. */
export const isolate = (text: string): string =>
  `${FIRST_STRONG_ISOLATE}${balanceIsolates(shorten(text))}${POP_ISOLATE}`;

/** A piece of JSON text, and what it is, for those that have a colour. */
export interface JsonToken {
  readonly text: string;
  readonly kind: 'key' | 'text' | 'literal' | undefined;
}

const TOKEN =
  /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(?=(\s*:)?)|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** The pieces that a JSON text is made of: put together, they are the text. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ text: text.slice(end, match.index), kind: undefined });
    const [token, quoted, colon] = match;
    const kind = quoted === undefined ? 'literal' : colon === undefined ? 'text' : 'key';
    tokens.push({ text: token, kind });
    end = match.index + token.length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end), kind: undefined });
  return tokens;
}

/** Copies a text, also where a page is not served securely and browsers keep their clipboard from it. */
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
