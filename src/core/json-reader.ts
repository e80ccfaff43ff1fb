/*
 * JSON larger than any one text: it is read in pieces, each value in it by JSON.parse as soon as it is
 * there whole. The packages for this either take ten times as long, or lose fields that are named
 * `__proto__` or like a number where a piece ends.
 */

/** How much text is waited for before it is read. */
const MIN_TEXT = 64 * 1024;
/** No value in a document is a longer text than this. */
const MAX_VALUE_TEXT = 64 * 1024 * 1024;

interface Frame {
  readonly holder: unknown[] | Record<string, unknown>;
  /** Where the text has got to: before a first element, an element, a key, a colon, after an element. */
  at: 'start' | 'element' | 'key' | 'colon' | 'end';
  key: string;
}

export interface JsonReader {
  /** Takes the next piece. Throws `SyntaxError`. */
  push(piece: string): void;
  /** The value, once all pieces were taken. Throws `SyntaxError`. */
  end(): unknown;
}

/** Reads a JSON text that comes in pieces. */
export function createJsonReader(maxDepth: number): JsonReader {
  const frames: Frame[] = [];
  let text = '';
  let position = 0;
  /** How much was read before `text`. */
  let before = 0;
  let wanted = MIN_TEXT;
  let isLast = false;
  let root: { readonly value: unknown } | undefined;
  /** Where in `text` the objects and arrays begin that do not end in it, outermost first. */
  let unclosed: number[] = [];

  const fail = (): never => {
    const place = before + position;
    const found = text[position];
    throw new SyntaxError(
      found === undefined
        ? `Unexpected end of JSON at position ${place}`
        : `Unexpected ${JSON.stringify(found)} in JSON at position ${place}`,
    );
  };
  const requireDepth = (holds: boolean) => {
    if (!holds) throw new SyntaxError(`JSON nested deeper than ${maxDepth} levels`);
  };

  const deliver = (value: unknown) => {
    const frame = frames.at(-1);
    if (!frame) {
      root = { value };
      return;
    }
    frame.at = 'end';
    if (Array.isArray(frame.holder)) frame.holder.push(value);
    else if (frame.key !== '__proto__') frame.holder[frame.key] = value;
    else {
      const own = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(frame.holder, frame.key, own);
    }
  };

  /** Reads the text up to `end` as one value; undefined where it is none. */
  const parse = (end: number): unknown => {
    try {
      const value: unknown = JSON.parse(text.slice(position, end));
      position = end;
      return value;
    } catch {
      return undefined;
    }
  };
  const take = (end: number): unknown => {
    const value = parse(end);
    return value === undefined ? fail() : value;
  };

  /** Reads one value; false where more text is needed first. */
  const readValue = (): boolean => {
    const first = text[position];
    if (first === '{' || first === '[') {
      const end = unclosed[0] === position ? -1 : endOfContainer();
      const whole = end === -1 ? undefined : parse(end);
      if (whole !== undefined) {
        deliver(whole);
        return true;
      }
      // One that is cut off, or wrong somewhere, is read token by token, which finds the place.
      requireDepth(frames.length < maxDepth);
      if (unclosed[0] === position) unclosed.shift();
      frames.push({ holder: first === '[' ? [] : {}, at: 'start', key: '' });
      position++;
      return true;
    }
    const end = first === '"' ? endOfText(text, position) : endOfWord(text, position);
    // A number may go on in the next piece.
    if (end === -1 || (end === text.length && first !== '"' && !isLast)) {
      if (isLast) position = text.length;
      return isLast ? fail() : false;
    }
    if (end === position) fail();
    deliver(take(end));
    return true;
  };

  /**
   * Where the object or array at `position` ends, which is nested no deeper than it may be; -1 where it does
   * not, all that begin and do not end noted.
   */
  const endOfContainer = (): number => {
    const open: number[] = [];
    let deepest = 0;
    for (let place = position; place < text.length; place++) {
      const character = text.charCodeAt(place);
      if (character === 0x22) {
        const end = endOfText(text, place);
        if (end === -1) break;
        place = end - 1;
      } else if (character === 0x7b || character === 0x5b) {
        deepest = Math.max(deepest, open.push(place));
      } else if (character === 0x7d || character === 0x5d) {
        open.pop();
        if (open.length > 0) continue;
        requireDepth(frames.length + deepest <= maxDepth);
        return place + 1;
      }
    }
    unclosed = open;
    return -1;
  };

  const close = () => {
    const { holder } = frames.pop() as Frame;
    position++;
    deliver(holder);
  };

  /** Reads one token inside a frame; false where more text is needed first. */
  const readToken = (frame: Frame): boolean => {
    const isArray = Array.isArray(frame.holder);
    const found = text[position];
    const closes = found === (isArray ? ']' : '}');
    switch (frame.at) {
      case 'start':
        if (closes) close();
        else frame.at = isArray ? 'element' : 'key';
        return true;
      case 'end':
        if (closes) close();
        else if (found !== ',') fail();
        else {
          position++;
          frame.at = isArray ? 'element' : 'key';
        }
        return true;
      case 'key': {
        if (found !== '"') fail();
        const end = endOfText(text, position);
        if (end === -1) return false;
        frame.key = take(end) as string;
        frame.at = 'colon';
        return true;
      }
      case 'colon':
        if (found !== ':') fail();
        position++;
        frame.at = 'element';
        return true;
      case 'element':
        return readValue();
    }
  };

  const read = () => {
    unclosed = [];
    for (;;) {
      position = endOfSpace(text, position);
      if (position === text.length) break;
      const frame = frames.at(-1);
      if (!frame && root) fail();
      if (!(frame ? readToken(frame) : readValue())) break;
    }
    before += position;
    text = text.slice(position);
    position = 0;
    if (text.length > MAX_VALUE_TEXT) {
      throw new SyntaxError(`A value of more than ${MAX_VALUE_TEXT} characters`);
    }
    // What did not suffice is not read again until there is twice as much of it.
    wanted = Math.max(MIN_TEXT, 2 * text.length);
  };

  return {
    push(piece) {
      text += piece;
      if (text.length >= wanted) read();
    },
    end() {
      isLast = true;
      read();
      return root && frames.length === 0 && text === '' ? root.value : fail();
    },
  };
}

function endOfSpace(text: string, from: number): number {
  let place = from;
  for (; place < text.length; place++) {
    const character = text.charCodeAt(place);
    if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) break;
  }
  return place;
}

/** Where the text in quotes ends that begins there; -1 where it does not. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return -1;
}

const WORD = /[-+.\w]*/y;

/** Where a number, `true`, `false` or `null` ends that begins there. */
function endOfWord(text: string, from: number): number {
  WORD.lastIndex = from;
  WORD.exec(text);
  return WORD.lastIndex;
}
