/* Holds every answer of a check against its published schema, closed, and tells each place once. */

import type { Operation } from '../../api/operation.ts';
import { createFamilies } from '../../products/index.ts';
import type { ErrorCode } from '../../world/errors.ts';
import type { Settings } from '../../world/settings.ts';
import { formOf, violations as placesIn } from '../violations.ts';
import type { Answer } from './answer.ts';
import type { Mask } from './mask.ts';

/** A place of a schema that answers do not follow. */
export interface CheckViolation {
  readonly operation: string;
  /** The path in the schema: `$.data[].premium`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** In how many answers. */
  readonly count: number;
}

/** Finds what is wrong with the answers of a server that decides as these settings say. */
export function findViolations(
  answers: readonly Answer[],
  settings: Settings,
  mask: Mask,
): CheckViolation[] {
  const { operations: published } = createFamilies(settings);
  const operations = new Map<string, Operation>(
    published.map((operation) => [operation.operationId, operation]),
  );
  const places = new Map<string, CheckViolation>();
  for (const answer of answers) {
    const { operationId } = answer.call.operation;
    const operation = operations.get(operationId);
    // What has no operation has no schema.
    if (!operation || answer.call.path !== undefined) continue;
    for (const { path, expected, seen } of problemsOf(operation, answer)) {
      const key = JSON.stringify([operationId, path, expected]);
      const count = (places.get(key)?.count ?? 0) + 1;
      places.set(key, { operation: operationId, path: mask(path), expected, seen, count });
    }
  }
  return [...places.values()].toSorted((a, b) => depthOf(a) - depthOf(b));
}

/** A list that is none comes before the fields of its items. */
const depthOf = ({ path }: CheckViolation): number => path.split('.').length;

type Problem = Pick<CheckViolation, 'path' | 'expected' | 'seen'>;

function problemsOf(operation: Operation, answer: Answer): readonly Problem[] {
  const { body, call } = answer;
  if (body === undefined) return [{ path: '$', expected: 'JSON', seen: answer.form }];
  const isSuccess = answer.get('success') === true || answer.ok;
  // What the contract refuses has no published response; that it was accepted is told by its probe.
  if (isSuccess && call.refusal !== undefined) return [];
  const forms = isSuccess ? [operation.success] : failuresOf(operation, call.refusal);
  const read = forms.map((form) => placesIn(form, body));
  // Of several forms of a failure, the one that it resembles most.
  const [places = []] = read.toSorted((a, b) => a.length - b.length);
  if (places.length === 0 || isSuccess || answer.get('success') !== undefined) return places;
  // The fields of another form say nothing.
  return [{ path: '$', expected: 'the envelope of a refusal', seen: formOf(body) }];
}

/** The forms of a failure: a server may refuse for another reason than expected. */
const failuresOf = (operation: Operation, refusal: ErrorCode = 'invalid') =>
  [...new Set([refusal, 'invalid', 'unauthenticated', 'token_unknown'] as const)].map((code) =>
    operation.failure(code),
  );
