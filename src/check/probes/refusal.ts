import type { AssumptionId } from '../../core/assumptions.ts';
import type { Call, Memory, Probe } from '../probe.ts';

/** Fields of an input, by their wire names. */
export type Input = Record<string, unknown>;

/**
 * How an operation refuses its input: a probe for each mistake, with the fields that the refusal names.
 *
 * @param call the request that makes the mistake
 */
export const refusing =
  <Mistake>(operation: string, call: (mistake: Mistake, memory: Memory) => Call | string) =>
  (
    name: string,
    mistake: Mistake,
    fields: readonly string[],
    ...decisions: readonly AssumptionId[]
  ): Probe => ({
    name,
    operation,
    call: (memory) => call(mistake, memory),
    refused: 'invalid',
    fields,
    decisions,
  });
