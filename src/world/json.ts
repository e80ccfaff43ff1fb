/* JSON of any size: documents written in pieces, and bodies as the journal keeps them. */

/*
 * A document that is written in pieces, because it is too large to hold at once. Objects made with `streamed` describe
 * it. Their lists, made with `listed`, are read only while they are written. A `JsonText` is JSON already.
 */

const FIELDS = Symbol('fields');
const ELEMENTS = Symbol('elements');

/** An object whose fields may be lists that are read while they are written. */
export interface Streamed {
  readonly [FIELDS]: () => Iterable<readonly [name: string, value: unknown]>;
}

interface Listed {
  readonly [ELEMENTS]: () => Iterable<unknown>;
}

/** The JSON of a value, shared between documents. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes the JSON of a value once for all readers that need it at the same time. */
export function createSharedJson<Value extends object>(
  present: (value: Value) => unknown,
): (value: Value) => JsonText {
  const texts = new WeakMap<Value, WeakRef<JsonText>>();
  return (value) => {
    const known = texts.get(value)?.deref();
    if (known) return known;
    const made = new JsonText(JSON.stringify(present(value)));
    texts.set(value, new WeakRef(made));
    return made;
  };
}

/** In a list, a skipped element. A long search yields it, to give other calls a turn. */
export const SKIPPED = Symbol('skipped');

export const streamed = (fields: Readonly<Record<string, unknown>>): Streamed =>
  streamedEntries(() => Object.entries(fields));

/** An object with many fields, which are read while they are written. */
export const streamedEntries = (fields: Streamed[typeof FIELDS]): Streamed => ({
  [FIELDS]: fields,
});

export const listed = (elements: () => Iterable<unknown>): Listed => ({ [ELEMENTS]: elements });

/** Maps the elements of a list. Skipped elements stay skipped. */
export function* mapListed<From, To>(
  elements: Iterable<From | typeof SKIPPED>,
  map: (element: From) => To,
): Generator<To | typeof SKIPPED, void> {
  for (const element of elements) yield element === SKIPPED ? SKIPPED : map(element);
}

const isStreamed = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && FIELDS in value;
const isListed = (value: unknown): value is Listed =>
  typeof value === 'object' && value !== null && ELEMENTS in value;

/** The JSON of a document, one piece per list element; empty for a skipped element. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (isStreamed(value)) {
    let sign = '{';
    for (const [key, field] of value[FIELDS]()) {
      yield `${sign}${JSON.stringify(key)}:`;
      yield* jsonPieces(field);
      sign = ',';
    }
    yield sign === '{' ? '{}' : '}';
  } else if (isListed(value)) {
    let sign = '[';
    for (const element of value[ELEMENTS]()) {
      if (element === SKIPPED) yield '';
      else {
        yield sign;
        yield* jsonPieces(element);
        sign = ',';
      }
    }
    yield sign === '[' ? '[]' : ']';
  } else yield value instanceof JsonText ? value.text : JSON.stringify(value);
}

const CHUNK_LENGTH = 64 * 1024;

/** Joins short pieces and cuts long ones into texts of about 64 Ki characters. An empty piece passes alone. */
export function* inChunks(pieces: Iterable<string>): Generator<string, void> {
  let chunk = '';
  for (const piece of pieces) {
    if (piece === '') yield '';
    else if (chunk.length + piece.length < CHUNK_LENGTH) chunk += piece;
    else {
      // Readers share long pieces. Joining one would copy it.
      if (chunk !== '') yield chunk;
      chunk = '';
      for (let from = 0; from < piece.length; ) {
        const to = endOfChunk(piece, from);
        yield piece.slice(from, to);
        from = to;
      }
    }
  }
  if (chunk !== '') yield chunk;
}

/** The end of a chunk, never within a surrogate pair. */
function endOfChunk(piece: string, from: number): number {
  const to = from + CHUNK_LENGTH;
  const isFirstHalf = (piece.charCodeAt(to - 1) & 0xfc00) === 0xd800;
  return isFirstHalf && to < piece.length ? to - 1 : to;
}

/** The document as one value that shares nothing with its sources. */
export function inOnePiece(value: unknown): unknown {
  if (isStreamed(value)) {
    return Object.fromEntries(
      Array.from(value[FIELDS](), ([key, field]) => [key, inOnePiece(field)]),
    );
  }
  if (isListed(value)) return Array.from(value[ELEMENTS](), inOnePiece);
  if (value instanceof JsonText) return JSON.parse(value.text);
  return structuredClone(value);
}

/** The text of a body: whole, or in pieces that the World keeps anyway. */
export type BodyText = string | readonly string[];

/** The text of a body in one piece. */
export const joinBody = (body: BodyText | null): string =>
  typeof body === 'string' ? body : (body?.join('') ?? '');

const piecesOf = (body: BodyText): readonly string[] => (typeof body === 'string' ? [body] : body);

const utf8 = new TextEncoder();
/** A buffer to measure texts in. */
const scratch = new Uint8Array(64 * 1024);

/** The size of a body in bytes of UTF-8. */
export function bytesOf(body: BodyText): number {
  let bytes = 0;
  for (const piece of piecesOf(body)) {
    for (let at = 0; at < piece.length; ) {
      const { read, written } = utf8.encodeInto(at === 0 ? piece : piece.slice(at), scratch);
      at += read;
      bytes += written;
    }
  }
  return bytes;
}

/** The journal keeps bodies up to this size completely. A list of large policies may be larger. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** The number of characters it keeps of a larger body. */
const CUT_LENGTH = 64 * 1024;

/** A body as the journal keeps it: complete, or the beginning of a large one with its size. */
export function keptBody(body: BodyText | null): BodyText | null {
  if (body === null) return null;
  const pieces = piecesOf(body);
  let length = 0;
  for (const piece of pieces) length += piece.length;
  // A character has at most three bytes, so most bodies need no measuring.
  if (length * 3 <= MAX_KEPT_BYTES) return body;
  const bytes = bytesOf(body);
  if (bytes <= MAX_KEPT_BYTES) return body;
  let start = '';
  for (const piece of pieces) {
    start += piece.slice(0, CUT_LENGTH - start.length);
    if (start.length === CUT_LENGTH) break;
  }
  return `${start}… (the beginning of ${bytes.toLocaleString('en')} bytes)`;
}

const JSON_TYPE = /^\s*(?:application\/json|[^;\s]+\+json)\s*(?:;|$)/i;

/** Whether a body of this Content-Type is JSON; without one it is. */
export const isJsonType = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === 'application/json' || JSON_TYPE.test(contentType);
