/* "States and transitions" and the life of a token: what a second, a late and a wrong verify do. */

import type { Answer, ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { atOnce, microHealth } from '../calls/micro-health.ts';
import { TOKEN } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  answerTo,
  formed,
  isSame,
  messageOf,
  otherwise,
  type ProbeReading,
  refused,
  same,
  serious,
  unknown,
  words,
} from '../reading.ts';
import { refuses, requires, wrong } from '../statements.ts';

/** How tokens look, in the order of the families. */
const FORMS = [
  [/^[0-9a-f]{40}$/, '40 lower-case hex digits'],
  [/^CMP\d{18}$/, 'CMP and 18 digits'],
  [/^GLP\d{18}$/, 'GLP and 18 digits'],
] as const;

const EXPIRED = 'Token has expired';
const SOLD_AGAIN = 'sells again';

/** What a second verify does, as a profile sets it. */
function readUsed(...some: readonly Answer[]): ProbeReading {
  const seen = families.flatMap(({ verify, again, unknownToken, late, number }) => {
    const [first, second] = [answerTo(some, verify), answerTo(some, again)];
    if (!second || !first?.ok) return [];
    const messageAt = (other: ProbeCall) => answerTo(some, other)?.message;
    const { message } = second;
    const saysAs = (other: string | undefined) => other !== undefined && other === message;
    const isExpired = saysAs(EXPIRED) || saysAs(messageAt(late));
    const refusal = isExpired ? 'expired' : messageOf(second);
    const isSamePolicy = first.get(number) === second.get(number);
    const success = isSamePolicy ? 'same-policy' : words(SOLD_AGAIN);
    const isUnknown = saysAs(messageAt(unknownToken));
    return [[second.ok ? success : isUnknown ? 'unknown' : refusal, second] as const];
  });
  const again = seen.find(([value]) => isSame(value, words(SOLD_AGAIN)));
  return again ? serious(otherwise('refused', SOLD_AGAIN, again[1])) : agreed(seen);
}

/** The one message of these refusals, as a profile sets it. */
const readMessage = (...some: readonly Answer[]): ProbeReading =>
  agreed(some.filter(({ ok }) => !ok).map((answer) => [messageOf(answer), answer]));

/** What a verify at exactly 15 minutes does, as a profile sets it. */
const readBoundary = (...some: readonly Answer[]): ProbeReading =>
  agreed(
    families.flatMap(({ boundary, late }) => {
      const answer = answerTo(some, boundary);
      if (!answer) return [];
      const after = answerTo(some, late);
      const isExpired = after === undefined || after.message === answer.message;
      const refusal = isExpired ? 'exclusive' : words(answer.shown);
      return [[answer.ok ? 'inclusive' : refusal, answer]];
    }),
  );

const { verify: verifyFirst, number, again: againFirst, usedLate } = microHealth;

const foreign = families.map(({ verifyElsewhere }) => verifyElsewhere);

export const statesAndTransitions = probesAbout({
  'token-format': ofEach('token-format', families, ({ id, initiate }, place) => {
    const [form, says] = FORMS[place] as (typeof FORMS)[number];
    return probe(`A ${id} token is ${says}`, [initiate], (answer) =>
      formed(form, says, answer.get(TOKEN), answer),
    );
  }),
  'token-unknown': {
    'token-unknown': probe(
      'The message for an unknown token',
      { some: families.map(({ unknownToken }) => unknownToken) },
      readMessage,
    ),
    ...ofEach('token-unknown', families, ({ id, verify, unknownToken }) =>
      refuses(`An unknown ${id} token is refused`, [unknownToken], [verify]),
    ),
    ...ofEach('token-of-another-family', families, ({ id, verify, unknownToken }) =>
      probe(
        `A token of another family is unknown to ${id}`,
        {
          needs: [verify],
          calls: [
            ...foreign.filter(({ operation }) => operation === verify.operation),
            unknownToken,
          ],
        },
        (_, other, none) => all(serious(refused(other)), same(none.message, other.message, other)),
      ),
    ),
    ...ofEach('token-required', families, ({ id, verify }) =>
      requires(`A ${id} verify requires its token`, verify),
    ),
    'token-form': refuses('A blank token is refused', wrong(verifyFirst, { token: ' ' })),
  },
  'States and transitions': ofEach('waits', families, (family) =>
    probe(
      `A ${family.id} purchase waits for its own verify, whatever else is bought, whoever tried its token`,
      {
        needs: [family.verify],
        calls: [family.initiateThird, family.second],
        some: [family.verifyOther, family.verifyElsewhere],
      },
      (_, third, answer, ...tries) =>
        tries.some(({ ok }) => ok)
          ? unknown('a verify that was not its own completed it')
          : all(accepted(third), accepted(answer)),
    ),
  ),
  Limits: ofEach('token-lifetime', families, ({ id, verify, early, late }) =>
    probe(
      `A ${id} token is valid for 15 minutes, and no longer`,
      { needs: [verify], some: [late, early] },
      (_, ...some) =>
        all(...some.map((answer) => (answer.call === early ? accepted(answer) : refused(answer)))),
    ),
  ),
  'token-used': {
    'one-policy': probe(
      'Two verifies at once create one policy',
      { needs: [verifyFirst], calls: atOnce },
      (_, one, two) => {
        if (!one.ok && !two.ok) return otherwise('one is accepted', one.shown, one);
        const isTwo = one.ok && two.ok && one.get(number) !== two.get(number);
        return isTwo ? serious(otherwise('one policy', 'two policies', two)) : AS_PUBLISHED;
      },
    ),
    'token-used': probe(
      'A second verify is refused: the token has already been used',
      {
        some: families.flatMap(({ verify, again, unknownToken, late }) => [
          ...[again, verify, unknownToken, late],
        ]),
      },
      readUsed,
    ),
    'token-used-late': probe(
      'A used token is refused as used after 15 minutes, too',
      { needs: [verifyFirst], calls: [againFirst, usedLate] },
      (_, again, late) =>
        again.ok ? unknown('a used token is accepted') : same(again.message, late.message, late),
    ),
  },
  'token-expired': probe(
    'The message for an expired token, where the specification has none',
    // The last family's is in the specification.
    { some: families.slice(0, -1).map(({ late }) => late) },
    readMessage,
  ),
  'token-boundary': probe(
    'A token has expired at exactly 15 minutes',
    { some: families.flatMap(({ boundary, late }) => [boundary, late]) },
    readBoundary,
  ),
});
