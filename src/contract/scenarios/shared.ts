import { unknownRouteEnvelope } from '../../api/envelope.ts';
import type { Operation } from '../../api/operation.ts';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import {
  addMonths,
  day,
  instantOf,
  MINUTE_MS,
  midnight,
  SECOND_MS,
  timestamp,
} from '../../world/time.ts';
import type { Catalogue } from '../catalogue.ts';
import { type Call, from, type Input, type Scenario, type Step } from './scenario.ts';

/** What the scenarios of all families need to know of one. */
export interface FamilyCalls {
  readonly family: string;
  readonly initiate: Operation;
  readonly verify: Operation;
  readonly list: Operation;
  /** The call that looks a policy up, and its input for the policy that a step bought. */
  readonly lookUp: Operation;
  lookUpInput(answer: string, at?: string): Input;
  /** A call that answers a question and stores nothing. */
  readonly question: Operation;
  /** The purchase that the specification describes. */
  readonly purchase: Input;
}

/** Initiates and verifies a purchase; the answer of verify is kept under a name. */
export function buys(
  { initiate, verify }: Pick<FamilyCalls, 'initiate' | 'verify'>,
  as: string,
  input: Input,
  shows: string,
  about: readonly string[] = [],
): Step[] {
  const initiated = `${as} initiated`;
  return [
    { operation: initiate, shows, input, as: initiated, about },
    { operation: verify, shows, input: { token: from(initiated, 'token') }, as, about },
  ];
}

/** A day or a timestamp so many months later; undefined where the calendar has none. */
export function later(start: string, months: number): string | undefined {
  const isDay = start.length === 10;
  const end = addMonths(instantOf(isDay ? midnight(start) : start), months);
  if (Number.isNaN(end)) return undefined;
  return isDay ? day(end) : timestamp(end);
}

/** Several purchases, one after the other. */
export const manyBought = (calls: FamilyCalls, purchases: readonly Input[]): Step[] =>
  purchases.flatMap((purchase, place) => buys(calls, `bought ${place}`, purchase, 'for a list'));

const LIFETIME_MS = 15 * MINUTE_MS;
/** How far from the fifteenth minute a token is tried where clocks are not the check's. */
const SLACK_MS = 20 * SECOND_MS;

/** What becomes of tokens. */
export function tokenScenarios(calls: FamilyCalls): Scenario[] {
  const { family, initiate, verify, purchase } = calls;
  const initiates = (as: string): Call => ({
    operation: initiate,
    shows: 'for a token to try',
    input: purchase,
    as,
  });
  const verifies = (as: string, shows: string): Call => ({
    operation: verify,
    shows,
    input: { token: from(as, 'token') },
  });
  const sends = (shows: string, input: Input): Call => ({
    operation: verify,
    shows,
    input,
    about: ['token'],
  });
  const lifetime = (name: string, needs: 'clock' | 'wait', slack: readonly [number, number]) => ({
    name,
    family,
    needs,
    steps: [
      initiates('late'),
      initiates('expired'),
      { advance: LIFETIME_MS - slack[0] },
      verifies('late', 'shortly before 15 minutes are over'),
      { advance: slack[0] + slack[1] },
      verifies('expired', 'after 15 minutes'),
      verifies('expired', 'after 15 minutes, again'),
      verifies('late', 'a second time, after 15 minutes'),
    ],
  });
  return [
    {
      name: 'Tokens are used once',
      family,
      steps: [
        initiates('token'),
        verifies('token', 'in time'),
        verifies('token', 'a second time'),
        sends('with a token nobody was given', { token: unassigned(verify) }),
        sends('without a token', {}),
        sends('with a blank token', { token: ' ' }),
        sends('with a token that is a number', { token: 5 }),
        initiates('twice'),
        { ...verifies('twice', 'twice at the same time'), twice: true },
      ],
    },
    lifetime('Tokens expire', 'clock', [1, 2]),
    {
      name: 'The fifteenth minute',
      family,
      needs: 'clock',
      steps: [
        initiates('boundary'),
        { advance: LIFETIME_MS },
        { ...verifies('boundary', 'at 15:00.000 exactly'), rests: ['token-boundary'] },
      ],
    },
    lifetime('Tokens expire, in real time', 'wait', [SLACK_MS * 2, SLACK_MS]),
  ];
}

/** The example of a token or policy number, with digits that nobody was given. */
function unassigned({ input }: Operation): string {
  const [example] = Object.values(input?.shape ?? {}).map((schema) => schema.meta()?.examples?.[0]);
  return String(example).replace(/[0-9a-f]/g, '0');
}

/** An input that looks up a policy that does not exist. */
const unassignedLookUp = ({ lookUp, lookUpInput }: FamilyCalls): Input =>
  Object.fromEntries(Object.keys(lookUpInput('')).map((field) => [field, unassigned(lookUp)]));

/** What belongs to one merchant is unknown to another. */
export function isolationScenarios(calls: FamilyCalls): Scenario[] {
  const { family, initiate, verify, list, lookUp, lookUpInput, purchase } = calls;
  const largest = list.request.query ? { per_page: '100' } : {};
  return [
    {
      name: 'Look-ups of unknown policies',
      family,
      steps: [
        {
          operation: lookUp,
          shows: 'of a policy that does not exist',
          input: unassignedLookUp(calls),
        },
      ],
    },
    {
      name: 'Merchants see only their own',
      family,
      steps: [
        ...buys(calls, 'own', purchase, 'for isolation'),
        {
          operation: lookUp,
          shows: "of another merchant's policy",
          by: 'other',
          input: lookUpInput('own'),
          rests: ['foreign-policy'],
        },
        {
          operation: list,
          shows: 'by another merchant',
          by: 'other',
          input: largest,
          rests: ['foreign-policy'],
        },
        { operation: initiate, shows: 'for another merchant to try', input: purchase, as: 'token' },
        {
          operation: verify,
          shows: "with another merchant's token",
          by: 'other',
          input: { token: from('token', 'token') },
          rests: ['foreign-policy'],
        },
      ],
    },
    {
      name: 'Records of another merchant',
      family,
      needs: 'records',
      steps: [
        { operation: list, shows: 'of records to look for', input: largest, as: 'listed' },
        {
          operation: lookUp,
          shows: "of another merchant's record",
          by: 'other',
          input: lookUpInput('listed', list.request.query ? 'data.0.' : '0.'),
          rests: ['foreign-policy'],
        },
        {
          operation: list,
          shows: 'by another merchant, for the same records',
          by: 'other',
          input: largest,
          rests: ['foreign-policy'],
        },
      ],
    },
    {
      name: 'A key is replaced',
      family,
      needs: 'clock',
      steps: [
        { rotateKey: true },
        { operation: list, shows: 'with a key just issued', rests: ['key-issue'] },
        {
          operation: list,
          shows: 'with the key it replaced',
          authorization: 'old key',
          rests: ['key-issue'],
        },
      ],
    },
  ];
}

/** A path that no operation has. */
export const unknownRouteOf = (list: Operation): Operation => ({
  ...list,
  operationId: 'unknownRoute',
  path: '/api/merchant/sandbox_check_no_such_route',
  envelope: unknownRouteEnvelope,
});

const NOT_UTF8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
const TOO_DEEP = `{"a":${'['.repeat(150)}${']'.repeat(150)}}`;
const TOO_LARGE = new TextEncoder().encode(`{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`);

/** What every call does before it looks at its fields: keys, methods, bodies. */
export function requestScenarios(calls: FamilyCalls, operations: readonly Operation[]): Scenario[] {
  const { family, list, question } = calls;
  const unknownRoute = unknownRouteOf(list);
  const steps = operations.flatMap((operation): Call[] => {
    const isPost = operation.method === 'post';
    const input = operation.request.params ? unassignedLookUp(calls) : {};
    return [
      { operation, shows: 'without a key', input, authorization: null },
      isPost
        ? { operation, shows: 'by GET', method: 'GET' }
        : { operation, shows: 'by POST', method: 'POST', input, raw: '{}', sandboxOnly: true },
      ...(isPost
        ? [
            {
              operation,
              shows: 'with a body of another type',
              contentType: 'text/plain',
              raw: '{}',
            },
            { operation, shows: 'with malformed JSON', raw: '{"product_id":' },
            { operation, shows: 'with an empty body', raw: '' },
            { operation, shows: 'with JSON that is not an object', raw: '[]' },
          ]
        : []),
    ];
  });
  return [
    {
      name: 'Keys, methods and bodies',
      family,
      steps: [
        ...steps,
        { operation: list, shows: 'with an unknown key', authorization: 'Bearer sandbox-check' },
        {
          operation: list,
          shows: 'with another scheme than Bearer',
          authorization: 'Basic c2FuZGJveC1jaGVjazpub2JvZHk=',
        },
        { operation: unknownRoute, shows: 'with a key' },
        { operation: unknownRoute, shows: 'without a key', authorization: null },
        { operation: question, shows: 'with a body that is not UTF-8', raw: NOT_UTF8 },
        { operation: question, shows: 'with 150 levels of JSON', raw: TOO_DEEP },
        { operation: question, shows: 'with a byte order mark', raw: '\ufeff{}' },
        { operation: question, shows: 'with a body of more than 1 MiB', raw: TOO_LARGE },
      ],
    },
  ];
}

/** Turns the pages of a list of what was just bought, from both ends. */
export function pageSteps(list: Operation): Step[] {
  const lists = (shows: string, input: Input, as?: string): Call => ({
    operation: list,
    shows,
    input,
    ...(as !== undefined && { as }),
  });
  const follows = (shows: string, at: string, as = 'first'): Call => ({
    operation: list,
    shows,
    follow: from(as, at),
  });
  return [
    lists('as it is', {}),
    lists('by two', { per_page: '2' }, 'first'),
    follows('at next_page_url', 'next_page_url'),
    follows('at last_page_url', 'last_page_url'),
    follows('at first_page_url', 'first_page_url'),
    lists('at its second page', { per_page: '2', page: '2' }, 'second'),
    follows('at prev_page_url', 'prev_page_url', 'second'),
    lists('by a hundred', { per_page: '100' }, 'largest'),
    lists('at its last page', { per_page: '100', page: from('largest', 'last_page') }),
    lists('past its end', { per_page: '2', page: '987654' }),
    lists('at page 0', { page: '0' }),
    lists('at a page that is no number', { page: 'abc' }),
    lists('with empty parameters', { page: '', per_page: '' }),
    ...['0', '101', 'abc'].map((per_page) => ({
      ...lists(`with ${per_page} on a page`, { per_page }),
      about: ['per_page'],
    })),
  ];
}

/** A product that another family sells. */
export function foreignProduct({ products }: Catalogue, family: string): number {
  return products.find((each) => each.family !== family)?.id ?? 987_654;
}
