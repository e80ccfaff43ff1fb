/* "Errors": the form of refusals, their statuses and codes, and how problems are told. */

import { PUBLISHED_STATUSES } from '../../../api/refusals.ts';
import { anyFamilies } from '../../../products/world.ts';
import type { ErrorCode } from '../../../world/errors.ts';
import type { Answer, ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
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
import { probe, probesAbout } from '../probe.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
  decided,
  differs,
  eachOf,
  everywhere,
  holds,
  otherwise,
  type ProbeReading,
  refused,
  type SeenValue,
  same,
  unknown,
  words,
} from '../reading.ts';
import { wrongSelections } from './lists.ts';

const typed = wrongTypes.map((each) => each.typed);

/** A kind of refusal, and the calls that are refused for it. */
interface Kind {
  readonly title: string;
  readonly calls: readonly ProbeCall[];
  /** Calls whose messages tell whether a refusal is for another reason. */
  readonly others?: readonly ProbeCall[];
}

const KINDS: Readonly<Record<ErrorCode, Kind>> = {
  unauthenticated: { title: 'a wrong key', calls: [...keyless, wrongKey] },
  malformed: { title: 'malformed JSON', calls: malformed },
  unsupported_media_type: {
    title: 'a body that is not application/json',
    calls: typed,
    others: wrongTypes.map(({ plain }) => plain),
  },
  too_large: { title: 'a body above 1 MiB', calls: [largeBody] },
  invalid: { title: 'a request with problems', calls: [...empty, ...wrongSelections] },
  token_unknown: {
    title: 'an unknown token',
    calls: families.map(({ unknownToken }) => unknownToken),
  },
  token_used: {
    title: 'a used token',
    calls: families.map(({ again }) => again),
    others: families.flatMap(({ unknownToken, late }) => [unknownToken, late]),
  },
  token_expired: { title: 'an expired token', calls: families.map(({ late }) => late) },
  policy_unknown: {
    title: 'an unknown policy',
    calls: [
      ...families.map(({ unknownPolicy }) => unknownPolicy),
      ...[unknownRenewal, pendingDetails],
    ],
  },
  route_unknown: { title: 'an unknown path', calls: [unknownRoute] },
  method_not_allowed: { title: 'a wrong method', calls: wrongMethods, others: BASIC },
};
const CODES = Object.keys(KINDS) as ErrorCode[];

/** What a framework refuses before the service's own code runs. */
const OF_FRAMEWORK = [...keyless, ...malformed, ...typed, ...empty, unknownRoute, ...wrongMethods];
/** What the service's own code refuses. */
const OF_SERVICE = [
  ...KINDS.token_unknown.calls,
  ...KINDS.token_used.calls,
  ...KINDS.policy_unknown.calls,
];

/** The answers that are refusals for their own reason, and not for another one. */
function refusalsOf(code: ErrorCode, some: readonly Answer[]): readonly Answer[] {
  const { others } = KINDS[code];
  const isOwn = ({ call, message }: Answer): boolean => {
    if (!others) return true;
    const answers = some.filter(
      (other) => others.includes(other.call) && other.call.operation === call.operation,
    );
    // An operation that is not there is refused with every method.
    return answers.length > 0 && answers.every((other) => other.message !== message);
  };
  return some.filter(
    (answer) => answer.call.refusal === code && !answer.ok && answer.status < 500 && isOwn(answer),
  );
}

/** The status of a kind of refusal, by family: the form that a profile takes. */
function readStatus(code: ErrorCode, some: readonly Answer[]): ProbeReading {
  // What only one family was asked for holds for all.
  const isOfAll = new Set(KINDS[code].calls.map(({ operation }) => operation.tag)).size === 1;
  const seen = refusalsOf(code, some).map((answer): SeenValue => {
    const value = { [code]: answer.status };
    const family = anyFamilies.find(({ tag }) => tag === answer.call.operation.tag)?.key ?? '';
    return [isOfAll ? value : { [family]: value }, answer];
  });
  return seen.length === 0 ? unknown('no call was refused for this reason') : agreed(seen);
}

/** The form of a refusal: our envelope, a framework's bare message, or another one. */
function formOf(answer: Answer): unknown {
  const errors = answer.get('data.error');
  if (answer.get('success') === false) {
    return Array.isArray(errors) && errors.length > 0 ? 'envelope' : words('another form of data');
  }
  const isBare = answer.get('success') === undefined && typeof answer.get('message') === 'string';
  return isBare && answer.get('error') === undefined ? 'laravel' : words(answer.form);
}

/** The type of codes, as a profile sets it. */
function readCodeType(...some: readonly Answer[]): ProbeReading {
  const told = some.filter((answer) => !answer.ok && answer.get('response_code') !== undefined);
  const [first] = told;
  if (!first) return unknown('no refusal has a code');
  const isInteger = (answer: Answer) => Number.isInteger(answer.get('response_code'));
  const byFamily = (answer: Answer) => answer.call.operation.envelope.integerCode;
  const odd = told.find((answer) => isInteger(answer) !== byFamily(answer));
  if (!odd) return decided('by-family', first);
  if (told.every(isInteger)) return decided('integer', odd);
  if (!told.some(isInteger)) return decided('string', odd);
  return differs(words(byFamily(odd) ? 'an integer' : 'a string'), odd.get('response_code'), odd);
}

/** What the refusals of well-formed JSON say of its fields. */
const ofProblems = (some: readonly Answer[], read: (answer: Answer) => ProbeReading) =>
  all(...some.filter(({ ok, status }) => !ok && status < 500).map(read));

export const errors = probesAbout({
  'http-status': {
    'status-of-success': probe('Every success has the status 200', { some: BASIC }, (...some) =>
      eachOf(some, (answer) => same(200, answer.status, answer)),
    ),
    ...Object.fromEntries(
      CODES.map((code) => {
        const { title, calls, others = [] } = KINDS[code];
        return [
          `status-of-${code.replaceAll('_', '-')}`,
          probe(
            `The status of ${title} is ${PUBLISHED_STATUSES[code]}`,
            { some: [...calls, ...others] },
            (...some) => readStatus(code, some),
          ),
        ];
      }),
    ),
    allow: probe(
      'A wrong method is refused with the right ones in Allow',
      { some: [...wrongMethods, ...BASIC] },
      (...some) =>
        everywhere(
          refusalsOf('method_not_allowed', some),
          'Allow with the method of the operation',
          (answer) => {
            const { method } = answer.call.operation;
            const allowed = answer.headers.get('allow')?.toUpperCase().split(/[ ,]+/) ?? [];
            const isNamed = allowed.includes(method.toUpperCase());
            return isNamed ? undefined : answer.shownHeader('allow');
          },
        ),
    ),
  },
  'error-envelope': {
    'error-envelope': probe(
      'A refusal has success false, a message, a code and every problem in data.error',
      { some: OF_FRAMEWORK },
      (...some) => {
        const told = some.filter(({ ok }) => !ok).map((each) => [formOf(each), each] as const);
        const [form, at] = told.find(([seen]) => typeof seen !== 'string') ?? [];
        return at ? differs(words('the envelope'), form, at) : agreed(told);
      },
    ),
    'error-envelope-of-tokens': probe(
      'A refused token and an unknown policy are told in the envelope',
      { some: OF_SERVICE },
      (...some) =>
        all(
          ...some
            .filter(({ ok }) => !ok)
            .map((answer) =>
              holds(formOf(answer) === 'envelope', 'the envelope', words(answer.form), answer),
            ),
        ),
    ),
  },
  'error-code-type': {
    'error-code-type': probe(
      'The code of a refusal is an integer in the family whose success code is one, else a string',
      { some: [...empty, ...KINDS.token_unknown.calls, ...KINDS.policy_unknown.calls] },
      readCodeType,
    ),
    'error-code': probe(
      'The code of a refusal is its published status',
      { some: CODES.flatMap((code) => [...KINDS[code].calls, ...(KINDS[code].others ?? [])]) },
      (...some) =>
        all(
          ...CODES.flatMap((code) =>
            refusalsOf(code, some).map((answer): ProbeReading => {
              const seen = answer.get('response_code');
              return seen === undefined || Number(seen) === PUBLISHED_STATUSES[code]
                ? AS_PUBLISHED
                : differs(words(`the code ${PUBLISHED_STATUSES[code]}`), seen, answer);
            }),
          ),
        ),
    ),
  },
  Errors: {
    'expired-token': probe(
      'The one refusal that the specification shows: an expired token, with its code 400',
      { calls: [groupLife.late] },
      (late) => {
        const text = 'Token has expired';
        const head = { success: false, response_message: text, response_code: 400 };
        return same({ ...head, data: { error: [text] } }, late.body, late);
      },
    ),
  },
  'validation-messages': {
    'validation-messages': probe(
      'A problem is a sentence that begins with The and the name of its field',
      { some: empty },
      (...some) =>
        ofProblems(some, (answer) => {
          const odd = answer.problems.find(({ text }) => !/^The \w+ field /.test(text));
          return holds(odd === undefined, 'The … field …', odd?.text, answer);
        }),
    ),
    'every-problem': probe(
      'A refusal tells every problem of a body',
      { some: families.map(({ initiate }) => withoutFields(initiate)) },
      (...some) =>
        ofProblems(some, (answer) =>
          answer.problems.length > 1
            ? AS_PUBLISHED
            : otherwise('every missing field', 'one problem at a time', answer),
        ),
    ),
  },
  'unknown-route': {
    'unknown-route': probe(
      'An unknown path is refused with response_message and a code',
      { calls: [unknownRoute] },
      (answer) => {
        if (formOf(answer) === 'laravel') return AS_PUBLISHED;
        const hasMessage = typeof answer.get('response_message') === 'string';
        return all(
          refused(answer),
          holds(hasMessage, 'a response_message', words(answer.form), answer),
          same(404, Number(answer.get('response_code') ?? 404), answer),
        );
      },
    ),
    'unknown-route-without-key': probe(
      'An unknown path without a key is refused as any call without a key',
      { calls: [unknownRouteKeyless, wrongKey] },
      (answer, wrong) => same(wrong.message, answer.message, answer),
    ),
  },
});
