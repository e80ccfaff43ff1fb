/*
 * A document that is written in pieces, because its text or its parts are too many to have at once. It is
 * described by objects made with `streamed`, whose lists may be made with `listed`: these are gone through
 * only while they are written.
 */

const FIELDS = Symbol('fields');
const ELEMENTS = Symbol('elements');

/** An object in whose fields there may be lists that are gone through while they are written. */
export interface Streamed {
  readonly [FIELDS]: Readonly<Record<string, unknown>>;
}

interface Listed {
  readonly [ELEMENTS]: () => Iterable<unknown>;
}

export const streamed = (fields: Readonly<Record<string, unknown>>): Streamed => ({
  [FIELDS]: fields,
});

export const listed = (elements: () => Iterable<unknown>): Listed => ({ [ELEMENTS]: elements });

const isStreamed = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && FIELDS in value;
const isListed = (value: unknown): value is Listed =>
  typeof value === 'object' && value !== null && ELEMENTS in value;

/** The JSON of a document, a piece for each element of a list. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (isStreamed(value)) {
    let sign = '{';
    for (const [key, field] of Object.entries(value[FIELDS])) {
      yield `${sign}${JSON.stringify(key)}:`;
      yield* jsonPieces(field);
      sign = ',';
    }
    yield sign === '{' ? '{}' : '}';
  } else if (isListed(value)) {
    let sign = '[';
    for (const element of value[ELEMENTS]()) {
      if (isStreamed(element)) {
        yield sign;
        yield* jsonPieces(element);
      } else yield sign + JSON.stringify(element);
      sign = ',';
    }
    yield sign === '[' ? '[]' : ']';
  } else yield JSON.stringify(value);
}

/** Joins pieces to texts of about that many characters. */
export function* inChunks(pieces: Iterable<string>, size = 64 * 1024): Generator<string, void> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < size) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The document in one piece, sharing nothing with what it was made of. */
export function inOnePiece(value: unknown): unknown {
  if (isStreamed(value)) {
    return Object.fromEntries(
      Object.entries(value[FIELDS]).map(([key, field]) => [key, inOnePiece(field)]),
    );
  }
  if (isListed(value)) return Array.from(value[ELEMENTS](), inOnePiece);
  return structuredClone(value);
}
