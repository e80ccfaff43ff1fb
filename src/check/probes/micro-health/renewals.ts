import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { monthsLater, ofNow } from '../../dates.ts';
import { type Claim, is, type Json, type Memory, type Probe, repeats } from '../../probe.ts';
import { refusing } from '../refusal.ts';

const operation = 'topUpMicroHealthSubscription';
const validate = 'validateMicroHealthPolicy';
const NO_POLICY = '0000000000';

const renewal = (memory: Memory, plan: string, quote: string, changes: Json = {}) => ({
  input: {
    subscription_type: memory[plan].subscriptions_type,
    amount: memory[quote].quote_price,
    policy_no: memory[plan].policy_no,
    ...changes,
  },
});

/** What a renewal before the end leaves as it was, and what it adds. */
function renewedClaims(before: Json, memory: Memory, paid: number, months: number): Claim[] {
  const {
    subscriptions_no: _no,
    end_date: _end,
    updated_at: _updated,
    active_date: active,
    start_date: start,
    ...kept
  } = before;
  return [
    ...repeats('', kept),
    is('subscriptions_no', paid, 'subscriptions-no'),
    is('end_date', monthsLater(start, paid * months), 'top-up-dates'),
    is('start_date', start, 'top-up-dates'),
    is('active_date', active, 'top-up-dates'),
    ...ofNow('updated_at', memory.between, 'top-up-dates'),
  ];
}

const renews = (
  name: string,
  plan: 'monthly' | 'annually',
  quote: string,
  paid: number,
  keep: string,
  changes: (price: number) => Json = () => ({}),
  ...decisions: readonly AssumptionId[]
): Probe => ({
  name,
  operation,
  timed: true,
  call: (memory) => renewal(memory, plan, quote, changes(memory[quote].quote_price)),
  decisions,
  keep,
  claims: (_data, memory) => renewedClaims(memory[plan], memory, paid, plan === 'monthly' ? 1 : 12),
});

const validates = (name: string, shown: string): Probe => ({
  name,
  operation: validate,
  call: (memory) => ({ input: { policy_no: memory[shown].policy_no } }),
  claims: (_data, memory) => repeats('', memory[shown]),
});

const refused = refusing(operation, (changes: (memory: Memory) => Json, memory) =>
  renewal(memory, 'quarterly', 'quote_quarterly', changes(memory)),
);

/** Renewals, and look-ups by policy number. */
export const microHealthRenewals: readonly Probe[] = [
  validates('answers the subscription of a policy number', 'quarterly'),
  {
    name: 'does not find a policy that nobody has',
    operation: validate,
    call: () => ({ input: { policy_no: NO_POLICY } }),
    refused: 'policy_unknown',
    decisions: ['http-status'],
  },
  renews('adds a period', 'monthly', 'quote_2', 2, 'renewed'),
  renews(
    'adds another, and takes the amount as a text',
    'monthly',
    'quote_2',
    3,
    'monthly_now',
    (price) => ({ amount: String(price) }),
    'text-and-numbers',
  ),
  validates('answers the renewed subscription', 'monthly_now'),
  renews(
    'adds a year, and takes yearly for annually',
    'annually',
    'quote_annually',
    2,
    'annually_now',
    () => ({ subscription_type: 'yearly' }),
    'frequency-words',
  ),
  {
    name: 'asks for every field',
    operation,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: ['subscription_type', 'amount', 'policy_no'],
    decisions: ['micro-health-required'],
  },
  {
    name: 'does not renew a policy that nobody has',
    operation,
    call: (memory) => renewal(memory, 'quarterly', 'quote_quarterly', { policy_no: NO_POLICY }),
    refused: 'policy_unknown',
    decisions: ['http-status'],
  },
];

/** Renewals that are refused. They stand last: a server that accepts one changes the policy. */
export const refusedRenewals = ({ amountCheck }: Settings): readonly Probe[] => {
  const another = (memory: Memory) => ({ amount: memory.quote_quarterly.quote_price + 1 });
  const {
    refused: _refused,
    fields: _fields,
    ...accepted
  } = refused('accepts another amount than the price', another, [], 'amount-check');
  return [
    refused(
      'refuses another frequency than the one bought',
      () => ({ subscription_type: 'monthly' }),
      ['subscription_type'],
      'top-up-frequency',
    ),
    amountCheck === 'ignore'
      ? accepted
      : refused('refuses another amount than the price', another, ['amount'], 'amount-check'),
  ];
};
