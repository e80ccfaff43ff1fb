import type { AssumptionId } from '../../core/assumptions.ts';
import type { Settings } from '../../core/settings.ts';
import type { Operation } from '../../http/operation.ts';
import { assumptionsOf } from '../../http/request-fields.ts';
import { type Assertion, equals, type Json, repeats } from '../assertions.ts';
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

/** The policy number that was asked for, however its one field is spelled. */
export const numberIn = (sent: Json): Json => Object.values(sent)[0];

/** That the policy is the one asked for; one with a blank around its number would be another (`text-trim`). */
export const isAsked = (
  field: string,
  asked: Json,
  ...assumptions: readonly AssumptionId[]
): Assertion =>
  typeof asked === 'string' && asked !== asked.trim()
    ? equals(field, asked, 'text-trim')
    : equals(field, asked, ...assumptions);

/** What a look-up refuses. */
export const refusedLookUps = (details: Operation): Probe[] => [
  requiresAll(details, 'asks for a policy number', inputAssumptions(details)),
  unknownPolicy(details),
];

/** A policy number with a blank: that of another policy, unless texts are trimmed. */
export const paddedLookUp = (
  operation: Operation,
  policyNumber: (memory: Memory) => string | undefined,
  { textTrim }: Settings,
): Probe => ({
  name: `takes a policy number with a blank for ${textTrim === 'keep' ? 'another' : 'the same'} one`,
  operation,
  request: (memory) => {
    const number = policyNumber(memory);
    return number === undefined ? NO_POLICY : { input: inputFor(operation, `${number} `) };
  },
  assumptions: ['text-trim'],
  shows: { assumption: 'text-trim', ifRefused: 'keep', ifAccepted: 'trim' },
  refused: textTrim === 'keep' ? 'policy_unknown' : undefined,
});

const NO_POLICY = 'there is no policy';

export const unknownPolicy = (operation: Operation): Probe =>
  refusing(operation)(
    'does not find a policy that nobody has',
    { input: unassignedInput(operation) },
    'policy_unknown',
    'http-status',
  );

/** How many of those listed are looked up. */
const LOOKED_UP = 3;

/** The details of policies on a list: those that together show most of what a policy may have. */
export const detailsOfListed = (
  details: Operation,
  listed: (memory: Memory) => readonly Json[],
  ...assumptions: readonly AssumptionId[]
): Probe[] =>
  Array.from({ length: LOOKED_UP }, (_, n): Probe => {
    const policy = (memory: Memory) => fullest(listed(memory))[n];
    return {
      name: `answers the details of a listed policy${n === 0 ? '' : `, ${n + 1}`}`,
      operation: details,
      request: (memory) => {
        const { policy_number, policy_no } = policy(memory) ?? {};
        const number = policy_number ?? policy_no;
        return number === undefined ? NO_POLICY : { input: inputFor(details, number) };
      },
      assertions: (_data, memory) =>
        repeats('', echoIn(dataSchema(details), policy(memory)), ...assumptions),
    };
  });

/** Records in an order in which each adds as many filled fields as it can to those before. */
function fullest(records: readonly Json[]): Json[] {
  const rest = records.map((record) => ({ record, filled: filledIn(record) }));
  const chosen: Json[] = [];
  const known = new Set<string>();
  while (chosen.length < LOOKED_UP && rest.length > 0) {
    const news = rest.map(({ filled }) => filled.filter((place) => !known.has(place)).length);
    const [next] = rest.splice(news.indexOf(Math.max(...news)), 1);
    chosen.push(next?.record);
    for (const place of next?.filled ?? []) known.add(place);
  }
  return chosen;
}

/** The places of a record that hold something, whatever their position in a list. */
const filledIn = (value: Json, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, held]) =>
        filledIn(held, Array.isArray(value) ? path : `${path}.${key}`),
      )
    : value === null
      ? []
      : [path];

/**
 * A look-up, by another merchant, of a policy that the first one has: nothing tells it from one that nobody has.
 *
 * @param policyNumber of a policy bought, or of any that is listed
 */
export const foreignPolicy = (
  operation: Operation,
  policyNumber: (memory: Memory) => string | undefined,
): Probe => ({
  ...refusing(operation)(
    "answers another merchant's policy as one nobody has",
    (memory) => {
      const number = policyNumber(memory);
      return number === undefined ? NO_POLICY : { input: inputFor(operation, number) };
    },
    'policy_unknown',
    'foreign-policy',
  ),
  needs: 'other',
});
