import type { Settings } from '../../../core/settings.ts';
import { is, type Probe, repeats } from '../../probe.ts';
import { foreignList, foreignPolicy } from '../foreign.ts';
import { lifetimes } from '../tokens.ts';
import { PLANS, purchase, subscriptionClaims } from './purchases.ts';

const initiate = 'initiateMicroHealthSubscription';
const verify = 'verifyMicroHealthSubscription';
const topUp = 'topUpMicroHealthSubscription';
const validate = 'validateMicroHealthPolicy';
const list = 'listMicroHealthSubscriptions';

const DAY_MS = 86_400_000;

const renewed = (name: string, dates: Record<string, unknown>, advance = 0): Probe => ({
  name,
  operation: topUp,
  as: 'minted',
  ...(advance > 0 && { advance }),
  call: ({ minted, quote_2 }) => ({
    input: {
      subscription_type: 'monthly',
      amount: quote_2.quote_price,
      policy_no: minted.policy_no,
    },
  }),
  decisions: [],
  claims: () => repeats('', dates, 'top-up-dates', 'timestamp-precision'),
});

/** What a second merchant shows: dates to the second, another's policies, tokens as time passes. */
export const microHealthSecond = ({ tokenBoundary }: Settings): readonly Probe[] => [
  {
    name: 'initiates a subscription that another merchant tries to verify',
    operation: initiate,
    call: (memory) => purchase(memory, 'monthly'),
    keep: 'guarded',
  },
  {
    name: "answers another merchant's token as one nobody was given",
    operation: verify,
    as: 'minted',
    call: ({ guarded }) => ({ input: { token: guarded.token } }),
    refused: 'token_unknown',
    decisions: ['foreign-policy'],
  },
  foreignPolicy(validate, ({ monthly }) => ({ input: { policy_no: monthly.policy_no } })),
  {
    name: "does not renew another merchant's policy",
    operation: topUp,
    as: 'minted',
    call: ({ monthly, quote_2 }) => ({
      input: {
        subscription_type: 'monthly',
        amount: quote_2.quote_price,
        policy_no: monthly.policy_no,
      },
    }),
    refused: 'policy_unknown',
    decisions: ['foreign-policy'],
  },
  foreignList(list, 'total'),
  {
    name: 'initiates a subscription at a known moment',
    operation: initiate,
    as: 'minted',
    call: (memory) => purchase(memory, 'monthly'),
    keep: 'minted_token',
  },
  {
    name: 'starts on 31 January and ends on 29 February, in whole seconds',
    operation: verify,
    as: 'minted',
    call: ({ minted_token }) => ({ input: { token: minted_token.token } }),
    keep: 'minted',
    claims: (data, memory) => [
      ...subscriptionClaims(data, { ...memory, between: undefined }, PLANS.monthly),
      is('created_at', '2024-01-31T10:00:00.000000Z', 'timestamp-precision'),
      is('end_date', '2024-02-29T10:00:00.000000Z', 'subscription-dates'),
    ],
  },
  renewed('counts months from the first day of cover', {
    subscriptions_no: 2,
    end_date: '2024-03-31T10:00:00.000000Z',
    active_date: '2024-01-31 10:00:00',
  }),
  {
    name: 'still answers a policy that lapsed',
    operation: validate,
    as: 'minted',
    advance: 60 * DAY_MS,
    call: ({ minted }) => ({ input: { policy_no: minted.policy_no } }),
    decisions: ['no-expiry-transition'],
    claims: () => [
      is('enable', 1, 'no-expiry-transition'),
      is('end_date', '2024-03-31T10:00:00.000000Z', 'no-expiry-transition'),
    ],
  },
  renewed('starts anew after a lapse', {
    subscriptions_no: 3,
    start_date: '2024-01-31T10:00:00.000000Z',
    updated_at: '2024-03-31T10:00:00.000000Z',
    end_date: '2024-04-30T10:00:00.000000Z',
    active_date: '2024-03-31 10:00:00',
  }),
  ...lifetimes(
    { name: '', operation: initiate, call: (memory) => purchase(memory, 'monthly') },
    verify,
    tokenBoundary,
  ),
];
