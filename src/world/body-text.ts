/** The text of a body, whole or in the pieces that the World keeps anyway. */
export type BodyText = string | readonly string[];

/** The text of a body in one piece. */
export const joinBody = (body: BodyText): string =>
  typeof body === 'string' ? body : body.join('');

const piecesOf = (body: BodyText): readonly string[] => (typeof body === 'string' ? [body] : body);

const utf8 = new TextEncoder();
/** Texts are encoded into it to be measured. */
const scratch = new Uint8Array(64 * 1024);

/** How many bytes of UTF-8 a body is. */
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

/** A journal keeps a body whole up to this size. Every policy is smaller; a list of large ones may not be. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** How many characters it keeps of a larger body. */
const CUT_LENGTH = 64 * 1024;

/** A body as a journal keeps it: whole, or the beginning of a large one, with its size. */
export function keptBody(body: BodyText | null): BodyText | null {
  if (body === null) return null;
  const pieces = piecesOf(body);
  let length = 0;
  for (const piece of pieces) length += piece.length;
  // No character takes more than three bytes, so that most bodies need not be measured.
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
