import type { RecordProblem } from '../../src/products/record-validation.ts';

/** The problems that a review yields. It yields undefined after each valid record. */
export const problemsOf = (review: Iterable<RecordProblem | undefined>): RecordProblem[] =>
  [...review].filter((problem) => problem !== undefined);
