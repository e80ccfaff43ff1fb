/* "What the service does": every operation is there, purchases take two calls, and lists and look-ups show what was bought. */

import type { ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { topUp } from '../calls/micro-health.ts';
import { BASIC } from '../calls/refusals.ts';
import { findListed } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  accepted,
  decided,
  differs,
  type Probe,
  probe,
  same,
  serious,
  unknown,
  words,
} from '../probe.ts';

const works: readonly Probe[] = BASIC.map((basic) =>
  probe({
    id: `works.${basic.operation.operationId}`,
    about: 'Endpoints',
    title: `${basic.operation.summary}: a call as specified is accepted`,
    calls: { basic },
    read: (answers) => accepted(answers.basic),
  }),
);

const messages: Probe = probe({
  id: 'success-messages',
  about: 'success-messages',
  title: 'The messages of successes',
  some: BASIC,
  read(_, some) {
    const told = some.filter(({ ok }) => ok);
    const messages = told.map(
      ({ call, message = '' }) => [call.operation.operationId, message] as const,
    );
    const odd = told.find(({ call, message }) => message !== call.operation.envelope.message);
    return decided(Object.fromEntries(messages), odd ?? told[0]);
  },
});

const purchases: readonly Probe[] = families.flatMap((family) => {
  const { id, title, number, pendingList, verify, second, list, lastPage, lookup } = family;
  return [
    probe({
      id: `pending.${id}`,
      about: 'States and transitions',
      title: `A ${title} purchase is in no list before its verify`,
      needs: { verify, pendingList },
      read: (answers) =>
        findListed(family, [answers.pendingList], answers.verify.get(number))
          ? differs(words('not in the list'), words('listed before verify'), answers.pendingList)
          : AS_PUBLISHED,
    }),
    probe({
      id: `listed.${id}`,
      about: 'What the service does',
      title: `A bought ${title} policy is in the list`,
      needs: { verify, list, lastPage },
      read({ verify: bought, ...lists }) {
        if (!lists.list.list) return unknown('the list has another form');
        const isListed = findListed(family, Object.values(lists), bought.get(number));
        if (isListed) return AS_PUBLISHED;
        return serious(differs(words('the bought policy'), words('not in the list'), lists.list));
      },
    }),
    probe({
      id: `lookup.${id}`,
      about: 'What the service does',
      title: `A look-up of a ${title} policy returns that policy`,
      needs: { verify, lookup },
      read: (answers) =>
        serious(same(answers.verify.get(number), answers.lookup.get(number), answers.lookup)),
    }),
    probe({
      id: `own-policy.${id}`,
      about: 'subscriber-per-purchase',
      title: `A second ${title} purchase of a customer makes another policy and another customer`,
      needs: { verify, second },
      read({ verify: first, second: next }) {
        const shared = [number, 'data.user_id'].find((path) => first.get(path) === next.get(path));
        if (shared === undefined) return AS_PUBLISHED;
        return serious(differs(words(`another ${shared}`), words('the same'), next));
      },
    }),
  ];
});

const renewal = probe({
  id: 'renewal',
  about: 'What the service does',
  title: 'A renewal prolongs the cover of the policy that it names',
  needs: { verify: families[0]?.verify as ProbeCall, topUp },
  read({ verify, topUp: renewed }) {
    const ends = [verify, renewed].map((answer) => String(answer.get('data.end_date')));
    if (renewed.get('data.policy_no') !== verify.get('data.policy_no')) {
      return differs(verify.get('data.policy_no'), renewed.get('data.policy_no'), renewed);
    }
    return (ends[0] as string) < (ends[1] as string)
      ? AS_PUBLISHED
      : serious(differs(words(`an end after ${ends[0]}`), ends[1], renewed));
  },
});

export const whatTheServiceDoes: readonly Probe[] = [...works, messages, ...purchases, renewal];
