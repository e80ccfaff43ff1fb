import { createMiddleware } from 'hono/factory';
import { takeTurn } from '../core/clock.ts';
import { createJsonReader } from '../core/json-reader.ts';
import { watchRoom } from '../core/memory-room.ts';
import { isJson } from '../http/body.ts';
import { handToValidator } from '../http/middleware/parse-request.ts';
import type { ControlEnv } from './access.ts';
import { ControlError } from './control-error.ts';

/** A snapshot holds bodies of the merchant API, which are nested themselves. */
export const MAX_SNAPSHOT_DEPTH = 150;
/** How large a document may be where nobody knows how much memory there is. */
const MAX_BYTES = 256 * 1024 * 1024;
/** How much of a body is read at once. */
const PIECE_BYTES = 256 * 1024;
/** Bytes of memory that a byte of a document takes at the most while it becomes a World beside the old one. */
const MEMORY_PER_BYTE = 1.75;

/**
 * Reads a body too large for one text, in turns with other calls, and hands it, parsed, to the validator.
 * What would not fit into memory is refused with 413, before it is read if its length is told; 400 and 415 as for
 * every body.
 */
export const parseLargeJsonBody = (maxDepth: number) =>
  createMiddleware<ControlEnv>(async (c, next) => {
    if (!isJson(c.req.header('content-type'))) {
      throw new ControlError(415, 'The Content-Type header must be application/json.');
    }
    const { freeMemory, maxDocumentBytes = MAX_BYTES } = c.env.merchants.host;
    const refuse = freeMemory ? tooLarge : () => longerThan(maxDocumentBytes);
    const declared = Number(c.req.header('content-length') ?? 0);
    const most = freeMemory
      ? Math.floor(freeMemory(declared * MEMORY_PER_BYTE) / MEMORY_PER_BYTE)
      : maxDocumentBytes;
    if (declared > most) throw refuse(most);
    const hasRoom = freeMemory ? watchRoom(freeMemory) : (size: number) => size <= maxDocumentBytes;
    handToValidator(c, await readJson(c.req.raw, hasRoom, refuse, maxDepth));
    await next();
  });

const longerThan = (most: number) =>
  new ControlError(413, `The request body must not be larger than ${most} bytes.`);

const tooLarge = (most: number) =>
  new ControlError(
    413,
    `The request body must not be larger than ${most} bytes, for which there is memory; a process started with a larger --max-old-space-size has more.`,
  );

async function readJson(
  request: Request,
  hasRoom: (size: number) => boolean,
  refuse: (size: number) => ControlError,
  maxDepth: number,
): Promise<unknown> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const json = createJsonReader(maxDepth);
  let size = 0;
  try {
    for (const reader = request.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (!hasRoom(size)) throw refuse(size);
      for (let at = 0; at < value.byteLength; at += PIECE_BYTES) {
        json.push(utf8.decode(value.subarray(at, at + PIECE_BYTES), { stream: true }));
        await takeTurn();
      }
    }
    json.push(utf8.decode());
    return json.end();
  } catch (error) {
    if (error instanceof TypeError)
      throw new ControlError(400, 'The request body must be UTF-8 text.');
    if (error instanceof SyntaxError)
      throw new ControlError(400, `The request body must be valid JSON. ${error.message}.`);
    throw error;
  }
}
