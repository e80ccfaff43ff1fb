/* "Errors": the form of refusals, their statuses and codes, and how problems are told. */

import { PUBLISHED_STATUSES } from '../../../api/refusals.ts';
import { anyFamilies } from '../../../products/world.ts';
import type { ErrorCode } from '../../../world/errors.ts';
import type { Answer } from '../answer.ts';
import type { ProbeCall } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { pendingDetails } from '../calls/motor.ts';
import {
  BASIC,
  empty,
  keyless,
  largeBody,
  malformed,
  ofPolicies,
  unknownRoute,
  unknownRouteKeyless,
  withoutFields,
  wrongKey,
  wrongMethods,
  wrongTypes,
} from '../calls/refusals.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED, all, type ProbeReading, unknown } from '../reading.ts';
import { wrongSelections } from './lists.ts';
import { amountBelow } from './micro-health.ts';

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
    calls: wrongTypes.map(({ typed }) => typed),
    others: wrongTypes.map(({ plain }) => plain),
  },
  too_large: { title: 'a body above 1 MiB', calls: [largeBody] },
  invalid: { title: 'a request with problems', calls: [...empty, ...wrongSelections, amountBelow] },
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
    calls: [...ofPolicies.map(({ none }) => none), pendingDetails],
  },
  route_unknown: { title: 'an unknown path', calls: [unknownRoute] },
  method_not_allowed: { title: 'a wrong method', calls: wrongMethods, others: BASIC },
};
const CODES = Object.keys(KINDS) as ErrorCode[];

/** What a framework refuses before the service's own code runs. */
const OF_FRAMEWORK = [
  ...[...keyless, ...malformed, ...KINDS.unsupported_media_type.calls],
  ...[...empty, unknownRoute, ...wrongMethods],
];
/** What the service's own code refuses. */
const OF_SERVICE = [
  ...KINDS.token_unknown.calls,
  ...KINDS.token_used.calls,
  ...KINDS.policy_unknown.calls,
];

/** Each call of a kind, and the other calls of its operation that tell whether it was refused for another reason. */
const refusalsOf = (code: ErrorCode, calls = KINDS[code].calls) =>
  calls.map((call) => ({
    code,
    call,
    others: KINDS[code].others?.filter(({ operation }) => operation === call.operation),
  }));

type Refusal = ReturnType<typeof refusalsOf>[number];

/** What refusals say that are for their own reason, and not for another one. */
const ofRefusals = (
  title: string,
  refusals: readonly Refusal[],
  read: (answer: Answer, code: ErrorCode) => ProbeReading,
) =>
  ofEach(title, refusals, ({ code, call, others }) => [
    { calls: [call], some: others ?? [] },
    (answer, ...answers) => {
      // An operation that is not there is refused with every method.
      const isOwn =
        !others || (answers[0] && answers.every(({ message }) => message !== answer.message));
      return isOwn && !answer.ok && answer.status < 500
        ? read(answer, code)
        : unknown('no call was refused for this reason');
    },
  ]);

/** The status of a kind of refusal, by family: the form that a profile takes. */
function readStatus(answer: Answer, code: ErrorCode): ProbeReading {
  const value = { [code]: answer.status };
  // What only one family was asked for holds for all.
  const isOfAll = new Set(KINDS[code].calls.map(({ operation }) => operation.tag)).size === 1;
  const family = anyFamilies.find(({ tag }) => tag === answer.call.operation.tag)?.key ?? '';
  return answer.decided(isOfAll ? value : { [family]: value });
}

/** The form of a refusal: our envelope, a framework's bare message, or another one in words. */
function formOf(answer: Answer): string {
  const errors = answer.get('data.error');
  if (answer.get('success') === false) {
    return Array.isArray(errors) && errors.length > 0 ? 'envelope' : 'another form of data';
  }
  const isBare = answer.get('success') === undefined && typeof answer.get('message') === 'string';
  return isBare && answer.get('error') === undefined ? 'laravel' : answer.form;
}

/** The type of codes, as a profile sets it. */
function readCodeType(...some: readonly Answer[]): ProbeReading {
  const told = some.filter((answer) => !answer.ok && answer.get('response_code') !== undefined);
  const [first] = told;
  if (!first) return unknown('no refusal has a code');
  const isInteger = (answer: Answer) => Number.isInteger(answer.get('response_code'));
  const byFamily = (answer: Answer) => answer.call.operation.envelope.integerCode;
  const odd = told.find((answer) => isInteger(answer) !== byFamily(answer));
  if (!odd) return first.decided('by-family');
  if (told.every(isInteger)) return odd.decided('integer');
  if (!told.some(isInteger)) return odd.decided('string');
  const seen = odd.show(odd.get('response_code'));
  return odd.otherwise(byFamily(odd) ? 'an integer' : 'a string', seen);
}

export const errors = probesAbout({
  'http-status': {
    'status-of-success': ofEach('Every success has the status 200', BASIC, (basic) => [
      [basic],
      (answer) => answer.same(200, answer.status),
    ]),
    ...Object.fromEntries(
      CODES.map((code) => [
        `status-of-${code.replaceAll('_', '-')}`,
        ofRefusals(
          `The status of ${KINDS[code].title} is ${PUBLISHED_STATUSES[code]}`,
          refusalsOf(code),
          readStatus,
        ),
      ]),
    ),
    allow: ofRefusals(
      'A wrong method is refused with the right ones in Allow',
      refusalsOf('method_not_allowed'),
      (answer) => {
        const method = answer.call.operation.method.toUpperCase();
        const allowed = answer.headers.get('allow')?.toUpperCase().split(/[ ,]+/) ?? [];
        return answer.holds(allowed.includes(method), method, answer.showHeader('allow'));
      },
    ),
  },
  'error-envelope': {
    'error-envelope': ofEach(
      'A refusal has success false, a message, a code and every problem in data.error',
      OF_FRAMEWORK,
      (call) => [
        { calls: [call] },
        (answer) => {
          if (answer.ok) return unknown('the call was accepted');
          const form = formOf(answer);
          return ['envelope', 'laravel'].includes(form)
            ? answer.decided(form)
            : answer.otherwise('the envelope', form);
        },
      ],
    ),
    'error-envelope-of-tokens': ofEach(
      'A refused token and an unknown policy are told in the envelope',
      OF_SERVICE,
      (call) => [
        { calls: [call] },
        (answer) => {
          const form = formOf(answer);
          return answer.holds(answer.ok || form === 'envelope', 'the envelope', form);
        },
      ],
    ),
  },
  'error-code-type': {
    'error-code-type': probe(
      'The code of a refusal is an integer in the family whose success code is one, else a string',
      { some: [...empty, ...KINDS.token_unknown.calls, ...KINDS.policy_unknown.calls] },
      readCodeType,
    ),
    'error-code': ofRefusals(
      'The code of a refusal is its published status',
      CODES.flatMap((code) => refusalsOf(code)),
      (answer, code) => {
        const seen = answer.get('response_code');
        const isPublished = seen === undefined || Number(seen) === PUBLISHED_STATUSES[code];
        return answer.holds(isPublished, `${PUBLISHED_STATUSES[code]}`, answer.show(seen));
      },
    ),
  },
  Errors: {
    'expired-token': probe(
      'The one refusal that the specification shows: an expired token, with its code 400',
      { calls: [groupLife.late] },
      (late) => {
        const text = 'Token has expired';
        const head = { success: false, response_message: text, response_code: 400 };
        return late.same({ ...head, data: { error: [text] } }, late.body);
      },
    ),
  },
  'validation-messages': {
    'validation-messages': ofRefusals(
      'A problem is a sentence that begins with The and the name of its field',
      refusalsOf('invalid', empty),
      (answer) => {
        const odd = answer.problems.find(({ text }) => !/^The \w+ field /.test(text));
        return answer.holds(odd === undefined, 'The … field …', answer.show(odd?.text));
      },
    ),
    'every-problem': ofRefusals(
      'A refusal tells every problem of a body',
      refusalsOf(
        'invalid',
        families.map(({ initiate }) => withoutFields(initiate)),
      ),
      (answer) =>
        answer.problems.length > 1
          ? AS_PUBLISHED
          : answer.otherwise('every missing field', 'one problem at a time'),
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
          answer.refused(),
          answer.holds(hasMessage, 'a response_message', answer.form),
          answer.same(404, Number(answer.get('response_code') ?? 404)),
        );
      },
    ),
    'unknown-route-without-key': probe(
      'An unknown path without a key is refused as any call without a key',
      { calls: [unknownRouteKeyless, wrongKey] },
      (answer, wrong) => answer.same(wrong.message, answer.message),
    ),
  },
});
