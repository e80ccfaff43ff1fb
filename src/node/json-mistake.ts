/*
 * JSON.parse says where a mistake is in words that differ between versions of Node, and sometimes not at
 * all. This finds the place, once JSON.parse has refused a text.
 */

const TOKEN =
  /([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;

/** What may stand at a place of a document, in the words of the message. */
type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a key in double quotes'
  | 'a key in double quotes or }'
  | 'a colon'
  | 'a comma or ]'
  | 'a comma or }'
  | 'the end of the file';

/** The first mistake of a text that is no JSON: `line 3, column 9: expected a comma or }, got "b"`. */
export function jsonMistake(text: string): string {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'a value';
  let place = 0;
  for (;;) {
    place += /^\s*/.exec(text.slice(place, place + 4096))?.[0].length ?? 0;
    if (/\s/.test(text.charAt(place))) continue;
    TOKEN.lastIndex = place;
    const token = TOKEN.exec(text)?.[0];
    const next: Expected | undefined =
      token === undefined ? undefined : after(token, expected, open);
    if (next === undefined) return describe(text, place, expected);
    place += (token as string).length;
    expected = next;
  }
}

/** What may follow a token, or nothing if the token itself may not stand here. */
function after(token: string, expected: Expected, open: ('[' | '{')[]): Expected | undefined {
  const closes =
    (token === '}' && expected.endsWith('}')) || (token === ']' && expected.endsWith(']'));
  if (closes) {
    open.pop();
    return afterValue(open);
  }
  if (expected.startsWith('a comma')) {
    if (token !== ',') return undefined;
    return open.at(-1) === '{' ? 'a key in double quotes' : 'a value';
  }
  if (expected === 'a colon') return token === ':' ? 'a value' : undefined;
  if (expected.startsWith('a key')) return token.startsWith('"') ? 'a colon' : undefined;
  if (!expected.startsWith('a value') || /^[}\],:]/.test(token)) return undefined;
  if (token !== '{' && token !== '[') return afterValue(open);
  open.push(token);
  return token === '{' ? 'a key in double quotes or }' : 'a value or ]';
}

function afterValue(open: readonly ('[' | '{')[]): Expected {
  const inside = open.at(-1);
  if (inside === undefined) return 'the end of the file';
  return inside === '{' ? 'a comma or }' : 'a comma or ]';
}

function describe(text: string, place: number, expected: Expected): string {
  const lines = text.slice(0, place).split('\n');
  const where = `line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`;
  const seen = /^(?:\w+|.)/u.exec(text.slice(place, place + 20))?.[0];
  return `${where}: expected ${expected}, got ${seen === undefined ? 'the end of the file' : JSON.stringify(seen)}`;
}
