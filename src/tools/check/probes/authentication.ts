/* "Authentication": the key of every call, and what another merchant sees. */

import type { Answer } from '../answer.ts';
import { call, type ProbeCall, varied } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import { keyless, ofPolicies, wrongKey, wrongTypes } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { all, serious, unknown } from '../reading.ts';
import { asUnknown, refuses } from '../statements.ts';

const { list } = microHealth;
const lowerCase = call(list.operation, 'with the scheme in lower case', {
  key: 'lower-case scheme',
});
const rotated = call(list.operation, 'with a key that was replaced', {
  key: 'rotated',
  refusal: 'unauthenticated',
});
const invalidKeys = [...keyless, wrongKey];

/** A call with the key of another merchant. */
const asOther = (base: ProbeCall): ProbeCall =>
  varied(base, 'the policy of another merchant', {}, { key: 'other' });

/** What a refusal tells. */
const toldBy = ({ status, problems }: Answer) => [status, problems];

export const authentication = probesAbout({
  Authentication: {
    key: ofEach('Every operation asks for the key of a merchant', invalidKeys, (invalid) => [
      { calls: [invalid] },
      (answer) => serious(answer.holds(!answer.ok, 'refused', `accepted ${invalid.what}`)),
    ]),
    'content-type': ofEach(
      'Every POST asks for Content-Type: application/json',
      wrongTypes,
      ({ typed, plain }) => [
        { calls: [typed, plain] },
        (answer, asJson) => {
          const isRead = answer.ok || (!asJson.ok && asJson.message === answer.message);
          return answer.holds(!isRead, 'refused for its Content-Type', 'read as JSON');
        },
      ],
    ),
    'own-list': ofEach(
      'The list of another merchant has none of these policies',
      families,
      (family) => [
        [family.verify, family.listOther],
        (bought, answer) => {
          const isShown = findListed(family, [answer], bought) !== undefined;
          return serious(answer.holds(!isShown, 'not in the list', 'in the list'));
        },
      ],
    ),
  },
  'auth-failure': {
    'auth-failure': ofEach('The message of a call without a valid key', invalidKeys, (invalid) => [
      { calls: [invalid] },
      (answer) => answer.refusalMessage(),
    ]),
    'auth-challenge': ofEach(
      'A call without a valid key is answered with WWW-Authenticate: Bearer',
      invalidKeys,
      (invalid) => [
        { calls: [invalid] },
        (answer) => {
          if (answer.ok) return unknown('the call was accepted');
          const isBearer = /^bearer\b/i.test(answer.headers.get('www-authenticate') ?? '');
          return answer.holds(isBearer, 'Bearer', answer.showHeader('www-authenticate'));
        },
      ],
    ),
    'auth-scheme': probe(
      'The scheme may be in lower case',
      { needs: [list], calls: [lowerCase] },
      (_, answer) => answer.accepted(),
    ),
  },
  'foreign-policy': {
    'foreign-policy': ofEach(
      'A policy of another merchant is answered as an unknown one, and cannot be renewed',
      ofPolicies,
      ({ own, none }) => [
        { needs: [own], calls: [asOther(own), none] },
        (_, other, unknownOne) =>
          all(serious(other.refused()), other.same(toldBy(unknownOne), toldBy(other))),
      ],
    ),
    'foreign-token': ofEach(
      'A token of another merchant is answered as an unknown one',
      families,
      ({ verify, verifyOther, unknownToken }) => [
        { needs: [verify], calls: [verifyOther, unknownToken] },
        asUnknown,
      ],
    ),
  },
  'key-issue': refuses('A key that was replaced is refused at once', [rotated]),
});
