import type { z } from '@hono/zod-openapi';
import { stripEmpty } from '../api/request.ts';
import { validateFields } from '../api/validation.ts';
import type { FieldError, Malformed } from '../world/errors.ts';
import { truncate } from '../world/problem-texts.ts';
import type { RecordProblem } from './family.ts';

/** How the details of a purchase come of the request that initiates it. */
export interface Initiation<Input, Details> {
  /** The fields of the request that the details keep. */
  readonly shape: z.ZodObject['shape'];
  /** Those fields as a request would have sent them. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The rule of initiate. */
  check(input: Partial<Input>, malformed: Malformed): readonly FieldError[];
  /** What initiate keeps of a request with nothing wrong. */
  keep(input: Input): Details;
  /** Where the details keep a field of the request, if not under its name. */
  readonly places?: Readonly<Record<string, RecordProblem['path']>>;
}

/**
 * Holds the details of a pending purchase to the rules that initiate holds a request to: what they keep of
 * it is read, judged and kept once more, and must come out the same.
 */
export function reviewDetails<Input, Details extends object>(
  details: Details,
  { shape, sent, check, keep, places = {} }: Initiation<Input, Details>,
): RecordProblem[] {
  const fields = stripEmpty(sent) as typeof sent;
  const { input, errors } = validateFields(shape, fields, (well, malformed) =>
    check(well as Partial<Input>, malformed),
  );
  if (errors.length > 0) return errors.map((error) => problemOf(error, places));
  return differences(keep(input as Input), details);
}

/** `members.3.gender` is a place, and what follows `The members.3.gender field` is what is wrong there. */
function problemOf(
  { field, message }: FieldError,
  places: Readonly<Record<string, RecordProblem['path']>>,
): RecordProblem {
  const [name = '', ...inside] = field.split('.');
  const path = [
    ...(places[name] ?? [name]),
    ...inside.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  ];
  return { path, message: message.replace(`The ${field} field `, '') };
}

function differences(kept: object, details: object): RecordProblem[] {
  return Object.entries(kept).flatMap(([field, expected]): RecordProblem[] => {
    const got = Reflect.get(details, field);
    if (got === expected || JSON.stringify(got) === JSON.stringify(expected)) return [];
    return [{ path: [field], message: `expected ${truncate(expected)}, got ${truncate(got)}` }];
  });
}
