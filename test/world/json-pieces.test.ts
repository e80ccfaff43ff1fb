import { describe, expect, test } from 'vitest';
import { inChunks, JsonText, jsonPieces, listed, SKIPPED, streamed } from '../../src/world/json.ts';

const written = (document: unknown): string[] => [...inChunks(jsonPieces(document))];

describe('a document that is written in pieces', () => {
  test('is the JSON of the whole', () => {
    const document = streamed({
      version: 1,
      none: listed(() => []),
      some: listed(() => [{ a: 1 }, new JsonText('{"b":2}'), streamed({ c: listed(() => [3]) })]),
    });
    expect(written(document)).toEqual([
      '{"version":1,"none":[],"some":[{"a":1},{"b":2},{"c":[3]}]}',
    ]);
  });

  test('leaves out what is skipped, and says so by an empty piece', () => {
    const pieces = written(listed(() => [SKIPPED, 1, SKIPPED, 2, SKIPPED]));
    expect(pieces.join('')).toBe('[1,2]');
    expect(pieces.filter((piece) => piece === '')).toHaveLength(3);
  });

  test('comes in chunks that cut no character in two', () => {
    const face = '\u{1f600}';
    for (const before of ['', 'x']) {
      const text = before + face.repeat(100_000);
      const chunks = written(listed(() => [text, 'short', text]));
      expect(chunks.join('')).toBe(JSON.stringify([text, 'short', text]));
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
      for (const chunk of chunks)
        expect(new TextDecoder().decode(new TextEncoder().encode(chunk))).toBe(chunk);
    }
  });
});
