import { ofEnvelopes, ofFields } from './answers.ts';
import { ofClocks } from './clocks.ts';
import { ofConduct } from './conduct.ts';
import { type Change, type Mutant, operations, plain } from './mutant.ts';
import { changing } from './mutate.ts';
import { ofProfiles } from './profiles.ts';

/** Every mutant, always the same ones in the same order. */
export const mutants = (): Mutant[] => [
  ...operations.flatMap(({ family, operation }) => {
    const made = (name: string, paths: readonly string[], change: Change): Mutant => ({
      name: `${operation.operationId}: ${name}`,
      family,
      operation: operation.operationId,
      paths,
      serve: (changed) => changing(plain(), operation, change, changed),
    });
    return [
      ...ofFields(operation, made),
      ...ofEnvelopes(operation, made),
      ...ofConduct(operation, family),
    ];
  }),
  ...ofProfiles(),
  ...ofClocks(),
];
