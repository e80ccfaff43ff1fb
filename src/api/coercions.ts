import type { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import type { FieldError } from '../world/errors.ts';
import { isBlank } from './body.ts';
import type { Operation } from './operation.ts';
import { assumptionsOf, exceedsContract } from './request-fields.ts';

/* What a response owes to how its request was written: `Sandbox-Assumptions` names the rows. */

type Fields = Readonly<Record<string, unknown>>;

/** Notes what an accepted request owes: fields ignored, a number read from a text, a word taken for another. */
export function noteCoercions(
  { input: schema, ignored, request }: Operation,
  raw: Fields,
  parsed: Fields,
  noted: AssumptionId[],
): void {
  const shape = schema?.shape ?? {};
  for (const field of Object.keys(raw)) {
    const fieldSchema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (!fieldSchema) {
      noted.push(ignored?.fields.includes(field) ? ignored.assumption : 'unknown-fields');
      continue;
    }
    const sent = raw[field];
    noteText(sent, request.body !== undefined, noted);
    if (isCoerced(fieldSchema, sent, parsed[field])) noted.push(...assumptionsOf(fieldSchema));
  }
}

/** Whether a value counts for another than the contract calls it. */
function isCoerced(schema: z.core.$ZodType, sent: unknown, read: unknown): boolean {
  if (read === undefined) return false;
  if (typeof sent === 'number') return typeof read === 'string';
  if (typeof sent !== 'string') return false;
  return typeof read === 'number' || isOther(read, sent) || exceedsContract(schema, sent);
}

/** Trimming is an assumption of its own. */
const isOther = (read: unknown, sent: string): boolean =>
  typeof read === 'string' && read !== sent && read !== sent.trim();

/** Notes what a refusal owes to how the fields it names were written. */
export function noteRefused(
  errors: readonly FieldError[],
  raw: Fields,
  noted: AssumptionId[],
): void {
  // A list of thousands may have an error in each of its elements, and is looked through once.
  const names = new Set(errors.map(({ field }) => field.split('.', 1)[0] ?? ''));
  for (const name of names) {
    if (Object.hasOwn(raw, name)) noteText(raw[name], true, noted);
  }
}

/** A blank text is as good as none, and white space around any other is kept unless a profile trims it. */
function noteText(sent: unknown, inBody: boolean, noted: AssumptionId[]): void {
  if (isBlank(sent)) {
    if (inBody) noted.push('text-and-numbers');
  } else if (isPadded(sent)) noted.push('text-trim');
}

function isPadded(sent: unknown): boolean {
  if (typeof sent === 'string') return sent !== sent.trim();
  return Array.isArray(sent) && sent.some((each) => Object.values(Object(each)).some(isPadded));
}
