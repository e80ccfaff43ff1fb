/* "What the service does": every operation is there, purchases take two calls, and lists and look-ups show what was bought. */

import { families } from '../calls/index.ts';
import { microHealth, priceIn, quote, quoteOne, topUp } from '../calls/micro-health.ts';
import { BASIC } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  holds,
  otherwise,
  serious,
  shows,
  unknown,
  words,
} from '../reading.ts';
import { accepts } from '../statements.ts';

const { initiate, number, verify } = microHealth;

export const whatTheServiceDoes = probesAbout({
  Endpoints: Object.fromEntries(
    BASIC.map((basic) => [
      `works.${basic.operation.operationId}`,
      accepts(`${basic.operation.summary}: a call as specified is accepted`, [basic]),
    ]),
  ),
  'success-messages': probe('The messages of successes', { some: BASIC }, (...some) =>
    agreed(
      some
        .filter(({ ok }) => ok)
        .map((answer) => [{ [answer.call.operation.operationId]: answer.message ?? '' }, answer]),
    ),
  ),
  'States and transitions': ofEach('pending', families, (family) =>
    probe(
      `A ${family.id} purchase is in no list before its verify`,
      [family.verify, family.pendingList],
      (bought, list) => {
        const isListed = findListed(family, [list], bought) !== undefined;
        return holds(!isListed, 'not in the list', words('listed before verify'), list);
      },
    ),
  ),
  'What the service does': {
    ...ofEach('listed', families, (family) =>
      probe(
        `A bought ${family.id} policy is in the list`,
        [family.verify, family.list, family.lastPage],
        (bought, first, last) => {
          if (!first.list) return unknown('the list has another form');
          const isListed = findListed(family, [first, last], bought) !== undefined;
          return serious(holds(isListed, 'the bought policy', words('not in the list'), first));
        },
      ),
    ),
    ...ofEach('lookup', families, ({ id, number, verify, lookup }) =>
      probe(`A look-up of a ${id} policy returns that policy`, [verify, lookup], (bought, answer) =>
        serious(shows(answer, number, bought.get(number))),
      ),
    ),
    renewal: probe(
      'A renewal prolongs the cover of the policy that it names',
      [verify, topUp],
      (bought, renewed) => {
        const before = String(bought.get('data.end_date'));
        const after = renewed.get('data.end_date');
        const isLater = before < String(after);
        return all(
          shows(renewed, number, bought.get(number)),
          serious(holds(isLater, `an end after ${before}`, after, renewed)),
        );
      },
    ),
    users: probe(
      'A principal with one beneficiary is two users',
      { needs: [quote, quoteOne], calls: [initiate] },
      (two, one, answer) =>
        priceIn(two) === priceIn(one)
          ? unknown('one and two users cost the same')
          : answer.ok || answer.names('amount')
            ? accepted(answer)
            : unknown(`a purchase was ${answer.shown}`),
    ),
  },
  'subscriber-per-purchase': ofEach('own-policy', families, (family) =>
    probe(
      `A second ${family.id} purchase of a customer makes another policy and another customer`,
      [family.verify, family.second],
      (first, next) => {
        const paths = [family.number, 'data.user_id'];
        const shared = paths.find((path) => first.get(path) === next.get(path));
        if (shared === undefined) return AS_PUBLISHED;
        return serious(otherwise(`another ${shared}`, 'the same', next));
      },
    ),
  ),
});
