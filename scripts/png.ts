import { crc32, deflateSync, inflateSync } from 'node:zlib';

/*
 * Pictures of pages as small files: a page has few colours, so that each pixel needs one byte instead of three.
 * Reads what browsers write: 8 bits a channel, no interlacing.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;

/** The same picture as a PNG with a palette; colours beyond 256 become the nearest of those that are seen most. */
export function inFewColours(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  const palette = colours.slice(0, MAX_COLOURS);
  const places = new Map(colours.map((colour) => [colour, nearest(palette, colour)]));

  // Without filters: neighbours in a palette have nothing to do with each other.
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, pixel] of pixels.entries()) {
    rows[at + Math.floor(at / width) + 1] = places.get(pixel) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function nearest(palette: readonly number[], colour: number): number {
  const wanted = channels(colour);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [place, each] of palette.entries()) {
    const distance = channels(each).reduce(
      (sum, channel, at) => sum + (channel - (wanted[at] ?? 0)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The pixels of a picture, each as 0xrrggbb. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const size = png[25] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  const bytes = new Uint8Array(height * stride);
  const byteAt = (row: number, column: number) =>
    row < 0 || column < 0 ? 0 : (bytes[row * stride + column] ?? 0);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)];
    for (let column = 0; column < stride; column++) {
      const left = byteAt(row, column - size);
      const above = byteAt(row - 1, column);
      const corner = column < size ? 0 : byteAt(row - 1, column - size);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0];
      bytes[row * stride + column] = (raw[row * (stride + 1) + 1 + column] ?? 0) + (guess ?? 0);
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at * size, at * size + 3);
    pixels[at] = (red << 16) | (green << 8) | blue;
  }
  return { width, height, pixels };
}

/** The neighbour that lies nearest to what they point to together (PNG, section 9.4). */
function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
