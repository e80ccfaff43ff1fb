import { DAY_MS, day, startOfDay } from '../../../core/time.ts';
import { PERIODS } from '../../../products/micro-health/requests.ts';
import { allSubscriptions } from '../../../products/micro-health/routes/all-subscriptions.ts';
import { MicroHealthSubscriber } from '../../../products/micro-health/schemas.ts';
import {
  type Assertion,
  equals,
  type Json,
  repeats,
  repeatsFields,
  satisfies,
} from '../../assertions.ts';
import { echoIn } from '../../contract.ts';
import type { Memory, Observation, Probe } from '../../probe.ts';
import { pagedList, showsBought } from '../lists.ts';
import { keptPage, pageAssertions } from '../pages.ts';
import { observeTrim, parsedPurchase } from '../purchases.ts';
import { type Input, refusingInput } from '../refusals.ts';
import {
  ANNUALLY,
  type ExpectedSettings,
  FIRST_BENEFICIARY,
  MONTHLY,
  type Plan,
  QUARTERLY,
} from './purchases.ts';

/** What was bought and how often it was paid, in the order it was made; by the name in memory of what it is now. */
const BOUGHT = new Map<string, { readonly plan: Plan; readonly paid: number }>([
  ['monthly_now', { plan: MONTHLY, paid: 3 }],
  ['annually_now', { plan: ANNUALLY, paid: 2 }],
  ['quarterly_now', { plan: QUARTERLY, paid: 2 }],
]);

const formOf = (subscriptions: unknown): string =>
  Array.isArray(subscriptions) ? 'array' : 'object';

const kobo = (naira: Json): number => Math.round(Number(naira) * 100);

/** What a subscriber has that no request sets. */
const UNSET = ['middle_name', 'address', 'gender', 'next_of_kin_full_name'];

/** A subscriber that the check bought for. */
function subscriberAssertions(path: string, item: Json, name: string, memory: Memory): Assertion[] {
  const { plan, paid } = BOUGHT.get(name) ?? { plan: MONTHLY, paid: 1 };
  const { product: _product, ...subscription } = memory[name];
  const { user_id, product_id, policy_no, merchant_user_id, created_at } = subscription;
  const recorded = { created_at, updated_at: created_at };
  const sent = parsedPurchase(memory, plan);
  const names = ['first', 'second', 'third']
    .map((nth) => sent[`${nth}_beneficiary_full_name`])
    .filter((full_name) => full_name !== undefined);
  const subscriber = {
    ...sent,
    ...recorded,
    id: user_id,
    policy_no,
    have_beneficiaries: names.length > 0,
    enable: true,
    merchant_user_id,
  };
  const payment = {
    user_id,
    amount: sent.amount.toFixed(2),
    product_id,
    status: 'successful',
    type: 'credit',
    subscriptions_id: subscription.id,
    merchant_user_id,
  };
  const transactions: readonly Json[] = Array.isArray(item?.transactions) ? item.transactions : [];
  const inner = formOf(item?.subscriptions) === 'array' ? 'subscriptions.0' : 'subscriptions';
  return [
    ...repeats(path, echoIn(MicroHealthSubscriber, subscriber)),
    equals(`${path}.user_type`, 'principal', 'subscriber-defaults'),
    ...UNSET.map((field) => equals(`${path}.${field}`, null, 'subscriber-defaults')),
    equals(`${path}.beneficiary.length`, names.length, 'users-count'),
    ...names.flatMap((full_name, n) =>
      repeatsFields(
        `${path}.beneficiary.${n}`,
        { full_name, user_id, ...recorded },
        { full_name: ['text-trim'] },
      ),
    ),
    ...repeats(`${path}.${inner}`, subscription),
    equals(`${path}.transactions.length`, paid, 'top-up-dates'),
    ...transactions.flatMap((each, n) => {
      // When those between the first and the last were paid, nothing else tells.
      const now = n === paid - 1 ? subscription.updated_at : each?.created_at;
      const made = n === 0 ? created_at : now;
      const total = kobo(each?.partner_commission) + kobo(each?.merchant_commission);
      return [
        ...repeats(`${path}.transactions.${n}`, { ...payment, created_at: made, updated_at: made }),
        satisfies(
          `${path}.transactions.${n}.total_commission`,
          'the sum of partner_commission and merchant_commission',
          (seen) => kobo(seen) === total,
          'commissions',
          'currency',
        ),
      ];
    }),
  ];
}

/** The day the check's purchases were made on, by the server's dates, or some days from it. */
const purchaseDay = ({ monthly }: Memory, later = 0): string =>
  day(startOfDay(monthly.created_at.slice(0, 10)) + later * DAY_MS);

const onlyThatDay = (memory: Memory) => ({
  start_date: purchaseDay(memory),
  end_date: purchaseDay(memory),
  per_page: '1',
});

const totalOf = (memory: Memory): number => keptPage(memory, allSubscriptions, 'own')?.total;
const totalIs = (total: number) => [equals('total', total, 'list-selection')];

const selects = (
  name: string,
  input: (memory: Memory) => Input,
  assertions: (memory: Memory, data: Json) => readonly Assertion[],
): Probe => ({
  name,
  operation: allSubscriptions,
  request: (memory) => (memory.monthly ? { input: input(memory) } : 'nothing was bought'),
  assumptions: ['list-selection'],
  assertions: (data, memory) => assertions(memory, data),
});

const refuses = refusingInput(allSubscriptions, (input) => ({ input }));

/** What is selected by dates and periods. */
const selections = ({ pageSize, pageUrls }: ExpectedSettings): readonly Probe[] => [
  {
    ...selects('selects the day of the purchases', onlyThatDay, (memory, data) => [
      ...pageAssertions(data, 1, 1, pageUrls === 'keep' ? onlyThatDay(memory) : {}),
      satisfies('total', 'at least the 4 bought', (seen) => seen >= 4, 'list-selection'),
    ]),
    saveAs: 'that_day',
  },
  selects(
    'selects all from that day on',
    (memory) => ({ start_date: purchaseDay(memory) }),
    ({ that_day }) => totalIs(that_day?.total),
  ),
  selects(
    'selects all before that day',
    (memory) => ({ end_date: purchaseDay(memory, -1) }),
    (memory) => totalIs(totalOf(memory) - memory.that_day?.total),
  ),
  selects(
    'selects nothing from the days to come',
    (memory) => ({ start_date: purchaseDay(memory, 2) }),
    (_memory, data) => [...pageAssertions(data, pageSize, 1), ...totalIs(0)],
  ),
  ...PERIODS.map((period) =>
    selects(
      `selects the current ${period}`,
      () => ({ period }),
      (memory) => {
        const [least, most] = [memory.that_day?.total, totalOf(memory)];
        const holds = (seen: Json) => seen >= least && seen <= most;
        return [satisfies('total', `${least} to ${most}`, holds, 'list-selection')];
      },
    ),
  ),
  selects(
    'takes empty parameters for none',
    () => ({ period: '', start_date: '' }),
    (memory) => totalIs(totalOf(memory)),
  ),
  refuses('refuses a period there is not', { period: 'fortnight' }),
  {
    ...refuses('refuses a period with dates', { period: 'day', start_date: '2024-01-01' }),
    fields: ['period'],
  },
  {
    ...refuses('refuses an end before the start', {
      start_date: '2024-02-01',
      end_date: '2024-01-31',
    }),
    fields: ['end_date'],
  },
  refuses('refuses a day the calendar lacks', { start_date: '2023-02-30' }),
  refuses('refuses a day before 1900', { start_date: '1899-12-31' }, 'date-limits'),
];

/** Which form the one subscription of a subscriber has. */
export function observeForm(data: Json): Observation[] {
  const subscriptions = data.data?.[0]?.subscriptions;
  if (typeof subscriptions !== 'object') return [];
  return [{ assumption: 'subscriptions-key', value: formOf(subscriptions) }];
}

/** What became of the white space around a beneficiary's name. */
const observeNames = (data: Json): Observation[] => {
  const subscribers: readonly Json[] = Array.isArray(data.data) ? data.data : [];
  const named = subscribers.flatMap(({ beneficiary }) => beneficiary ?? []);
  return named.flatMap(({ full_name }) => observeTrim(FIRST_BENEFICIARY, full_name));
};

/** The list of subscriptions. */
export function microHealthList(settings: ExpectedSettings): readonly Probe[] {
  const list = { operation: allSubscriptions, settings, key: 'policy_no' };
  const bought = [...BOUGHT.values()].map(({ plan }) => plan.saveAs);
  const form = `an ${settings.subscriptionsKey}`;
  const isForm = (seen: Json) => formOf(seen) === settings.subscriptionsKey;
  return [
    // The form is observed also on a server whose page URLs lead elsewhere, or that sells nothing to a check.
    ...pagedList({ ...list, bought }, observeForm),
    {
      ...showsBought({ ...list, bought: [...BOUGHT.keys()] }, (path, item, name, memory) => [
        satisfies(`${path}.subscriptions`, form, isForm, 'subscriptions-key'),
        ...subscriberAssertions(path, item, name, memory),
      ]),
      observe: (data) => [...observeForm(data), ...observeNames(data)],
    },
    ...selections(settings),
  ];
}
