/* "Errors": the form of refusals, their statuses and codes, and how problems are told. */

import { PUBLISHED_STATUSES } from '../../../api/refusals.ts';
import { anyFamilies } from '../../../products/world.ts';
import type { ErrorCode } from '../../../world/errors.ts';
import type { Answer, ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { pendingDetails } from '../calls/motor.ts';
import {
  BASIC,
  empty,
  keyless,
  largeBody,
  malformed,
  unknownRenewal,
  unknownRoute,
  unknownRouteKeyless,
  withoutFields,
  wrongKey,
  wrongMethods,
  wrongTypes,
} from '../calls/refusals.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
  decided,
  differs,
  everywhere,
  type Probe,
  type ProbeReading,
  probe,
  refused,
  same,
  unknown,
  words,
} from '../probe.ts';
import { wrongSelections } from './lists.ts';

const typed = wrongTypes.map((each) => each.typed);

/** Refusals of each kind. */
const KINDS: Readonly<Record<ErrorCode, readonly ProbeCall[]>> = {
  unauthenticated: [...keyless, wrongKey],
  malformed,
  unsupported_media_type: typed,
  too_large: [largeBody],
  invalid: [...empty, ...wrongSelections],
  token_unknown: families.map(({ unknownToken }) => unknownToken),
  token_used: families.map(({ again }) => again),
  token_expired: families.map(({ late }) => late),
  policy_unknown: [
    ...families.map(({ unknownPolicy }) => unknownPolicy),
    unknownRenewal,
    pendingDetails,
  ],
  route_unknown: [unknownRoute],
  method_not_allowed: wrongMethods,
};

/** What a framework refuses before the service's own code runs. */
const OF_FRAMEWORK = [...keyless, ...malformed, ...typed, ...empty, unknownRoute, ...wrongMethods];

const answerTo = (some: readonly Answer[], call: ProbeCall | undefined) =>
  some.find((answer) => answer.call === call);

/** The answers that are refusals for their own reason, and not for another one. */
function refusalsOf(code: ErrorCode, some: readonly Answer[]): readonly Answer[] {
  const isOther = (answer: Answer): boolean => {
    const { call } = answer;
    const family = families.find(({ again }) => again === call);
    const plain = wrongTypes.find((each) => each.typed === call)?.plain;
    const others = [plain, ...(family ? [family.unknownToken, family.late] : [])];
    return others.some((other) => {
      const message = other && answerTo(some, other)?.message;
      return message !== undefined && message === answer.message;
    });
  };
  return some.filter(
    (answer) =>
      answer.call.refusal === code && !answer.ok && answer.status < 500 && !isOther(answer),
  );
}

/** The status of a kind of refusal, by family: the form that a profile takes. */
function readStatus(code: ErrorCode, some: readonly Answer[]): ProbeReading {
  const told = refusalsOf(code, some);
  const readings = anyFamilies.flatMap(({ key, tag }) => {
    const own = told.filter(({ call }) => call.operation.tag === tag && call.path === undefined);
    return own.length === 0
      ? []
      : [{ key, reading: agreed(own.map((each) => [each.status, each])) }];
  });
  const odd = readings.find(({ reading }) => typeof reading === 'object' && 'expected' in reading);
  if (odd) return odd.reading;
  const [first] = told;
  if (!first) return unknown('no call was refused for this reason');
  // What only one family was asked for holds for all.
  const asked = new Set(KINDS[code].map(({ operation }) => operation.tag));
  if (asked.size === 1) return decided({ [code]: first.status }, first);
  const statuses = readings.map(({ key, reading }) => [
    key,
    { [code]: typeof reading === 'object' && 'value' in reading && reading.value },
  ]);
  const at = told.find(({ status }) => status !== PUBLISHED_STATUSES[code]) ?? first;
  return decided(Object.fromEntries(statuses), at);
}

const TITLES: Readonly<Record<ErrorCode, string>> = {
  unauthenticated: 'a wrong key',
  malformed: 'malformed JSON',
  unsupported_media_type: 'a body that is not application/json',
  too_large: 'a body above 1 MiB',
  invalid: 'a request with problems',
  token_unknown: 'an unknown token',
  token_used: 'a used token',
  token_expired: 'an expired token',
  policy_unknown: 'an unknown policy',
  route_unknown: 'an unknown path',
  method_not_allowed: 'a wrong method',
};
const CODES = Object.keys(TITLES) as ErrorCode[];

const statuses: readonly Probe[] = [
  probe({
    id: 'status-of-success',
    about: 'http-status',
    title: 'Every success has the status 200',
    some: BASIC,
    read: (_, some) =>
      all(...some.filter(({ ok }) => ok).map((answer) => same(200, answer.status, answer))),
  }),
  ...CODES.map((code) =>
    probe({
      id: `status-of-${code.replaceAll('_', '-')}`,
      about: 'http-status',
      title: `The status of ${TITLES[code]} is ${PUBLISHED_STATUSES[code]}`,
      some: [
        ...KINDS[code],
        ...(code === 'unsupported_media_type' ? wrongTypes.map(({ plain }) => plain) : []),
        ...(code === 'token_used'
          ? families.flatMap(({ unknownToken, late }) => [unknownToken, late])
          : []),
      ],
      read: (_, some) => readStatus(code, some),
    }),
  ),
  probe({
    id: 'allow',
    about: 'http-status',
    title: 'A wrong method is refused with the right ones in Allow',
    some: wrongMethods,
    read: (_, some) =>
      everywhere(
        refusalsOf('method_not_allowed', some),
        'Allow with the method of the operation',
        ({ call, headers }) => {
          const allow = headers.get('allow') ?? 'no such header';
          const isTold = allow
            .toUpperCase()
            .split(/[ ,]+/)
            .includes(call.operation.method.toUpperCase());
          return isTold ? undefined : allow;
        },
      ),
  }),
];

/** The form of a refusal: our envelope, a framework's bare message, or another one. */
function formOf(answer: Answer): unknown {
  const errors = answer.get('data.error');
  if (answer.get('success') === false) {
    return Array.isArray(errors) && errors.length > 0 ? 'envelope' : words('another form of data');
  }
  const isBare = answer.get('success') === undefined && typeof answer.get('message') === 'string';
  return isBare && answer.get('error') === undefined ? 'laravel' : words(shapeOf(answer));
}

const shapeOf = ({ body, text }: Answer): string => {
  if (typeof body === 'object' && body !== null) return `{ ${Object.keys(body).join(', ')} }`;
  return text.trimStart().startsWith('<') ? 'HTML' : 'no JSON object';
};

const envelopes: readonly Probe[] = [
  probe({
    id: 'error-envelope',
    about: 'error-envelope',
    title: 'A refusal has success false, a message, a code and every problem in data.error',
    some: OF_FRAMEWORK,
    read: (_, some) => {
      const told = some.filter(({ ok }) => !ok).map((each) => [formOf(each), each] as const);
      const [form, at] = told.find(([seen]) => typeof seen !== 'string') ?? [];
      return at ? differs(words('the envelope'), form, at) : agreed(told);
    },
  }),
  probe({
    id: 'error-envelope-of-tokens',
    about: 'error-envelope',
    title: 'A refused token and an unknown policy are told in the envelope',
    some: [...KINDS.token_unknown, ...KINDS.token_used, ...KINDS.policy_unknown],
    read: (_, some) =>
      all(
        ...some
          .filter(({ ok }) => !ok)
          .map((answer) =>
            formOf(answer) === 'envelope'
              ? AS_PUBLISHED
              : differs(words('the envelope'), words(shapeOf(answer)), answer),
          ),
      ),
  }),
  probe({
    id: 'error-code-type',
    about: 'error-code-type',
    title:
      'The code of a refusal is an integer in the family whose success code is one, else a string',
    some: [...empty, ...KINDS.token_unknown, ...KINDS.policy_unknown],
    read: (_, some) => readCodeType(some.filter(({ ok }) => !ok)),
  }),
  probe({
    id: 'error-code',
    about: 'error-code-type',
    title: 'The code of a refusal is its published status',
    some: CODES.flatMap((code) => KINDS[code]),
    read: (_, some) =>
      all(
        ...CODES.flatMap((code) => refusalsOf(code, some)).map((answer): ProbeReading => {
          const seen = answer.get('response_code');
          const expected = PUBLISHED_STATUSES[answer.call.refusal as ErrorCode];
          return seen === undefined || Number(seen) === expected
            ? AS_PUBLISHED
            : differs(expected, seen, answer);
        }),
      ),
  }),
];

/** The type of codes, as a profile sets it. */
function readCodeType(refusals: readonly Answer[]): ProbeReading {
  const told = refusals.filter((answer) => answer.get('response_code') !== undefined);
  const isInteger = (answer: Answer) => Number.isInteger(answer.get('response_code'));
  const byFamily = (answer: Answer) => answer.call.operation.envelope.integerCode;
  if (told.length === 0) return unknown('no refusal has a code');
  const odd = told.find((answer) => isInteger(answer) !== byFamily(answer));
  if (!odd) return decided('by-family', told[0]);
  if (told.every(isInteger)) return decided('integer', odd);
  if (!told.some(isInteger)) return decided('string', odd);
  return differs(words(byFamily(odd) ? 'an integer' : 'a string'), odd.get('response_code'), odd);
}

const initiates = families.map(({ initiate }) => initiate);
const [, , groupLate] = families.map(({ late }) => late);

const texts: readonly Probe[] = [
  probe({
    id: 'expired-token',
    about: 'Errors',
    title: 'The one refusal that the specification shows: an expired token, with its code 400',
    calls: { late: groupLate as ProbeCall },
    read: ({ late }) =>
      same(
        {
          success: false,
          response_message: 'Token has expired',
          response_code: 400,
          data: { error: ['Token has expired'] },
        },
        late.body,
        late,
      ),
  }),
  probe({
    id: 'validation-messages',
    about: 'validation-messages',
    title: 'A problem is a sentence that begins with The and the name of its field',
    some: empty,
    read: (_, some) =>
      all(
        ...some
          .filter(({ ok, status }) => !ok && status < 500)
          .map((answer) => {
            const texts = answer.problems.map(({ text }) => text);
            const odd = texts.find((text) => !/^The \w+ field /.test(text));
            return odd === undefined ? AS_PUBLISHED : differs(words('The … field …'), odd, answer);
          }),
      ),
  }),
  probe({
    id: 'every-problem',
    about: 'validation-messages',
    title: 'A refusal tells every problem of a body',
    some: initiates.map(withoutFields),
    read: (_, some) =>
      all(
        ...some
          .filter(({ ok, status }) => !ok && status < 500)
          .map((answer) =>
            answer.problems.length > 1
              ? AS_PUBLISHED
              : differs(words('every missing field'), words('one problem at a time'), answer),
          ),
      ),
  }),
  probe({
    id: 'unknown-route',
    about: 'unknown-route',
    title: 'An unknown path is refused with response_message and a code',
    calls: { unknownRoute },
    read: ({ unknownRoute: answer }) =>
      formOf(answer) === 'laravel'
        ? AS_PUBLISHED
        : all(
            refused(answer),
            typeof answer.get('response_message') === 'string'
              ? same(404, Number(answer.get('response_code') ?? 404), answer)
              : differs(words('a response_message'), words(shapeOf(answer)), answer),
          ),
  }),
  probe({
    id: 'unknown-route-without-key',
    about: 'unknown-route',
    title: 'An unknown path without a key is refused as any call without a key',
    calls: { unknownRouteKeyless, wrongKey },
    read: (answers) =>
      same(
        answers.wrongKey.message,
        answers.unknownRouteKeyless.message,
        answers.unknownRouteKeyless,
      ),
  }),
];

export const errors: readonly Probe[] = [...statuses, ...envelopes, ...texts];
