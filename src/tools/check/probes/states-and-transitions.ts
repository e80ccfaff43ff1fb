/* "States and transitions" and the life of a token: what a second, a late and a wrong verify do. */

import type { Answer } from '../answer.ts';
import { groupLife } from '../calls/group-life.ts';
import { families } from '../calls/index.ts';
import { atOnce, microHealth } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { type FamilyCalls, TOKEN } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED, all, type ProbeReading, serious, unknown } from '../reading.ts';
import { asUnknown, ofListed, refuses, requires, wrong } from '../statements.ts';

/** How tokens look. */
const FORMS = [
  [microHealth, /^[0-9a-f]{40}$/, '40 lower-case hex digits'],
  [motor, /^CMP\d{18}$/, 'CMP and 18 digits'],
  [groupLife, /^GLP\d{18}$/, 'GLP and 18 digits'],
] as const;

/** How an answer about a new policy says that it is active. */
const ACTIVE = [
  [microHealth, { enable: 1 }],
  [motor, { status: true }],
  [groupLife, { status: true }],
] as const;

const EXPIRED = 'Token has expired';

/** What a second verify does, as a profile sets it. */
const readUsed =
  ({ number }: FamilyCalls) =>
  (first: Answer, again: Answer, unknownToken: Answer, late?: Answer): ProbeReading => {
    if (again.ok) {
      return first.get(number) === again.get(number)
        ? again.decided('same-policy')
        : serious(again.otherwise('refused', 'sells again'));
    }
    const { message } = again;
    if (message === undefined) return again.refusalMessage();
    if (message === unknownToken.message) return again.decided('unknown');
    return [EXPIRED, late?.message].includes(message)
      ? again.decided('expired')
      : again.refusalMessage();
  };

const { verify: verifyFirst, number, again: againFirst, usedLate } = microHealth;

export const statesAndTransitions = probesAbout({
  'token-format': ofEach(
    'A token is 40 hex digits, or 18 digits after CMP in motor and GLP in group life',
    FORMS,
    ([{ initiate }, form, says]) => [[initiate], (answer) => answer.formed(TOKEN, form, says)],
  ),
  'token-unknown': {
    'token-unknown': ofEach(
      'An unknown token is refused as an invalid one',
      families,
      ({ unknownToken }) => [
        { calls: [unknownToken] },
        (answer) => (answer.ok ? answer.refused() : answer.refusalMessage()),
      ],
    ),
    'token-of-another-family': ofEach(
      'A token of another family is unknown',
      families,
      ({ verify, unknownToken }) => [
        {
          needs: [verify],
          calls: [
            ...families
              .map(({ verifyElsewhere }) => verifyElsewhere)
              .filter(({ operation }) => operation === verify.operation),
            unknownToken,
          ],
        },
        asUnknown,
      ],
    ),
    'token-required': requires(
      'A verify requires its token',
      families.map(({ verify }) => verify),
    ),
    'token-form': refuses('A blank token is refused', wrong(verifyFirst, { token: ' ' })),
  },
  'States and transitions': {
    waits: ofEach(
      'A purchase waits for its own verify, whatever else is bought, whoever tried its token',
      families,
      ({ verify, initiateThird, second, verifyOther, verifyElsewhere }) => [
        {
          needs: [verify],
          calls: [initiateThird, second],
          some: [verifyOther, verifyElsewhere],
        },
        (_, third, answer, ...tries) =>
          tries.some(({ ok }) => ok)
            ? unknown('a verify that was not its own completed it')
            : all(third.accepted(), answer.accepted()),
      ],
    ),
    active: ofEach(
      'A new policy is active: enable is 1, or status true',
      ACTIVE,
      ([{ verify }, says]) => [[verify], (bought) => bought.shows(says)],
    ),
    activated: ofListed(
      'A motor policy is activated in the list',
      motor,
      [motor.verify],
      ({ status }, list) => list.same('activated', status),
    ),
  },
  Limits: {
    'token-lifetime': ofEach(
      'A token is valid for 15 minutes, and no longer',
      families.flatMap(({ verify, early, late }) => [
        { verify, call: early, isValid: true },
        { verify, call: late, isValid: false },
      ]),
      ({ verify, call, isValid }) => [
        { needs: [verify], calls: [call] },
        (_, answer) => (isValid ? answer.accepted() : answer.refused()),
      ],
    ),
  },
  'token-used': {
    'one-policy': probe(
      'Two verifies at once create one policy',
      { needs: [verifyFirst], calls: atOnce },
      (_, one, two) => {
        if (!one.ok && !two.ok) return one.otherwise('one is accepted', one.shown);
        const isTwo = one.ok && two.ok && one.get(number) !== two.get(number);
        return isTwo ? serious(two.otherwise('one policy', 'two policies')) : AS_PUBLISHED;
      },
    ),
    'token-used': ofEach(
      'A second verify is refused: the token has already been used',
      families,
      (family) => [
        {
          needs: [family.verify],
          calls: [family.again, family.unknownToken],
          some: [family.late],
        },
        readUsed(family),
      ],
    ),
    'token-used-late': probe(
      'A used token is refused as used after 15 minutes, too',
      { needs: [verifyFirst], calls: [againFirst, usedLate] },
      (_, again, late) =>
        again.ok ? unknown('a used token is accepted') : late.same(again.message, late.message),
    ),
  },
  'token-expired': ofEach(
    'The message for an expired token, where the specification has none',
    [microHealth, motor],
    ({ late }) => [{ calls: [late] }, (answer) => answer.refusalMessage()],
  ),
  'token-boundary': ofEach(
    'A token has expired at exactly 15 minutes',
    families,
    ({ boundary, late }) => [
      { calls: [boundary], some: [late] },
      (answer, after) => {
        if (answer.ok) return answer.decided('inclusive');
        const isExpired = after === undefined || after.message === answer.message;
        return isExpired
          ? answer.decided('exclusive')
          : answer.otherwise('refused as expired', answer.shown);
      },
    ],
  ),
});
