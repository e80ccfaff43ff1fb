import type { AssumptionId } from '../../core/assumptions.ts';
import type { Operation } from '../../http/operation.ts';
import { assumptionsOf } from '../../http/request-fields.ts';
import { type Json, repeats } from '../assertions.ts';
import { dataSchema, echoIn, requiredFields, unassignedInput } from '../contract.ts';
import type { Memory, Probe } from '../probe.ts';
import { refusing, requiresAll } from './refusals.ts';

/** The input that asks for a policy. */
const inputFor = (details: Operation, policyNumber: string) => ({
  [requiredFields(details)[0] as string]: policyNumber,
});

const inputAssumptions = ({ input }: Operation) => (input ? assumptionsOf(input) : []);

/** A policy by its number, however the field is spelled; `shown` is what the response repeats. */
export const findsBySpellings = (
  details: Operation,
  shown: (memory: Memory) => Json,
  ...assumptions: readonly AssumptionId[]
): Probe[] =>
  Object.keys(details.input?.shape ?? {}).map((spelling) => ({
    name: `answers a policy by ${spelling}`,
    operation: details,
    request: (memory) => ({ input: { [spelling]: shown(memory).policy_number } }),
    assumptions: inputAssumptions(details),
    assertions: (_data, memory) => repeats('', shown(memory), ...assumptions),
  }));

/** What a look-up refuses. */
export const refusedLookUps = (details: Operation): Probe[] => [
  requiresAll(details, 'asks for a policy number', inputAssumptions(details)),
  unknownPolicy(details),
];

export const unknownPolicy = (operation: Operation): Probe =>
  refusing(operation)(
    'does not find a policy that nobody has',
    { input: unassignedInput(operation) },
    'policy_unknown',
    'http-status',
  );

/** The details of the first policy on a list. */
export const detailsOfListed = (
  details: Operation,
  firstListed: (memory: Memory) => Json,
  ...assumptions: readonly AssumptionId[]
): Probe => ({
  name: 'answers the details of a listed policy',
  operation: details,
  request: (memory) => {
    const number = firstListed(memory)?.policy_number;
    return number === undefined ? 'there is no policy' : { input: inputFor(details, number) };
  },
  assertions: (_data, memory) =>
    repeats('', echoIn(dataSchema(details), firstListed(memory)), ...assumptions),
});

/** A look-up, by a second merchant, of a policy that the first one has: nothing tells it from one that nobody has. */
export const foreignPolicy = (
  operation: Operation,
  policyNumber: (memory: Memory) => string,
): Probe => ({
  ...refusing(operation)(
    "answers another merchant's policy as one nobody has",
    (memory) => ({ input: inputFor(operation, policyNumber(memory)) }),
    'policy_unknown',
    'foreign-policy',
  ),
  needs: 'merchant',
});
