import type { AssumptionId } from '../../../core/assumptions.ts';
import { allSubscriptions } from '../../../products/micro-health/routes/all-subscriptions.ts';
import { topUp } from '../../../products/micro-health/routes/top-up.ts';
import { validatePolicy } from '../../../products/micro-health/routes/validate-policy.ts';
import {
  type Assertion,
  equals,
  type Json,
  monthsLater,
  repeats,
  writtenNow,
} from '../../assertions.ts';
import { unassignedInput } from '../../contract.ts';
import type { Memory, Probe, ProbeRequest } from '../../probe.ts';
import { listedRecords } from '../lists.ts';
import { detailsOfListed, unknownPolicy } from '../look-ups.ts';
import { type Input, refusing, refusingInput, requiresAll } from '../refusals.ts';
import {
  ANNUALLY,
  type ExpectedSettings,
  MONTHLY,
  type Plan,
  QUARTERLY,
  withWrongAmount,
} from './purchases.ts';
import { quoted } from './quotes.ts';

/** A renewal of a plan at its price, unless the changes spoil it. */
export const renewal = (
  memory: Memory,
  { saveAs, quote }: Plan,
  changes: Input = {},
): ProbeRequest => {
  const { subscriptions_type: subscription_type, policy_no } = memory[saveAs];
  const amount = quoted(memory, quote);
  return { input: { subscription_type, amount, policy_no, ...changes } };
};

/** What a renewal before the end leaves as it was, and what it adds. */
function renewedAssertions(
  before: Json,
  memory: Memory,
  paid: number,
  months: number,
): Assertion[] {
  const { subscriptions_no: _no, end_date: _end, updated_at: _updated, ...rest } = before;
  const { active_date, start_date, ...kept } = rest;
  return [
    ...repeats('', kept),
    equals('subscriptions_no', paid, 'subscriptions-no'),
    equals('end_date', monthsLater(start_date, paid * months), 'top-up-dates'),
    equals('start_date', start_date, 'top-up-dates'),
    equals('active_date', active_date, 'top-up-dates'),
    ...writtenNow('updated_at', memory.between, 'top-up-dates'),
  ];
}

const renews = (
  name: string,
  plan: Plan,
  { paid, saveAs }: { readonly paid: number; readonly saveAs: string },
  changes: (price: unknown) => Input = () => ({}),
  ...assumptions: readonly AssumptionId[]
): Probe => ({
  name,
  operation: topUp,
  timed: true,
  request: (memory) => renewal(memory, plan, changes(quoted(memory, plan.quote))),
  assumptions,
  saveAs,
  assertions: (_data, memory) => renewedAssertions(memory[plan.saveAs], memory, paid, plan.months),
});

const validates = (name: string, shown: string): Probe => ({
  name,
  operation: validatePolicy,
  request: (memory) => ({ input: { policy_no: memory[shown].policy_no } }),
  assertions: (_data, memory) => repeats('', memory[shown]),
});

/** The subscriptions of a page of the list, in either form it may have. */
const listedSubscriptions = (memory: Memory): Json[] =>
  listedRecords(memory, allSubscriptions).flatMap((subscriber) => subscriber?.subscriptions ?? []);

/** Look-ups of what is listed, whoever it was sold to. */
export const microHealthLookUps = detailsOfListed(validatePolicy, listedSubscriptions);

/** Renewals, and look-ups by policy number. */
export const microHealthRenewals: readonly Probe[] = [
  validates('answers the subscription of a policy number', 'quarterly'),
  unknownPolicy(validatePolicy),
  renews('adds a period', MONTHLY, { paid: 2, saveAs: 'renewed' }),
  renews(
    'adds another, and takes the amount as a text',
    MONTHLY,
    { paid: 3, saveAs: 'monthly_now' },
    (price) => ({ amount: String(price) }),
    'text-and-numbers',
  ),
  validates('answers the renewed subscription', 'monthly_now'),
  renews(
    'adds a year, and takes yearly for annually',
    ANNUALLY,
    { paid: 2, saveAs: 'annually_now' },
    () => ({ subscription_type: 'yearly' }),
    'frequency-words',
  ),
  validates('answers the subscription renewed for a year', 'annually_now'),
  renews('adds a quarter', QUARTERLY, { paid: 2, saveAs: 'quarterly_now' }),
  requiresAll(topUp, 'asks for every field'),
  refusing(topUp)(
    'does not renew a policy that nobody has',
    (memory) => renewal(memory, QUARTERLY, unassignedInput(validatePolicy)),
    'policy_unknown',
    'http-status',
  ),
];

/** Renewals that are refused. They stand last: a server that accepts one changes the policy. */
export const refusedRenewals = (settings: ExpectedSettings): readonly Probe[] => [
  refusingInput(topUp, (mistake, memory) => renewal(memory, QUARTERLY, mistake))(
    'refuses another frequency than the one bought',
    { subscription_type: 'monthly' },
    'top-up-frequency',
  ),
  withWrongAmount(
    {
      operation: topUp,
      request: (memory) =>
        renewal(memory, QUARTERLY, { amount: memory.quote_quarterly.quote_price + 1 }),
    },
    settings,
  ),
];
