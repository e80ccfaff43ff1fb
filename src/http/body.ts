import type { AssumptionId } from '../core/assumptions.ts';
import { DomainError } from '../core/errors.ts';
import { isDeeper, MOST_LEVELS } from '../core/nesting.ts';

/** 1 MiB (`http-status`). */
export const MOST_BODY_BYTES = 1024 * 1024;

const tooLarge = () =>
  new DomainError(
    'too_large',
    ['The request body must not be larger than 1 MiB.'],
    ['http-status'],
  );

const malformed = (why: string, decision: AssumptionId) =>
  new DomainError('malformed', [why], [decision]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. Refuses what is too large, and what is no UTF-8. */
export async function readText(request: Request, mostBytes = MOST_BODY_BYTES): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > mostBytes) throw tooLarge();
  const bytes =
    declared === null ? await readStream(request, mostBytes) : await request.arrayBuffer();
  if (bytes.byteLength > mostBytes) throw tooLarge();
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The request body must be UTF-8 text.', 'encoding');
  }
}

/** The bytes of a body whose length nobody told, read no further than it may go. */
async function readStream(request: Request, mostBytes: number): Promise<Uint8Array> {
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

/** The JSON a body's text holds. Refuses what is none, and what is nested too deep. */
export function parseJson(text: string, mostLevels = MOST_LEVELS): unknown {
  if (isDeeper(text, mostLevels)) {
    throw malformed(
      `The request body must not be nested deeper than ${mostLevels} levels.`,
      'encoding',
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The request body must be valid JSON.', 'request-body');
  }
}

/** Whether a POST says that it carries JSON; parameters such as charset are allowed. */
export function isJson(contentType: string | null | undefined): boolean {
  return (
    contentType === 'application/json' ||
    /^application\/json\s*(;|$)/i.test(contentType?.trim() ?? '')
  );
}
