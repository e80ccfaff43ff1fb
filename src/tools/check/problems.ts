/* Reads the problems in the body of a refusal, in whichever form they are. */

import type { Refusal } from '../../api/refusals.ts';
import { isObject, valueAt } from '../../scenarios/json.ts';
import type { Problem } from '../../world/errors.ts';
import { areProblems, shapeOf } from './forms.ts';

/** The first problem of a refusal, in its own words; undefined if it has none. */
export function problemIn(body: unknown): string | undefined {
  const [problem] = problemsIn(body);
  const named = valueAt(body, 'errors.0');
  const said =
    problem?.message ||
    valueAt(named, 'detail') ||
    valueAt(named, 'message') ||
    valueAt(named, 'msg');
  const message =
    said ??
    ['response_message', 'message', 'detail'].map((name) => valueAt(body, name)).find(Boolean);
  return message === undefined ? undefined : String(message);
}

/** What a refusal gives as its reason, without words with digits, which may belong to one call. */
export const reasonIn = (body: unknown): string =>
  (problemIn(body) ?? shapeOf(body)).replace(/\S+/g, (word) => (/\d/.test(word) ? '0' : word));

/** The fields that the body of a refusal names, in order. */
export function namedFields(body: unknown): string[] {
  const problems: unknown = valueAt(body, 'data.error');
  const errors = problemsByField(body);
  if (errors) return Object.keys(errors);
  return Array.isArray(problems) ? problems.flatMap((problem) => fieldIn(problem) ?? []) : [];
}

/** Problems as lists of texts by field, under `errors` or as the whole body. */
function problemsByField(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const errors = valueAt(body, 'errors');
  if (isObject(errors)) return errors;
  const values = isObject(body) ? Object.values(body) : [];
  return isObject(body) && values.length > 0 && values.every(areProblems) ? body : undefined;
}

/** The texts in a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value)];

/** The field that a problem names, as the contract words it. */
const fieldIn = (problem: unknown): string | undefined =>
  /^The (\S+) field .+\.$/s.exec(String(problem))?.[1];

/** The problems in the body of a refusal, in either form of `error-envelope`, each with the field that it names. */
export function problemsIn(body: unknown): Problem[] {
  const errors = problemsByField(body);
  if (errors) {
    return Object.entries(errors).flatMap(([field, messages]) =>
      textsIn(messages).map((message) => ({ field, message, assumptions: [] })),
    );
  }
  return [valueAt(body, 'data.error') ?? []].flat().map((message): Problem => {
    const field = fieldIn(message);
    return { ...(field !== undefined && { field }), message: String(message), assumptions: [] };
  });
}

/** The problems of a refusal, which has at least one. */
export const refusalProblems = ([first, ...others]: readonly Problem[]): Refusal['problems'] => [
  first ?? { message: '', assumptions: [] },
  ...others,
];
