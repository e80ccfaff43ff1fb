import type { AssumptionId } from '../../../core/assumptions.ts';
import type { Settings } from '../../../core/settings.ts';
import { day, emailOf, PHONE, SURNAME } from '../../customer.ts';
import { type Claim, is, type Json, type Memory, meets, type Probe, repeats } from '../../probe.ts';
import { pageClaims, pagedList } from '../pages.ts';
import { bornOf } from './purchases.ts';

const operation = 'listMicroHealthSubscriptions';
const PATH = '/api/merchant/micro_health/all_subscriptions';

const decimal = (value: Json): number => Math.round(Number(value) * 100);

/** The day the check's purchases were made on, by the server's dates. */
const dayOf = ({ monthly }: Memory): string => monthly.created_at.slice(0, 10);
const daysFrom = (memory: Memory, days: number): string =>
  day(Date.parse(`${dayOf(memory)}T00:00:00Z`), days);

/** A subscriber that the check bought for. */
function subscriberClaims(
  path: string,
  item: Json,
  memory: Memory,
  { now, names, paid, quote }: { now: Json; names: string[]; paid: number; quote: string },
  form: Settings['subscriptionsKey'],
): Claim[] {
  const { product: _product, ...subscription } = now;
  const inner = form === 'array' ? `${path}.subscriptions.0` : `${path}.subscriptions`;
  const price = Number(memory[quote].quote_price).toFixed(2);
  return [
    ...repeats(path, {
      id: now.user_id,
      first_name: 'Contract',
      surname: SURNAME,
      email: emailOf(memory),
      phone_no: PHONE,
      date_of_birth: bornOf(memory),
      policy_no: now.policy_no,
      have_beneficiaries: names.length > 0,
      enable: true,
      merchant_user_id: now.merchant_user_id,
      created_at: now.created_at,
      updated_at: now.created_at,
      middle_name: null,
      address: null,
      gender: null,
      next_of_kin_full_name: null,
    }),
    is(`${path}.beneficiary.length`, names.length, 'users-count'),
    ...names.flatMap((full_name, n) =>
      repeats(`${path}.beneficiary.${n}`, {
        full_name,
        user_id: now.user_id,
        created_at: now.created_at,
        updated_at: now.created_at,
      }),
    ),
    ...repeats(inner, subscription),
    is(`${path}.transactions.length`, paid, 'top-up-dates'),
    ...(Array.isArray(item?.transactions) ? item.transactions : []).flatMap(
      (each: Json, n: number) => {
        const transaction = `${path}.transactions.${n}`;
        const made = n === 0 ? now.created_at : n === paid - 1 ? now.updated_at : each?.created_at;
        return [
          ...repeats(transaction, {
            user_id: now.user_id,
            amount: price,
            product_id: now.product_id,
            status: 'successful',
            type: 'credit',
            subscriptions_id: now.id,
            merchant_user_id: now.merchant_user_id,
            created_at: made,
            updated_at: made,
          }),
          meets(
            `${transaction}.total_commission`,
            'the sum of partner_commission and merchant_commission',
            (seen) =>
              decimal(seen) ===
              decimal(each?.partner_commission) + decimal(each?.merchant_commission),
            'commissions',
          ),
        ];
      },
    ),
  ];
}

/** Where a record of the check stands on a page. */
const findItem = (data: Json, policyNo: unknown): number =>
  Array.isArray(data.data) ? data.data.findIndex((item: Json) => item?.policy_no === policyNo) : -1;

const BOUGHT = [
  { name: 'monthly_now', names: ['Second Sandbox Check'], paid: 3, quote: 'quote_2' },
  {
    name: 'annually_now',
    names: ['First Sandbox Check', 'Second Sandbox Check', 'Third Sandbox Check'],
    paid: 2,
    quote: 'quote_annually',
  },
  { name: 'quarterly', names: [], paid: 1, quote: 'quote_quarterly' },
];

const selects = (
  name: string,
  input: (memory: Memory) => Record<string, string>,
  claims: (data: Json, memory: Memory) => readonly Claim[],
  more: Partial<Probe> = {},
): Probe => ({
  name,
  operation,
  call: (memory) => (memory.monthly ? { input: input(memory) } : 'nothing was bought'),
  decisions: ['list-selection'],
  claims,
  ...more,
});

const refused = (name: string, input: Record<string, string>, field: string): Probe => ({
  name,
  operation,
  call: () => ({ input }),
  refused: 'invalid',
  fields: [field],
  decisions: ['list-selection'],
});

const SELECTION: AssumptionId = 'list-selection';

const selections: readonly Probe[] = [
  selects(
    'selects the day of the purchases',
    (memory) => ({ start_date: dayOf(memory), end_date: dayOf(memory), per_page: '1' }),
    (data, memory) => [
      ...pageClaims(data, 1, 1, {
        start_date: dayOf(memory),
        end_date: dayOf(memory),
        per_page: '1',
      }),
      meets('total', 'at least the 4 bought', (seen) => seen >= 4, SELECTION),
    ],
    { keep: 'mh_day' },
  ),
  selects(
    'selects all from that day on',
    (memory) => ({ start_date: dayOf(memory) }),
    (_data, memory) => [is('total', memory.mh_day?.total, SELECTION)],
  ),
  selects(
    'selects all before that day',
    (memory) => ({ end_date: daysFrom(memory, -1) }),
    (_data, memory) => [is('total', memory.mh_all?.total - memory.mh_day?.total, SELECTION)],
  ),
  selects(
    'selects nothing from the days to come',
    (memory) => ({ start_date: daysFrom(memory, 2) }),
    (data, { mh_page_size: size }) => [...pageClaims(data, size, 1), is('total', 0, SELECTION)],
  ),
  ...['day', 'week', 'month', 'quarter', 'year'].map((period) =>
    selects(
      `selects the current ${period}`,
      () => ({ period }),
      (_data, { mh_day, mh_all }) => [
        meets(
          'total',
          `${mh_day?.total} to ${mh_all?.total}`,
          (seen) => seen >= mh_day?.total && seen <= mh_all?.total,
          SELECTION,
        ),
      ],
    ),
  ),
  selects(
    'takes empty parameters for none',
    () => ({ period: '', start_date: '' }),
    (_data, { mh_all }) => [is('total', mh_all?.total, SELECTION)],
  ),
  refused('refuses a period there is not', { period: 'fortnight' }, 'period'),
  refused('refuses a period with dates', { period: 'day', start_date: '2024-01-01' }, 'period'),
  refused(
    'refuses an end before the start',
    { start_date: '2024-02-01', end_date: '2024-01-31' },
    'end_date',
  ),
  refused('refuses a day the calendar lacks', { start_date: '2023-02-30' }, 'start_date'),
];

const formOfSubscriptions: NonNullable<Probe['observe']> = (data) => {
  const subscriptions = data.data?.[0]?.subscriptions;
  if (typeof subscriptions !== 'object') return [];
  const value = Array.isArray(subscriptions) ? 'array' : 'object';
  return [{ decision: 'subscriptions-key', key: 'form', value }];
};

/** The list of subscriptions. */
export const microHealthList = ({
  pageSize,
  listOrder,
  subscriptionsKey,
}: Settings): readonly Probe[] => [
  ...pagedList({
    operation,
    path: PATH,
    pageSize,
    bought: ['annually', 'quarterly'],
    key: 'policy_no',
    order: listOrder,
    // Also from a server whose page URLs lead elsewhere, or that sells nothing to a check.
    observe: formOfSubscriptions,
    as: 'mh',
  }),
  {
    name: 'shows what was bought as it was bought',
    operation,
    call: (memory) => {
      if (!BOUGHT.every(({ name }) => memory[name])) return 'nothing was bought';
      memory.mh_page_size = pageSize;
      const newest = listOrder === 'newest-first';
      return { url: newest ? memory.mh_first100.first_page_url : memory.mh_first100.last_page_url };
    },
    observe: formOfSubscriptions,
    claims: (data, memory) => {
      const places = BOUGHT.map(({ name }) => findItem(data, memory[name].policy_no));
      // Bought last and still split over two pages: the order was looked at already.
      return BOUGHT.flatMap((bought, n) => {
        const place = places[n] as number;
        if (place === -1) return [];
        const item = data.data[place];
        const form = Array.isArray(item?.subscriptions) ? 'array' : 'object';
        const path = `data.${place}`;
        return [
          meets(
            `${path}.subscriptions`,
            `an ${subscriptionsKey}`,
            () => form === subscriptionsKey,
            'subscriptions-key',
          ),
          ...subscriberClaims(path, item, memory, { ...bought, now: memory[bought.name] }, form),
        ];
      });
    },
  },
  ...selections,
];
