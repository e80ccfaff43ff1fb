import fc from 'fast-check';

/** Bodies with arbitrary bytes or arbitrary JSON. */
export const anyBody = fc
  .oneof(
    fc.uint8Array(),
    fc.json().map((text) => new TextEncoder().encode(text)),
  )
  .map((bytes) => new Uint8Array(bytes));
