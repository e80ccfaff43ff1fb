import { DAY_MS } from '../../../core/time.ts';
import { allSubscriptions } from '../../../products/micro-health/routes/all-subscriptions.ts';
import { topUp } from '../../../products/micro-health/routes/top-up.ts';
import { validatePolicy } from '../../../products/micro-health/routes/validate-policy.ts';
import { verify } from '../../../products/micro-health/routes/verify.ts';
import { equals, repeats } from '../../assertions.ts';
import type { Memory, Probe } from '../../probe.ts';
import { foreignList, listedRecords } from '../lists.ts';
import { foreignPolicy, paddedLookUp } from '../look-ups.ts';
import { initiates, sendToken } from '../purchases.ts';
import { type Input, refusing } from '../refusals.ts';
import { type ExpectedSettings, MONTHLY, type Plan, subscriptionAssertions } from './purchases.ts';
import { renewal } from './renewals.ts';

/** What the second merchant buys. */
const PURCHASE: Plan = { ...MONTHLY, saveAs: 'monthly of the second merchant' };

/** What is known of the first merchant's: what the list shows, and what was bought. */
const recordsOf = (memory: Memory) => [
  ...listedRecords(memory, allSubscriptions),
  ...(memory.monthly ? [memory.monthly] : []),
];

const renews = (name: string, dates: Input): Probe => ({
  name,
  operation: topUp,
  needs: 'merchant',
  request: (memory) => renewal(memory, PURCHASE),
  assertions: () => repeats('', dates, 'top-up-dates', 'timestamp-precision'),
});

/** What a second merchant shows: another's policies, dates to the second, what time does to a policy. */
export const microHealthSecondMerchant = (settings: ExpectedSettings): readonly Probe[] => [
  paddedLookUp(validatePolicy, (memory) => recordsOf(memory).at(-1)?.policy_no, settings),
  foreignPolicy(validatePolicy, (memory) => recordsOf(memory).at(-1)?.policy_no),
  {
    ...refusing(topUp)(
      "does not renew another merchant's policy",
      (memory) => renewal(memory, MONTHLY),
      'policy_unknown',
      'foreign-policy',
    ),
    needs: 'other',
  },
  ...foreignList(allSubscriptions, 'policy_no', recordsOf),
  {
    ...initiates('initiates a subscription at a known moment', PURCHASE, {}),
    needs: 'merchant',
  },
  {
    name: 'starts on 31 January and ends on 29 February, in whole seconds',
    operation: verify,
    needs: 'merchant',
    request: sendToken(PURCHASE),
    saveAs: PURCHASE.saveAs,
    assertions: (data, memory) => [
      ...subscriptionAssertions(data, { ...memory, between: undefined }, PURCHASE),
      equals('created_at', '2024-01-31T10:00:00.000000Z', 'timestamp-precision'),
      equals('end_date', '2024-02-29T10:00:00.000000Z', 'subscription-dates'),
    ],
  },
  renews('counts months from the first day of cover', {
    subscriptions_no: 2,
    end_date: '2024-03-31T10:00:00.000000Z',
    active_date: '2024-01-31 10:00:00',
  }),
  {
    name: 'still answers a policy that lapsed',
    operation: validatePolicy,
    needs: 'merchant',
    advanceBy: 60 * DAY_MS,
    request: (memory) => ({ input: { policy_no: memory[PURCHASE.saveAs].policy_no } }),
    assumptions: ['no-expiry-transition'],
    assertions: () => [
      equals('enable', 1, 'no-expiry-transition'),
      equals('end_date', '2024-03-31T10:00:00.000000Z', 'no-expiry-transition'),
    ],
  },
  renews('starts anew after a lapse', {
    subscriptions_no: 3,
    start_date: '2024-01-31T10:00:00.000000Z',
    updated_at: '2024-03-31T10:00:00.000000Z',
    end_date: '2024-04-30T10:00:00.000000Z',
    active_date: '2024-03-31 10:00:00',
  }),
];
