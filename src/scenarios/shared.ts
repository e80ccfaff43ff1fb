/* The steps and scenarios that every family has, and the test customers in them. */

import { unknownRouteEnvelope } from '../api/envelope.ts';
import type { Operation } from '../api/operation.ts';
import { MAX_BODY_BYTES } from '../api/request.ts';
import type { ProductFamily } from '../products/family.ts';
import { IDENTITY_LENGTH, MAX_PAGE_SIZE, paddedPhone } from '../world/limits.ts';
import {
  addMonths,
  DAY_MS,
  day,
  exactMinutes,
  instantOf,
  MINUTE_MS,
  midnight,
  minutesText,
  SECOND_MS,
  timestamp,
} from '../world/time.ts';
import type { ServerCatalogue } from './catalogue.ts';
import {
  type CheckRun,
  call,
  from,
  type Input,
  type Scenario,
  type ScenarioCall,
  type Step,
  unlike,
} from './scenario.ts';

/* Test customers use reserved numbers and the name "Sandbox Check", so that nobody mistakes them for real customers. */

export const FIRST_NAME = 'Contract';
export const SURNAME = 'Sandbox Check';
/* Names and addresses as customers have them: services often escape, fold or cut what is in them. */

export const WITH_NAMES = 'with names as customers have them';
export const OTHER_FIRST_NAME = 'Zoë-Ann';
export const OTHER_SURNAME = `McÀdé-O'Neil ${SURNAME}`;
export const OTHER_GROUP = `Ọṣun & Sons' ${SURNAME}`;
export const mixedEmailOf = ({ run }: CheckRun): string => `Sandbox-Check-${run}@example.com`;

/** A number that no network uses: mobile numbers start with 070, 080, 081, 090 or 091. */
export const PHONE = paddedPhone('0999', '0');
export const SECOND_PHONE = `${PHONE.slice(0, -1)}1`;
/** A phone number as a JSON number, which has no leading zero. */
export const NUMERIC_PHONE = Number(paddedPhone('999', '0'));
/** An identity number that is not assigned. */
export const IDENTITY_NUMBER = 10 ** IDENTITY_LENGTH - 1;
/** A text that is longer than columns of databases often are. */
export const LONG_TEXT = SURNAME.padEnd(300, SURNAME);
/** An address with two lines. */
export const ADDRESS = 'Sandbox Check,\nno street';
export const FILES = 'https://example.com/sandbox-check';

export const emailOf = ({ run }: CheckRun): string => `sandbox-check-${run}@example.com`;

/** The operations of a family, for scenarios that all families share. */
export interface FamilyCalls {
  readonly initiate: Operation;
  readonly verify: Operation;
  readonly list: Operation;
  readonly lookUp: Operation;
  /** The request field of a look-up for the policy number, and the response field of verify. */
  readonly lookUpField: string;
  readonly numberField: string;
  /** An operation that stores nothing. */
  readonly question: Operation;
  /** A request that is accepted and completes no purchase. */
  readonly accepted: Pick<ScenarioCall, 'operation' | 'input'>;
  readonly family: Pick<ProductFamily, 'operations' | 'tokenRules'>;
  /** A valid purchase. */
  readonly purchase: Input;
}

/** The steps that scenarios are made of. */
export function stepsOf({
  initiate,
  verify,
  lookUp,
  lookUpField,
  numberField,
  purchase,
}: FamilyCalls) {
  /** Initiates and verifies a purchase. `as` names the response of verify. */
  const buys = (
    as: string,
    shows: string,
    changes: Input = {},
    about = Object.keys(changes),
  ): Step[] => {
    const initiated = `${as} initiated`;
    return [
      call(initiate, shows, { ...purchase, ...changes }, { as: initiated, about }),
      call(verify, shows, { token: from(initiated, 'token') }, { as, about }),
    ];
  };
  return {
    buys,
    /** Several purchases, one after the other. */
    buysMany: (purchases: readonly Input[]): Step[] =>
      purchases.flatMap((each, place) => buys(`bought ${place}`, 'for a list', each, [])),
    initiates: (as: string, shows = 'for a token'): ScenarioCall =>
      call(initiate, shows, purchase, { as }),
    verifies: (as: string, shows: string): ScenarioCall =>
      call(verify, shows, { token: from(as, 'token') }),
    /** Looks up what a step bought. */
    looksUp: (bought: string, field = lookUpField): ScenarioCall =>
      call(
        lookUp,
        field === lookUpField ? 'of the new policy' : `by ${field}`,
        { [field]: from(bought, numberField) },
        { about: [field] },
      ),
  };
}

/** The scenarios that every family has. */
export const sharedScenarios = (calls: FamilyCalls): Scenario[] => [
  ...tokenScenarios(calls),
  ...isolationScenarios(calls),
  requestScenario(calls),
];

/** Distance from the end of a token in tests where the clock cannot be moved. */
const SLACK_MS = 20 * SECOND_MS;

/** Scenarios about tokens. */
function tokenScenarios(calls: FamilyCalls): Scenario[] {
  const { verify } = calls;
  const { lifetimeMinutes } = calls.family.tokenRules;
  const lifetimeMs = lifetimeMinutes * MINUTE_MS;
  const text = minutesText(lifetimeMinutes);
  const { initiates, verifies } = stepsOf(calls);
  const sends = (shows: string, input: Input): ScenarioCall =>
    call(verify, shows, input, { about: ['token'] });
  const lifetime = (
    name: string,
    needs: 'clock' | 'wait',
    before: number,
    after: number,
  ): Scenario => ({
    name,
    needs,
    steps: [
      initiates('late'),
      initiates('expired'),
      { advance: lifetimeMs - before },
      verifies('late', `shortly before ${text}`),
      { advance: before + after },
      verifies('expired', `after ${text}`),
      verifies('expired', `after ${text}, again`),
      verifies('late', `a second time, after ${text}`),
    ],
  });
  return [
    {
      name: 'Tokens are used once',
      steps: [initiates('token'), verifies('token', 'in time'), verifies('token', 'a second time')],
    },
    {
      name: 'Tokens are used once, at the same time',
      steps: [initiates('twice'), { ...verifies('twice', 'twice at the same time'), twice: true }],
    },
    {
      name: 'What is no token',
      steps: [
        sends('without a token', {}),
        sends('with a blank token', { token: ' ' }),
        sends('with a token that is a number', { token: 5 }),
      ],
    },
    lifetime('Tokens expire', 'clock', 1, 2),
    {
      name: 'Tokens at the end of their lifetime',
      needs: 'clock',
      steps: [
        initiates('boundary'),
        { advance: lifetimeMs },
        {
          ...verifies('boundary', `at ${exactMinutes(lifetimeMinutes)} exactly`),
          rests: ['token-boundary'],
        },
      ],
    },
    lifetime('Tokens expire, in real time', 'wait', SLACK_MS * 2, SLACK_MS),
  ];
}

/** A token or policy number that was never issued: the example with zeros. */
function unassigned({ input }: Operation): string {
  const [example] = Object.values(input?.shape ?? {}).map((schema) => schema.meta()?.examples?.[0]);
  return String(example).replace(/[0-9a-f]/g, '0');
}

/** What belongs to one merchant is unknown to another. */
function isolationScenarios(calls: FamilyCalls): Scenario[] {
  const { list, lookUp, verify, lookUpField, numberField } = calls;
  const { buys, initiates, verifies, looksUp } = stepsOf(calls);
  const isPaged = list.request.query !== undefined;
  const largest = isPaged ? { per_page: String(MAX_PAGE_SIZE) } : {};
  const foreign = { by: 'other', rests: ['foreign-policy'] } as const;
  const about = Object.keys(largest);
  return [
    {
      name: 'Merchants see only their own records',
      steps: [
        ...buys('own', 'for isolation'),
        call(lookUp, 'of a policy that does not exist', {
          [lookUpField]: unlike('own', numberField, unassigned(lookUp)),
        }),
        call(lookUp, "of another merchant's policy", looksUp('own').input, foreign),
        call(list, 'by another merchant', largest, { ...foreign, about }),
        initiates('token', 'for another merchant to try'),
        call(
          verify,
          'with an unknown token',
          { token: unlike('token', 'token', unassigned(verify)) },
          { about: ['token'], rests: ['token-unknown'] },
        ),
        { ...verifies('token', "with another merchant's token"), ...foreign },
      ],
    },
    {
      name: 'Records of another merchant',
      needs: 'records',
      steps: [
        call(list, 'of the first merchant', largest, { as: 'listed', about }),
        call(
          lookUp,
          "of another merchant's record",
          { [lookUpField]: from('listed', `${isPaged ? 'data.0' : '0'}.${numberField}`) },
          foreign,
        ),
        call(list, 'by another merchant, for the same records', largest, { ...foreign, about }),
      ],
    },
    {
      name: 'A key is rotated',
      needs: 'clock',
      steps: [
        { rotateKey: true },
        call(list, 'with the new key', {}, { rests: ['key-issue'] }),
        call(list, 'with the old key', {}, { authorization: 'old key', rests: ['key-issue'] }),
      ],
    },
  ];
}

/** Stands for the operation of a path that no operation has. */
export const UNKNOWN_ROUTE = 'unknownRoute';

const NOT_UTF8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
/** A request with a member that is nested too deeply. The contract ignores unknown members. */
const nested = (input: Input): string =>
  `${JSON.stringify(input).slice(0, -1)},"sandbox_check":${'['.repeat(150)}${']'.repeat(150)}}`;
/** A request with so much white space that it is too large. */
const padded = (input: Input): string =>
  `${JSON.stringify(input).slice(0, -1)}${' '.repeat(MAX_BODY_BYTES)}}`;

/** Requests with invalid keys, methods and bodies. */
function requestScenario({
  list,
  question,
  accepted,
  family: { operations },
}: FamilyCalls): Scenario {
  const unknownRoute: Operation = {
    ...list,
    operationId: UNKNOWN_ROUTE,
    path: '/api/merchant/sandbox_check_no_such_route',
    envelope: unknownRouteEnvelope,
  };
  const ofOperation = (operation: Operation): ScenarioCall[] => {
    const inPath = Object.keys(operation.request.params?.shape ?? {});
    const input = Object.fromEntries(inPath.map((field) => [field, unassigned(operation)]));
    const withoutKey = call(operation, 'without a key', input, { authorization: null });
    if (operation.method !== 'post') {
      return [
        withoutKey,
        call(operation, 'by POST', input, { method: 'POST', raw: '{}', sandboxOnly: true }),
      ];
    }
    const sends = (shows: string, raw: string, more = {}) =>
      call(operation, shows, {}, { raw, ...more });
    return [
      withoutKey,
      call(operation, 'by GET', {}, { method: 'GET' }),
      sends('with a body of another type', '{}', { contentType: 'text/plain' }),
      sends('with malformed JSON', '{"product_id":'),
      sends('with an empty body', ''),
      sends('with JSON that is not an object', '[]'),
    ];
  };
  const lists = (shows: string, authorization: string) => call(list, shows, {}, { authorization });
  const asks = (shows: string, raw: string | Uint8Array<ArrayBuffer>) =>
    call(question, shows, {}, { raw });
  const refuses = (shows: string, write: (input: Input) => string) =>
    call(accepted.operation, shows, {}, { raw: write(accepted.input) });
  return {
    name: 'Keys, methods and bodies',
    steps: [
      ...operations.flatMap(ofOperation),
      lists('with an unknown key', 'Bearer sandbox-check'),
      lists('with another scheme than Bearer', 'Basic c2FuZGJveC1jaGVjazpub2JvZHk='),
      call(unknownRoute, 'with a key'),
      call(unknownRoute, 'without a key', {}, { authorization: null }),
      asks('with a body that is not UTF-8', NOT_UTF8),
      refuses('with JSON nested 150 levels deep', nested),
      asks('with a byte order mark', '\ufeff{}'),
      refuses('with a body of more than 1 MiB', padded),
    ],
  };
}

/** Requests both ends of a list, where new records stand, whatever its length and order. */
export function listEnds(list: Operation, shows: string, input: Input = {}): Step[] {
  const about = Object.keys(input);
  const atEnd = { ...input, page: from(`listed ${shows}`, 'last_page') };
  return [
    call(list, shows, input, { as: `listed ${shows}`, about }),
    call(list, `${shows}, at its end`, atEnd, { about }),
  ];
}

/** Requests the pages of a list, from both ends. */
export function pageSteps(list: Operation): Step[] {
  const lists = (shows: string, input: Input, more = {}) =>
    call(list, shows, input, { about: Object.keys(input), ...more });
  const outside = (shows: string, page: string) =>
    lists(shows, { page, per_page: '2' }, { about: ['page'], rests: ['page-out-of-range'] });
  const follows = (at: string, as = 'first') =>
    call(list, `at ${at}`, {}, { follow: from(as, at) });
  return [
    lists('without parameters', {}),
    lists('with two per page', { per_page: '2' }, { as: 'first' }),
    follows('next_page_url'),
    follows('last_page_url'),
    follows('first_page_url'),
    lists('at page 2', { per_page: '2', page: '2' }, { as: 'second' }),
    follows('prev_page_url', 'second'),
    lists(`with ${MAX_PAGE_SIZE} per page`, { per_page: String(MAX_PAGE_SIZE) }, { as: 'largest' }),
    lists('at the last page', {
      per_page: String(MAX_PAGE_SIZE),
      page: from('largest', 'last_page'),
    }),
    outside('past the last page', '987654'),
    outside('at page 0', '0'),
    outside('at a page that is not a number', 'abc'),
    lists('with empty parameters', { page: '', per_page: '' }),
    ...['0', String(MAX_PAGE_SIZE + 1), 'abc'].map((per_page) =>
      lists(`with per_page ${per_page}`, { per_page }),
    ),
  ];
}

/** Look-ups without a policy number. */
export const namelessLookUps = ({ lookUp, lookUpField }: FamilyCalls): Scenario => ({
  name: 'Look-ups',
  steps: [
    call(lookUp, 'without a policy number'),
    call(lookUp, 'with a blank policy number', { [lookUpField]: ' ' }, { about: [lookUpField] }),
  ],
});

/** A date or timestamp some months later; undefined if that is not a valid date. */
export function later(start: string, months: number): string | undefined {
  const isDay = start.length === 10;
  const end = addMonths(instantOf(isDay ? midnight(start) : start), months);
  if (Number.isNaN(end)) return undefined;
  return isDay ? day(end) : timestamp(end);
}

export const dayAfter = (date: string): string => day(Date.parse(date) + DAY_MS);
export const dayBefore = (date: string): string => day(Date.parse(date) - DAY_MS);

/** A product of another family. */
export function foreignProduct({ products }: ServerCatalogue, family: string): number {
  return products.find((each) => each.family !== family)?.id ?? 987_654;
}
