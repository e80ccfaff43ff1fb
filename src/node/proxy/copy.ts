import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { valuesOf } from './headers.ts';

/** A copy of a body that goes by, as far as it is not too large. */
export interface BodyCopy {
  readonly size: number;
  add(chunk: Buffer): void;
  /** All of it; undefined where it was too large. */
  bytes(): Buffer | undefined;
}

export function createCopy(maxBytes: number): BodyCopy {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(chunk) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
    },
    bytes: () => (size <= maxBytes ? Buffer.concat(chunks) : undefined),
  };
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const deflated = promisify(inflate) as Decode;

/** Some call raw deflate what should have a header. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip) as Decode,
  'x-gzip': promisify(gunzip) as Decode,
  br: promisify(brotliDecompress) as Decode,
  deflate: (bytes, options) =>
    deflated(bytes, options).catch(() => promisify(inflateRaw)(bytes, options)),
  identity: async (bytes) => bytes,
};

/** A body can't be read: in words that follow "not judged". */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

/** The encodings of a body, in the order they were applied. */
export const encodingsOf = (headers: readonly string[]): string[] =>
  valuesOf(headers, 'content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');

/** The bytes of a body before it was encoded. Rejects with `UnreadableBody`. */
export async function decode(
  bytes: Buffer,
  headers: readonly string[],
  maxOutputLength: number,
): Promise<Buffer> {
  let decoded = bytes;
  for (const encoding of encodingsOf(headers).toReversed()) {
    const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
    if (!decoder) throw new UnreadableBody(`its encoding ${encoding} is not known here`);
    try {
      decoded = await decoder(decoded, { maxOutputLength });
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw new UnreadableBody(
        isLarge ? 'it is too large' : `it is not encoded as ${encoding}, as it says`,
      );
    }
  }
  return decoded;
}
