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
