/* "States and transitions" and the life of a token: what a second, a late and a wrong verify do. */

import type { Answer, ProbeCall } from '../call.ts';
import { call } from '../call.ts';
import { families } from '../calls/index.ts';
import { withoutFields } from '../calls/refusals.ts';
import { TOKEN } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  differs,
  formed,
  isSame,
  type Probe,
  type ProbeReading,
  probe,
  refused,
  same,
  serious,
  unknown,
  words,
} from '../probe.ts';

/** How tokens begin (`token-format`), in the order of the families. */
const FORMS = [
  [/^[0-9a-f]{40}$/, '40 lower-case hex digits'],
  [/^CMP\d{18}$/, 'CMP and 18 digits'],
  [/^GLP\d{18}$/, 'GLP and 18 digits'],
] as const;

const EXPIRED = 'Token has expired';

const badToken = (verify: ProbeCall, what: string, token: unknown): ProbeCall =>
  call(verify.operation.operationId, what, { needs: { verify }, refusal: 'invalid' }, () => ({
    token,
  }));

const ofFamily: readonly Probe[] = families.flatMap((family, place) => {
  const { id, title, initiate, verify, unknownToken, early, late } = family;
  const next = families[(place + 1) % families.length];
  const foreign = call(
    verify.operation.operationId,
    'with a token of another family',
    { needs: { verify, other: next?.verify as ProbeCall }, refusal: 'token_unknown' },
    ({ other }) => other.sent,
  );
  const [form, says] = FORMS[place] as (typeof FORMS)[number];
  const missing = withoutFields(verify);
  return [
    probe({
      id: `token-format.${id}`,
      about: 'token-format',
      title: `A ${title} token is ${says}`,
      needs: { initiate },
      read: (answers) => formed(form, says, answers.initiate.get(TOKEN), answers.initiate),
    }),
    probe({
      id: `token-unknown.${id}`,
      about: 'token-unknown',
      title: `An unknown ${title} token is refused`,
      needs: { verify },
      calls: { unknownToken },
      read: (answers) => refused(answers.unknownToken),
    }),
    probe({
      id: `token-of-another-family.${id}`,
      about: 'token-unknown',
      title: `A token of another family is unknown to ${title}`,
      needs: { verify },
      calls: { foreign, unknownToken },
      read: (answers) =>
        all(
          serious(refused(answers.foreign)),
          same(answers.unknownToken.message, answers.foreign.message, answers.foreign),
        ),
    }),
    probe({
      id: `token-required.${id}`,
      about: 'token-unknown',
      title: `A ${title} verify without a token is refused`,
      needs: { verify },
      calls: { missing },
      read: (answers) => refused(answers.missing),
    }),
    probe({
      id: `token-lifetime.${id}`,
      about: 'Limits',
      title: `A ${title} token is valid for 15 minutes, and no longer`,
      needs: { verify },
      some: [late, early],
      read: (_, some) =>
        all(...some.map((answer) => (answer.call === early ? accepted : refused)(answer))),
    }),
  ];
});

const first = families[0] as (typeof families)[number];

const once: readonly Probe[] = [
  probe({
    id: 'one-policy',
    about: 'token-used',
    title: 'Two verifies at once create one policy',
    needs: { verify: first.verify },
    calls: { one: first.atOnce[0], two: first.atOnce[1] },
    read({ one, two }) {
      if (!one.ok && !two.ok) return differs(words('one is accepted'), words(one.shown), one);
      const isTwo = one.ok && two.ok && one.get(first.number) !== two.get(first.number);
      return isTwo
        ? serious(differs(words('one policy'), words('two policies'), two))
        : AS_PUBLISHED;
    },
  }),
  probe({
    id: 'token-used-late',
    about: 'token-used',
    title: 'A used token is refused as used after 15 minutes, too',
    needs: { verify: first.verify },
    calls: { again: first.again, usedLate: first.usedLate },
    read: ({ again, usedLate }) =>
      again.ok
        ? unknown('a used token is accepted')
        : same(again.message, usedLate.message, usedLate),
  }),
  probe({
    id: 'token-form',
    about: 'token-unknown',
    title: 'A blank token is refused',
    needs: { verify: first.verify },
    calls: {
      blank: badToken(first.verify, 'with a blank token', ' '),
    },
    read: (answers) => refused(answers.blank),
  }),
];

const ofOperation = (some: readonly Answer[], call: ProbeCall) =>
  some.find((answer) => answer.call === call);

/** What a second verify does, as a profile sets it. */
function readUsed(some: readonly Answer[]): ProbeReading {
  const seen = families.flatMap(({ verify, again, unknownToken, late, number }) => {
    const second = ofOperation(some, again);
    const first = ofOperation(some, verify);
    if (!second || !first?.ok) return [];
    const messageAt = (other: ProbeCall) => ofOperation(some, other)?.message;
    const isSame = first.get(number) === second.get(number);
    const value = second.ok
      ? isSame
        ? 'same-policy'
        : words('sells again')
      : second.message === messageAt(unknownToken)
        ? 'unknown'
        : second.message === messageAt(late) || second.message === EXPIRED
          ? 'expired'
          : { message: second.message ?? '' };
    return [[value, second] as const];
  });
  const again = seen.find(([value]) => value instanceof Object && 'text' in value);
  if (again) return serious(differs(words('refused'), again[0], again[1]));
  return agreed(seen);
}

/** The one message of these refusals, as a profile sets it. */
const messageOf = (some: readonly Answer[]): ProbeReading =>
  agreed(some.filter(({ ok }) => !ok).map((answer) => [{ message: answer.message ?? '' }, answer]));

const isExpired = (answer: Answer, late: Answer | undefined): boolean =>
  !answer.ok && (late === undefined || isSame(answer.message, late.message));

const decisions: readonly Probe[] = [
  probe({
    id: 'token-used',
    about: 'token-used',
    title: 'A second verify is refused: the token has already been used',
    some: families.flatMap(({ verify, again, unknownToken, late }) => [
      verify,
      again,
      unknownToken,
      late,
    ]),
    read: (_, some) => readUsed(some),
  }),
  probe({
    id: 'token-unknown',
    about: 'token-unknown',
    title: 'The message for an unknown token',
    some: families.map(({ unknownToken }) => unknownToken),
    read: (_, some) => messageOf(some),
  }),
  probe({
    id: 'token-expired',
    about: 'token-expired',
    title: 'The message for an expired token, where the specification has none',
    // The last family's is in the specification.
    some: families.slice(0, -1).map(({ late }) => late),
    read: (_, some) => messageOf(some),
  }),
  probe({
    id: 'token-boundary',
    about: 'token-boundary',
    title: 'A token has expired at exactly 15 minutes',
    some: families.flatMap(({ boundary, late }) => [boundary, late]),
    read: (_, some) =>
      agreed(
        families.flatMap(({ boundary, late }) => {
          const answer = ofOperation(some, boundary);
          if (!answer) return [];
          const ended = isExpired(answer, ofOperation(some, late));
          return [[answer.ok ? 'inclusive' : ended ? 'exclusive' : words(answer.shown), answer]];
        }),
      ),
  }),
];

export const statesAndTransitions: readonly Probe[] = [...ofFamily, ...once, ...decisions];
