import type { RecordProblem } from '../../src/products/record-validation.ts';

/** The problems among what a review yields: it yields undefined after each record without one. */
export const problemsOf = (review: Iterable<RecordProblem | undefined>): RecordProblem[] =>
  [...review].filter((problem) => problem !== undefined);
