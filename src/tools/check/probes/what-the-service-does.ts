/* "What the service does": every operation is there, purchases take two calls, and lists and look-ups show what was bought. */

import { families } from '../calls/index.ts';
import { microHealth, priceIn, quote, quoteOne, topUp } from '../calls/micro-health.ts';
import { BASIC } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED, all, serious, unknown } from '../reading.ts';
import { accepts } from '../statements.ts';

const { initiate, number, verify } = microHealth;

export const whatTheServiceDoes = probesAbout({
  Endpoints: Object.fromEntries(
    BASIC.map((basic) => [
      `works.${basic.operation.operationId}`,
      accepts(`${basic.operation.summary}: a call as specified is accepted`, [basic]),
    ]),
  ),
  'success-messages': ofEach('The messages of successes', BASIC, (basic) => [
    [basic],
    (answer) => answer.decided({ [basic.operation.operationId]: answer.message ?? '' }),
  ]),
  'States and transitions': {
    pending: ofEach('A purchase is in no list before its verify', families, (family) => [
      [family.verify, family.pendingList],
      (bought, list) => {
        const isListed = findListed(family, [list], bought) !== undefined;
        return list.holds(!isListed, 'not in the list', 'listed before verify');
      },
    ]),
  },
  'What the service does': {
    listed: ofEach('A bought policy is in the list', families, (family) => [
      [family.verify, family.list, family.lastPage],
      (bought, first, last) => {
        if (!first.list) return unknown('the list has another form');
        const isListed = findListed(family, [first, last], bought) !== undefined;
        return serious(first.holds(isListed, 'the bought policy', 'not in the list'));
      },
    ]),
    lookup: ofEach('A look-up of a policy returns that policy', families, (family) => [
      [family.verify, family.lookup],
      (bought, answer) =>
        serious(answer.same(bought.get(family.number), answer.get(family.number))),
    ]),
    renewal: probe(
      'A renewal prolongs the cover of the policy that it names',
      [verify, topUp],
      (bought, renewed) => {
        const before = String(bought.get('data.end_date'));
        const after = renewed.get('data.end_date');
        const isLater = before < String(after);
        return all(
          renewed.same(bought.get(number), renewed.get(number)),
          serious(renewed.holds(isLater, `an end after ${before}`, renewed.show(after))),
        );
      },
    ),
    users: probe(
      'A principal with one beneficiary is two users',
      { needs: [quote, quoteOne], calls: [initiate] },
      (two, one, answer) => {
        if (priceIn(two) === priceIn(one)) return unknown('one and two users cost the same');
        return answer.ok || answer.names('amount')
          ? answer.accepted()
          : unknown(`a purchase was ${answer.shown}`);
      },
    ),
  },
  'subscriber-per-purchase': ofEach(
    'A second purchase of a customer makes another policy and another customer',
    families,
    ({ number, verify, second }) => [
      [verify, second],
      (first, next) => {
        const paths = [number, 'data.user_id'];
        const shared = paths.find((path) => first.get(path) === next.get(path));
        if (shared === undefined) return AS_PUBLISHED;
        return serious(next.otherwise(`another ${shared}`, 'the same'));
      },
    ],
  ),
});
