import { DomainError } from '../core/errors.ts';

/** 1 MiB (`http-status`). */
export const MOST_BODY_BYTES = 1024 * 1024;
/** Levels of nesting a body may have (`encoding`). */
export const MOST_LEVELS = 100;

const tooLarge = () =>
  new DomainError(
    'too_large',
    ['The request body must not be larger than 1 MiB.'],
    ['http-status'],
  );

const malformed = (why: string) =>
  new DomainError('malformed', [why], ['encoding', 'request-body']);

/** The text of a body. Refuses what is too large, and what is no UTF-8. */
export async function readText(request: Request, mostBytes = MOST_BODY_BYTES): Promise<string> {
  const bytes = await readBytes(request, mostBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The request body must be UTF-8 text.');
  }
}

async function readBytes(request: Request, mostBytes: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > mostBytes) throw tooLarge();
    const whole = await request.arrayBuffer();
    if (whole.byteLength > mostBytes) throw tooLarge();
    return whole;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const reader = request.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.byteLength;
  }
  return whole;
}

/** The JSON a body's text holds. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw malformed(`The request body must not be nested deeper than ${MOST_LEVELS} levels.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The request body must be valid JSON.');
  }
}

function isTooDeep(text: string): boolean {
  let [level, inText] = [0, false];
  for (let place = 0; place < text.length; place++) {
    const character = text.charCodeAt(place);
    if (inText) {
      if (character === 0x5c) place++;
      else if (character === 0x22) inText = false;
    } else if (character === 0x22) inText = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++level > MOST_LEVELS) return true;
    } else if (character === 0x7d || character === 0x5d) level--;
  }
  return false;
}

/** Whether a POST says that it carries JSON; parameters such as charset are allowed. */
export function isJson(contentType: string | null | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType?.trim() ?? '');
}
