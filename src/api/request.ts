/* Reads a request: its key, its body as JSON, and the values that count as missing. */

import type { z } from '@hono/zod-openapi';
import { type DomainError, refused } from '../world/errors.ts';
import { exceedsDepth } from '../world/json.ts';
import { utf8 } from '../world/platform.ts';
import { choice } from '../world/settings.ts';

/** The request of a route, in the form that `createRoute` takes. */
export interface RouteRequest {
  readonly body?: {
    readonly required: true;
    readonly content: {
      readonly 'application/json': { readonly schema: z.ZodObject; readonly example: unknown };
    };
  };
  readonly query?: z.ZodObject | undefined;
  readonly params?: z.ZodObject | undefined;
}

/** A JSON body. */
export const jsonBody = <S extends z.ZodObject>(schema: S) => ({
  body: {
    required: true as const,
    content: { 'application/json': { schema, example: schema.meta()?.examples?.[0] } },
  },
});

/** 1 MiB (`http-status`). */
export const MAX_BODY_BYTES = 1024 * 1024;

const tooLarge = (maxBytes: number) =>
  refused('too_large', `The request body must not be larger than ${maxBytes >> 20} MiB.`);

const malformed = (why: string) => refused('malformed', why);

/** Reads a body. Stops after `maxBytes` are exceeded. */
export type ReadBytes = (maxBytes: number) => Promise<Uint8Array>;

/**
 * The text of a body. Refuses one that is too large or not UTF-8.
 *
 * @param read if a server reads the body itself
 */
export async function readText(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  read?: ReadBytes,
): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  const bytes = read
    ? await read(maxBytes)
    : declared === null
      ? await readStream(request, maxBytes)
      : new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return decodeText(bytes);
}

/** The text of the bytes of a body. Refuses what is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The request body must be UTF-8 text.');
  }
}

/** The bytes of a body. Stops after the first chunk beyond the limit. */
async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const reader = request.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    chunks.push(value);
    // The server drains the rest. Cancelling a stream of Node would close its connection.
    if (size > maxBytes) break;
  }
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const whole = new Uint8Array(size);
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.byteLength;
  }
  return whole;
}

/** Levels of nesting a body may have (`encoding`). */
export const MAX_DEPTH = 100;

export const NOT_JSON = 'The request body must be valid JSON.';

/** Parses JSON. Refuses text that is not JSON or nested too deeply. */
export function parseBody(text: string, maxDepth = MAX_DEPTH): unknown {
  if (exceedsDepth(text, maxDepth)) {
    throw malformed(`The request body must not be nested deeper than ${maxDepth} levels.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(NOT_JSON);
  }
}

/** The body of a request: its JSON, or why it has none. */
export interface RequestBody {
  /** Null if there is none, or if it could not be read. */
  readonly text: string | null;
  readonly json?: unknown;
  readonly refusal?: DomainError;
}

export const NO_BODY: RequestBody = { text: null };

/** The parameters of a query, each with its last value. */
export const lastOfEach = (
  queries: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values.at(-1)]));

/** The key in an `Authorization: Bearer` header. The scheme may have any case. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

export const JSON_TYPE = 'application/json';

/** Whether a Content-Type is JSON. Parameters such as charset are allowed. */
export function isJson(contentType: string | null | undefined): boolean {
  return contentType === JSON_TYPE || /^application\/json\s*(;|$)/i.test(contentType?.trim() ?? '');
}

/**
 * A body without the values that count as missing: null and blank text (`text-and-numbers`). Returns the same object
 * if there are none.
 */
export function stripEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    const stripped = value.map((element) => stripEmpty(element));
    return stripped.some((element, place) => element !== value[place]) ? stripped : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  let stripped: Record<string, unknown> | undefined;
  // The fastest way to read every field of an object.
  for (const key in fields) {
    const sent = fields[key];
    const isMissing = sent === null || (typeof sent === 'string' && sent.trim() === '');
    const kept = isMissing ? undefined : stripEmpty(sent);
    if (kept === sent) continue;
    stripped ??= { ...fields };
    if (kept === undefined) delete stripped[key];
    else stripped[key] = kept;
  }
  return stripped ?? fields;
}

/** A body with all texts trimmed. Keys stay as they are. */
function trimTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map((element) => trimTexts(element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, trimTexts(held)]));
}

/** What happens to white space around the texts of a request. */
export const TEXT_TRIM = choice('text-trim', {
  keep: {
    says: 'White space around text is kept',
    readFields: stripEmpty,
    readPath: (path: unknown) => path,
  },
  trim: {
    says: 'White space around text is removed before patterns and formats are checked',
    readFields: (sent: unknown) => stripEmpty(trimTexts(sent)),
    readPath: trimTexts,
  },
});
