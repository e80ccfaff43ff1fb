/* "Authentication": the key of every call, and what another merchant sees. */

import { type Answer, call, type ProbeCall, varied } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth, topUp } from '../calls/micro-health.ts';
import { keyless, wrongKey, wrongTypes } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  accepted,
  agreed,
  all,
  answerTo,
  everywhere,
  holds,
  messageOf,
  refused,
  same,
  serious,
  words,
} from '../reading.ts';
import { refuses } from '../statements.ts';

const { list } = microHealth;
const lowerCase = call(list.operation, 'with the scheme in lower case', {
  key: 'lower-case scheme',
});
const rotated = call(list.operation, 'with a key that was replaced', {
  key: 'rotated',
  refusal: 'unauthenticated',
});
const invalidKeys = { some: [...keyless, wrongKey] };

/** A call with the key of another merchant. */
const asOther = (base: ProbeCall): ProbeCall =>
  varied(base, 'the policy of another merchant', {}, { key: 'other' });

/** What a refusal tells. */
const toldBy = ({ status, problems }: Answer) => [status, problems];

export const authentication = probesAbout({
  Authentication: {
    key: probe('Every operation asks for the key of a merchant', invalidKeys, (...some) =>
      serious(
        everywhere(some, 'refused', ({ ok, call: { what } }) =>
          ok ? `accepted ${what}` : undefined,
        ),
      ),
    ),
    'content-type': probe(
      'Every POST asks for Content-Type: application/json',
      { some: wrongTypes.flatMap(({ typed, plain }) => [typed, plain]) },
      (...some) =>
        everywhere(
          some.filter(({ call: asked }) => wrongTypes.some(({ typed }) => typed === asked)),
          'refused for its Content-Type',
          (answer) => {
            const pair = wrongTypes.find(({ typed }) => typed === answer.call);
            const plain = answerTo(some, pair?.plain);
            const isRead = answer.ok || (!plain?.ok && plain?.message === answer.message);
            return isRead ? 'read as JSON' : undefined;
          },
        ),
    ),
    ...ofEach('own-list', families, (family) =>
      probe(
        `The ${family.id} list of another merchant has none of these policies`,
        [family.verify, family.listOther],
        (bought, answer) => {
          const isShown = findListed(family, [answer], bought) !== undefined;
          return serious(holds(!isShown, 'not in the list', words('in the list'), answer));
        },
      ),
    ),
  },
  'auth-failure': {
    'auth-failure': probe('The message of a call without a valid key', invalidKeys, (...some) =>
      agreed(some.filter(({ ok }) => !ok).map((answer) => [messageOf(answer), answer])),
    ),
    'auth-challenge': probe(
      'A call without a valid key is answered with WWW-Authenticate: Bearer',
      invalidKeys,
      (...some) =>
        everywhere(
          some.filter(({ ok }) => !ok),
          'Bearer',
          (answer) => {
            const isBearer = /^bearer\b/i.test(answer.headers.get('www-authenticate') ?? '');
            return isBearer ? undefined : answer.shownHeader('www-authenticate');
          },
        ),
    ),
    'auth-scheme': probe(
      'The scheme may be in lower case',
      { needs: [list], calls: [lowerCase] },
      (_, answer) => accepted(answer),
    ),
  },
  'foreign-policy': {
    ...ofEach('foreign-policy', families, ({ id, lookup, unknownPolicy }) =>
      probe(
        `A ${id} policy of another merchant is answered as an unknown one`,
        { needs: [lookup], calls: [asOther(lookup), unknownPolicy] },
        (_, other, none) => all(serious(refused(other)), same(toldBy(none), toldBy(other), other)),
      ),
    ),
    ...ofEach('foreign-token', families, ({ id, verify, verifyOther, unknownToken }) =>
      probe(
        `A ${id} token of another merchant is answered as an unknown one`,
        { needs: [verify], calls: [verifyOther, unknownToken] },
        (_, other, none) => all(serious(refused(other)), same(none.message, other.message, other)),
      ),
    ),
    'foreign-renewal': probe(
      'A policy of another merchant cannot be renewed',
      { needs: [topUp], calls: [asOther(topUp)] },
      (_, other) => serious(refused(other)),
    ),
  },
  // Last: the key of the other merchant is replaced.
  'key-issue': refuses('A key that was replaced is refused at once', [rotated]),
});
