/* JSON: parsed within a depth, read at a path, measured, and cut if the journal keeps a large one. */

import { grouped } from './grouped.ts';

/* Reads JSON that others wrote: files, bodies, responses. Deep nesting would overflow the stack of whatever walks it. */

/** Levels of nesting in what the sandbox reads. A snapshot needs the most: it contains bodies of the merchant API. */
export const MAX_READ_DEPTH = 150;

/** Whether a JSON text is nested deeper than that many levels; it need not be valid JSON. */
export function exceedsDepth(text: string, levels: number): boolean {
  // Two searches recognize a flat object, as most bodies are.
  if (text.indexOf('{', 1) === -1 && text.indexOf('[') === -1) return levels < 1;
  let [level, inText] = [0, false];
  for (let place = 0; place < text.length; place++) {
    const character = text.charCodeAt(place);
    if (inText) {
      if (character === 0x5c) place++;
      else if (character === 0x22) inText = false;
    } else if (character === 0x22) inText = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++level > levels) return true;
    } else if (character === 0x7d || character === 0x5d) level--;
  }
  return false;
}

/** Parses JSON; undefined if the text is not JSON, or nested too deeply. */
export function parseJson(text: string, maxDepth = MAX_READ_DEPTH): unknown {
  if (exceedsDepth(text, maxDepth)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of a document; undefined if there is none. */
export function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  let value = document;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/* The size of texts. */

const utf8 = new TextEncoder();
/** A buffer to measure texts in. */
const scratch = new Uint8Array(64 * 1024);

/** The size of a text in bytes of UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const { read, written } = utf8.encodeInto(at === 0 ? text : text.slice(at), scratch);
    at += read;
    bytes += written;
  }
  return bytes;
}

/** The journal keeps bodies up to this size completely. A list of large policies may be larger. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** The number of characters it keeps of a larger body. */
const CUT_LENGTH = 64 * 1024;

/** A body as the journal keeps it: complete, or the beginning of a large one with its size. */
export function keptBody(body: string | null): string | null {
  // A character has at most three bytes, so most bodies need no measuring.
  if (body === null || body.length * 3 <= MAX_KEPT_BYTES) return body;
  const bytes = bytesOf(body);
  if (bytes <= MAX_KEPT_BYTES) return body;
  return `${body.slice(0, CUT_LENGTH)}… (the beginning of ${grouped(bytes)} bytes)`;
}

const JSON_TYPE = /^\s*(?:application\/json|[^;\s]+\+json)\s*(?:;|$)/i;

/** Whether a body of this Content-Type is JSON; without one it is. */
export const isJsonType = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === 'application/json' || JSON_TYPE.test(contentType);
