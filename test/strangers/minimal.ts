/*
 * The specification as one person's script would have it: presence is checked, little else.
 * Where it differs from a strict reading:
 *  1 [O] every refusal is 200 with success false and code "99", without data
 *  2 [O] 401 is the text "Unauthorized"                   3 [O] an unknown route is 404 with an HTML page
 *  4 [O] a wrong method is that 404 too                   5 [O] malformed JSON is 400 with an HTML page
 *  6 [O] another content type counts as an empty body     7 [O] fields need only be there: e-mails, phones and
 *        identity numbers of any form
 *  8 [O] gender is optional in motor                      9 [O] health tokens are 10 digits
 * 10 [O] motor tokens are M + 5, group life G + 5 digits 11 [O] policy numbers are MC- + 6 digits
 * 12 [S] timestamps carry milliseconds                   13 [S] fields that are null are left out
 * 14 [S] page URLs are all null                          15 [S] 20 to a page
 * 16 [O] renewal may change the frequency                17 [O] no amount is compared
 * 18 [S] tokens never expire                             19 [O] a second verify makes a second policy
 * 20 [S] `response_message` everywhere                   21 [S] group life's list is a plain array
 * 22 [S] group life's code is the text "200"             23 [S] motor's list has status true
 * 24 [S] vehicle_value is text, year_make a number       25 [S] policies of other merchants can be read
 * 26 [O] motor policies are listed once initiated        27 [O] an unknown product is sold all the same
 * 28 [S] a subscriber's date_of_birth is Y-m-d           29 [S] active_date is a timestamp
 * 30 [S] motor's verify has days, not timestamps         31 [S] amounts in transactions have no decimals
 * 32 [S] subscriptions_type begins with a capital        33 [O] health's list is newest first
 * 34 [O] page=0 is an empty page                         35 [S] a product has no details
 * 36 [O] texts are trimmed                               37 [O] each user costs the same
 */
import {
  groupRecord,
  listedGroup,
  listedMotor,
  monthsOf,
  motorRecord,
  pageRecord,
  productRecord,
  type Style,
  subscriberRecord,
  transactionRecord,
  usersOf,
  verifiedMotor,
} from './records.ts';
import {
  type Author,
  type Call,
  clampMonths,
  createDigits,
  type Fields,
  fieldsOf,
  isBlank,
  type Merchant,
  MOTOR_FIELDS,
  type Reply,
  type Stranger,
  type StrangerOptions,
  samplePurchase,
  serveStranger,
  textOf,
} from './shared.ts';

const names = {
  1: { name: 'Malaria', max: 3 },
  5: { name: 'Car', max: 0 },
  6: { name: 'Group', max: 0 },
};
const NOT_FOUND = '<!DOCTYPE html>\n<html><body><pre>Cannot find that</pre></body></html>\n';
const HEALTH = [
  ...['first_name', 'surname', 'email', 'phone_no', 'date_of_birth', 'product_id'],
  ...['subscription_type', 'amount', 'nin_number', 'id_url'],
];
const MOTOR = [
  ...['first_name', 'last_name', 'phone_number', 'email', 'product_id', 'frequency_type'],
  ...['sum_insured', 'insurance_cover', 'tracker_value', 'diagnostic_cost', 'duration'],
  ...['vehicle_type', 'start_date', 'year_make', 'inspection_date', ...MOTOR_FIELDS],
];
const GROUP = [
  ...['email', 'first_name', 'surname', 'phone_no', 'dob', 'product_id', 'group_name'],
  ...['group_type', 'group_contact_address', 'first_person_name', 'first_person_phone', 'members'],
];

/** The value without the fields that are null, at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, withoutNulls(each)]),
  );
}

type Family = 'health' | 'motor' | 'group';

function createAuthor(): Author {
  const digits = createDigits(3);
  let lastId = 0;
  const everybody: Merchant[] = [];
  const style: Style = {
    nextId: () => ++lastId,
    time: (date) => date.toISOString(),
    activeDate: (date) => date.toISOString(),
    addMonths: clampMonths,
    healthNumber: () => `MC-${digits(6)}`,
    motorNumber: () => `CAR-${digits(6)}`,
    groupNumber: () => `GRP-${digits(6)}`,
    names,
    priceOf: (_product, users, months) => 300 * users * months,
  };
  const refused = (message: string): Reply => ({
    status: 200,
    body: { success: false, response_message: message, response_code: '99' },
  });
  const ok = (message: string, data: unknown, code?: string): Reply => ({
    status: 200,
    body: {
      success: true,
      response_message: message,
      ...(code === undefined ? {} : { response_code: code }),
      data: withoutNulls(data),
    },
  });
  const checked =
    (needed: string[], answer: (fields: Fields, call: Call) => Reply) =>
    (call: Call): Reply => {
      const isJson = (call.headers['content-type'] ?? '').includes('json');
      if (isJson && call.body === undefined) return { status: 400, body: NOT_FOUND };
      const fields: Fields = {};
      for (const [name, value] of Object.entries(isJson ? fieldsOf(call) : {}))
        fields[name] = typeof value === 'string' ? value.trim() : value;
      const missing = needed.filter((name) => isBlank(fields[name]));
      return missing.length > 0 ? refused(`missing: ${missing.join(', ')}`) : answer(fields, call);
    };
  const keep = (list: Fields[], record: Fields) => {
    list.push(record);
    return record;
  };
  const productOf = (id: unknown, isGroup = false) => {
    const { details: _details, ...rest } = productRecord(style, Number(id), isGroup);
    return rest;
  };
  const capital = (word: unknown) =>
    textOf(word).charAt(0).toUpperCase() + textOf(word).slice(1).toLowerCase();
  function buyHealth(merchant: Merchant, fields: Fields, now: Date): Fields {
    const amount = style.priceOf(0, usersOf(fields), monthsOf(fields.subscription_type));
    const subscriber = subscriberRecord(style, merchant, { amount, ...fields }, now);
    subscriber.date_of_birth = fields.date_of_birth;
    const subscription = subscriber.subscriptions as Fields;
    subscription.subscriptions_type = capital(subscription.subscriptions_type);
    for (const each of subscriber.transactions as Fields[])
      each.amount = String(Math.round(Number(each.amount)));
    keep(merchant.subscribers, subscriber);
    return subscription;
  }
  function buyGroup(merchant: Merchant, fields: Fields, now: Date): Fields {
    const group = groupRecord(style, merchant, fields, now);
    group.product = productOf(fields.product_id, true);
    return keep(merchant.groups, group);
  }
  const motorFields = (merchant: Merchant, fields: Fields): Fields => ({
    ...motorRecord(style, merchant, fields),
    vehicle_value: textOf(fields.sum_insured),
    year_make: Number(fields.year_make),
  });
  const initiateMotor = (merchant: Merchant, fields: Fields) =>
    keep(merchant.motor, motorFields(merchant, fields));

  function hold(call: Call, family: Family, fields: Fields): string {
    const token = { health: digits(10), motor: `M${digits(5)}`, group: `G${digits(5)}` }[family];
    if (!everybody.includes(call.merchant)) everybody.push(call.merchant);
    call.merchant.pending.set(token, { family, fields, at: call.now.getTime() });
    return token;
  }
  const verify = (
    family: Family,
    code: string | undefined,
    buy: (call: Call, held: Fields) => Fields,
  ) =>
    checked(['token'], (fields, call) => {
      const pending = call.merchant.pending.get(textOf(fields.token));
      return pending?.family === family
        ? ok('done', buy(call, pending.fields), code)
        : refused('bad token');
    });
  const found = (list: (merchant: Merchant) => Fields[], field: string, number: unknown) => {
    const records = everybody.flatMap(list);
    return records.find((each) => each[field] === number);
  };
  const withProduct = (subscription: Fields) => ({
    ...subscription,
    product: productOf(subscription.product_id),
  });
  function topUp(fields: Fields, call: Call): Reply {
    const subscriber = found((each) => each.subscribers, 'policy_no', fields.policy_no);
    if (subscriber === undefined) return refused('no such policy');
    const subscription = subscriber.subscriptions as Fields;
    subscription.subscriptions_type = capital(fields.subscription_type);
    const active = new Date(textOf(subscription.active_date));
    const periods = Number(subscription.subscriptions_no) + 1;
    subscription.subscriptions_no = periods;
    const months = periods * monthsOf(fields.subscription_type);
    subscription.end_date = style.time(clampMonths(active, months));
    subscription.updated_at = style.time(call.now);
    const amount = Number(fields.amount);
    const paid = transactionRecord(style, call.merchant, subscription, amount, call.now);
    (subscriber.transactions as Fields[]).push({ ...paid, amount: String(Math.round(amount)) });
    return ok('renewed', withProduct(subscription));
  }

  const health = '/api/merchant/micro_health';
  const group = '/api/merchant/group-life/policy';
  const motor = '/api/merchant/comprehensive_motor';
  const motors = '/api/merchant/get_comprehensive_motor';
  return {
    unauthorized: () => ({ status: 401, body: 'Unauthorized' }),
    unknownRoute: () => ({ status: 404, body: NOT_FOUND }),
    wrongMethod: () => ({ status: 404, body: NOT_FOUND }),
    populate: (merchant, count, now) => {
      everybody.push(merchant);
      for (let n = count; n > 0; n -= 1) {
        const at = new Date(now.getTime() - n * 3_600_000);
        buyHealth(merchant, samplePurchase('health', 1), at);
        initiateMotor(merchant, samplePurchase('motor', 5));
        buyGroup(merchant, samplePurchase('group', 6), at);
      }
    },
    routes: {
      [`POST ${health}/get_quote`]: checked(
        ['no_of_users', 'subscription_type', 'product_id'],
        (fields) => {
          const months = monthsOf(fields.subscription_type);
          const quote_price = style.priceOf(0, Number(fields.no_of_users) || 1, months);
          return ok('quote', { quote_price }, 'QOT101');
        },
      ),
      [`POST ${health}/initiate`]: checked(HEALTH, (fields, call) =>
        ok('initiated', { token: hold(call, 'health', fields) }, 'FRT008'),
      ),
      [`POST ${health}/verify`]: verify('health', undefined, (call, held) =>
        withProduct(buyHealth(call.merchant, held, call.now)),
      ),
      [`POST ${health}/top_up`]: checked(['subscription_type', 'amount', 'policy_no'], topUp),
      [`GET ${health}/all_subscriptions`]: (call) => {
        const page = Number(call.query.get('page') ?? 1);
        const from = call.query.get('start_date') || '0000';
        const to = call.query.get('end_date') || '9999';
        const items = call.merchant.subscribers.toReversed().filter((each) => {
          const created = textOf(each.created_at).slice(0, 10);
          return created >= from && created <= to;
        });
        const record = pageRecord(items, page, 20, call.base + call.path, () => '');
        for (const name of ['first', 'last', 'next', 'prev']) record[`${name}_page_url`] = null;
        if (page === 0) record.data = [];
        return ok('list', record);
      },
      [`GET ${health}/validate_policy/:policy_no`]: (_call, number) => {
        const subscriber = found((each) => each.subscribers, 'policy_no', number);
        return subscriber === undefined
          ? refused('no such policy')
          : ok('valid', withProduct(subscriber.subscriptions as Fields));
      },
      [`POST ${motor}_initiate_policy`]: checked(MOTOR, (fields, call) => {
        const policy = initiateMotor(call.merchant, fields);
        return ok('initiated', { ...policy, token: hold(call, 'motor', policy) }, '');
      }),
      [`POST ${motor}_verify_policy`]: verify('motor', '', (call, held) => ({
        ...verifiedMotor(style, call.merchant, held, call.now),
        start_date: held.start_date,
        end_date: held.end_date,
      })),
      [`GET ${motors}_policies`]: (call) =>
        ok(
          'list',
          call.merchant.motor.map((each) => ({ ...listedMotor(each), status: true })),
          '',
        ),
      [`POST ${motors}_policy_details`]: (call) => {
        const sent = fieldsOf(call);
        const number = sent.Policy_number ?? sent.policyNumber ?? sent.policy_number;
        if (isBlank(number)) return refused('missing: Policy_number');
        const policy = found((each) => each.motor, 'policy_number', number);
        return policy === undefined ? refused('no such policy') : ok('policy', policy, '');
      },
      [`POST ${motors}_policy_quote`]: checked(['product_id', 'vehicle_value'], (fields) => {
        const value = Number(fields.vehicle_value);
        return ok('quote', { premium: value * 0.06, amount_insured: value }, '');
      }),
      [`POST ${group}/initiate-group-life-policy`]: checked(GROUP, (fields, call) =>
        ok('initiated', { token: hold(call, 'group', fields) }, '200'),
      ),
      [`POST ${group}/verify-group-life-policy`]: verify('group', '200', (call, held) =>
        buyGroup(call.merchant, held, call.now),
      ),
      [`GET ${group}/merchant-group-life-policies`]: (call) =>
        ok('list', call.merchant.groups.map(listedGroup), '200'),
      [`POST ${group}/group-life-policy-details`]: (call) => {
        const sent = fieldsOf(call);
        const number = sent.policy_number ?? sent.Policy_number ?? sent.policyNumber;
        if (isBlank(number)) return refused('missing: policy_number');
        const policy = found((each) => each.groups, 'policy_number', number);
        return policy === undefined ? refused('no such policy') : ok('policy', policy, '200');
      },
    },
  };
}

export const startMinimal = (options: StrangerOptions = {}): Promise<Stranger> =>
  serveStranger(options, createAuthor);
