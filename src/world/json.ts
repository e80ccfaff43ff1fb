/* Bodies as the journal keeps them: whole or in pieces, measured, and cut if they are large. */

import { grouped } from './grouped.ts';

const CHUNK_LENGTH = 64 * 1024;

/** Joins short pieces and cuts long ones into texts of about 64 Ki characters. */
export function* inChunks(pieces: Iterable<string>): Generator<string, void> {
  let chunk = '';
  for (const piece of pieces) {
    if (chunk.length + piece.length < CHUNK_LENGTH) chunk += piece;
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
const MAX_KEPT_BYTES = 1024 * 1024;
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
  return `${start}… (the beginning of ${grouped(bytes)} bytes)`;
}

const JSON_TYPE = /^\s*(?:application\/json|[^;\s]+\+json)\s*(?:;|$)/i;

/** Whether a body of this Content-Type is JSON; without one it is. */
export const isJsonType = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === 'application/json' || JSON_TYPE.test(contentType);
