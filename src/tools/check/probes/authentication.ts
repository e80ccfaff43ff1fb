/* "Authentication": the key of every call, and what another merchant sees. */

import { type Answer, call, type ProbeCall, varied } from '../call.ts';
import { families } from '../calls/index.ts';
import { topUp } from '../calls/micro-health.ts';
import { keyless, wrongKey, wrongTypes } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  differs,
  everywhere,
  type Probe,
  probe,
  refused,
  same,
  serious,
  words,
} from '../probe.ts';

const list = families[0]?.list as ProbeCall;
const { operationId } = list.operation;
const lowerCase = call(operationId, 'with the scheme in lower case', { key: 'lower-case scheme' });
const rotated = call(operationId, 'with a key that was replaced', {
  key: 'rotated',
  refusal: 'unauthenticated',
});
const keys: readonly Probe[] = [
  probe({
    id: 'key',
    about: 'Authentication',
    title: 'Every operation asks for the key',
    some: keyless,
    read: (_, some) =>
      serious(everywhere(some, 'refused', ({ ok }) => (ok ? 'accepted without a key' : undefined))),
  }),
  probe({
    id: 'content-type',
    about: 'Authentication',
    title: 'Every POST asks for Content-Type: application/json',
    some: wrongTypes.flatMap(({ typed, plain }) => [typed, plain]),
    read: (_, some) =>
      everywhere(
        some.filter(({ call: asked }) => wrongTypes.some(({ typed }) => typed === asked)),
        'refused for its Content-Type',
        (answer) => {
          const pair = wrongTypes.find(({ typed }) => typed === answer.call);
          const plain = some.find(({ call: asked }) => asked === pair?.plain);
          const isRead = answer.ok || (!plain?.ok && plain?.message === answer.message);
          return isRead ? 'read as JSON' : undefined;
        },
      ),
  }),
  probe({
    id: 'key-unknown',
    about: 'Authentication',
    title: 'A wrong key is refused',
    calls: { wrongKey },
    read: (answers) => serious(refused(answers.wrongKey)),
  }),
  probe({
    id: 'auth-failure',
    about: 'auth-failure',
    title: 'The message of a call without a valid key',
    some: [...keyless, wrongKey],
    read: (_, some) =>
      agreed(
        some
          .filter(({ ok }) => !ok)
          .map((answer) => [
            answer.message === undefined ? words('no message') : { message: answer.message },
            answer,
          ]),
      ),
  }),
  probe({
    id: 'auth-challenge',
    about: 'auth-failure',
    title: 'A call without a valid key is answered with WWW-Authenticate: Bearer',
    some: [...keyless, wrongKey],
    read: (_, some) =>
      everywhere(
        some.filter(({ ok }) => !ok),
        'Bearer',
        ({ headers }) => {
          const challenge = headers.get('www-authenticate') ?? 'no such header';
          return /^bearer\b/i.test(challenge) ? undefined : challenge;
        },
      ),
  }),
  probe({
    id: 'auth-scheme',
    about: 'auth-failure',
    title: 'The scheme may be in lower case',
    needs: { list },
    calls: { lowerCase },
    read: (answers) => accepted(answers.lowerCase),
  }),
];

/** A call with the key of another merchant. */
const asOther = (base: ProbeCall, what: string, after: readonly ProbeCall[] = []): ProbeCall => ({
  ...varied(base, `${what} of another merchant`, {}, { key: 'other', after }),
});

/** What a refusal tells. */
const toldBy = ({ status, problems }: Answer) => [status, problems];

const isolation: readonly Probe[] = families.flatMap((family) => {
  const { id, title, number, verify, lookup, again, unknownPolicy, unknownToken } = family;
  const lookupOther = asOther(lookup, 'the policy');
  const listOther = call(
    family.list.operation.operationId,
    'as another merchant',
    { key: 'other', after: [lookup] },
    () => (family.isPaged ? { per_page: 100 } : {}),
  );
  const verifyOther = call(
    verify.operation.operationId,
    'with a token of another merchant',
    { needs: { verify }, after: [again], key: 'other', refusal: 'token_unknown' },
    (answers) => answers.verify.sent,
  );
  return [
    probe({
      id: `foreign-policy.${id}`,
      about: 'foreign-policy',
      title: `A ${title} policy of another merchant is answered as an unknown one`,
      needs: { lookup },
      calls: { lookupOther, unknownPolicy },
      read: (answers) =>
        all(
          serious(refused(answers.lookupOther)),
          same(toldBy(answers.unknownPolicy), toldBy(answers.lookupOther), answers.lookupOther),
        ),
    }),
    probe({
      id: `foreign-token.${id}`,
      about: 'foreign-policy',
      title: `A ${title} token of another merchant is answered as an unknown one`,
      needs: { verify },
      calls: { verifyOther, unknownToken },
      read: (answers) =>
        all(
          serious(refused(answers.verifyOther)),
          same(answers.unknownToken.message, answers.verifyOther.message, answers.verifyOther),
        ),
    }),
    probe({
      id: `own-list.${id}`,
      about: 'Authentication',
      title: `The ${title} list of another merchant has none of these policies`,
      needs: { verify, listOther },
      read: (answers) =>
        findListed(family, [answers.listOther], answers.verify.get(number))
          ? serious(differs(words('not in the list'), words('in the list'), answers.listOther))
          : AS_PUBLISHED,
    }),
  ];
});

const topUpOther = asOther(topUp, 'the policy');
const foreignRenewal = probe({
  id: 'foreign-renewal',
  about: 'foreign-policy',
  title: 'A policy of another merchant cannot be renewed',
  needs: { topUp },
  calls: { topUpOther },
  read: (answers) => serious(refused(answers.topUpOther)),
});

/** Last: the key of the other merchant is replaced. */
const keyIssue: Probe = probe({
  id: 'key-issue',
  about: 'key-issue',
  title: 'A key that was replaced is refused at once',
  calls: { rotated },
  read: (answers) => refused(answers.rotated),
});

export const authentication: readonly Probe[] = [...keys, ...isolation, foreignRenewal, keyIssue];
