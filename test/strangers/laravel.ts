/*
 * The specification as a Laravel monolith would have it. Where it differs from a strict reading:
 *  1 [O] validation is 422 { message, errors }, the message with "(and 2 more errors)"
 *  2 [O] 401 is { message } without WWW-Authenticate      3 [O] an unknown route is 404 { message }
 *  4 [O] a wrong method is 405 { message }                5 [O] malformed JSON counts as an empty body: 422
 *  6 [O] another content type counts as an empty body: 422
 *  7 [O] a token refused is 400 with code TOK400 and data []
 *  8 [O] an unknown policy is 404 with data null          9 [O] health tokens are 40 letters and digits in mixed case
 * 10 [O] motor tokens are MTR + 16, group life GRP + 12 digits
 * 11 [O] health and group phones are 7 to 15 digits with or without +
 * 12 [O] nin_number is optional                          13 [O] id_url is optional, images are any text
 * 14 [O] month ends overflow: 31 January + 1 month is 3 March
 * 15 [O] active_date is in Lagos time                    16 [O] lists are newest first
 * 17 [O] page URLs drop the query                        18 [N] pages carry `links`
 * 19 [N] subscriptions carry `channel` and `deleted_at`  20 [S] a transaction's amount is a number
 * 21 [O] a second verify is an unknown token             22 [O] policy numbers are MHI + 9 digits
 * 23 [O] recurring is always true                        24 [O] an amount above the price is taken
 * 25 [O] frequencies in any case                         26 [O] the motor rate is 3.5 per cent (the provider's)
 * 27 [S] `password` is missing from subscribers          28 [O] per_page is ignored
 * 29 [O] an unknown period is ignored                    30 [O] motor details take no policy_number
 * 31 [O] group life covers begin at the moment of verify 32 [O] wordings of token refusals and successes
 * 33 [O] products 11, 12, 21, 31 with texts of their own 34 [O] texts are trimmed
 * 35 [O] a wrong amount is 400 in its envelope           36 [O] the second health product allows 5 beneficiaries
 * 37 [O] renewals count from the old end_date
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
  all,
  eleven,
  formRules,
  link,
  memberProblems,
  need,
  oneOf,
  optional,
  pattern,
  problemsOf,
  type Rule,
  required,
  text,
} from './rules.ts';
import {
  type Author,
  type Call,
  createDigits,
  dayOf,
  type Fields,
  fieldsOf,
  isBlank,
  type Merchant,
  microseconds,
  overflowMonths,
  type Reply,
  type Stranger,
  type StrangerOptions,
  samplePurchase,
  serveStranger,
  textOf,
} from './shared.ts';

const LAGOS = 1;
const BASE: Record<number, number> = { 11: 450, 12: 600 };
const names = {
  11: { name: 'MalariaCare <b>Lite</b>', max: 3 },
  12: { name: 'MalariaCare Family & Friends', max: 5 },
  21: { name: 'Group Shield', max: 0 },
  31: { name: 'Auto Comprehensive', max: 0 },
};
const FORMS = formRules({
  phone: all(text, pattern(/^\+?\d{7,15}$/, 'format is invalid.')),
  frequency: pattern(/^(monthly|quarterly|annually|yearly)$/i, 'is invalid.'),
  image: need,
  nin: optional(eleven),
  idUrl: optional(link),
  health: oneOf(11, 12),
  motor: oneOf(31),
  group: oneOf(21),
});

type Family = 'health' | 'motor' | 'group';

function createAuthor(): Author {
  const digits = createDigits(1000);
  let lastId = 500;
  const style: Style = {
    nextId: () => ++lastId,
    time: microseconds,
    activeDate: (date) => {
      const local = new Date(date.getTime() + LAGOS * 3_600_000).toISOString();
      return `${dayOf(date, LAGOS)} ${local.slice(11, 19)}`;
    },
    addMonths: overflowMonths,
    healthNumber: () => `MHI${digits(9)}`,
    motorNumber: () => `CMI${digits(10)}`,
    groupNumber: () => `GL${digits(8)}`,
    names,
    priceOf: (product, users, months) =>
      Math.round((BASE[product] ?? 450) * months * (1 + 0.7 * (users - 1))),
  };

  function invalid(problems: [string, string][]): Reply {
    const errors: Record<string, string[]> = {};
    for (const [field, message] of problems)
      errors[field] = [`The ${field.replaceAll('_', ' ')} field ${message}`];
    const [first = '', ...more] = Object.values(errors).flat();
    const rest = more.length === 0 ? '' : ` (and ${more.length} more error${more[1] ? 's' : ''})`;
    return { status: 422, body: { message: first + rest, errors } };
  }
  const checked =
    (
      rules: Record<string, Rule>,
      answer: (fields: Fields, call: Call) => Reply,
      more: (fields: Fields) => [string, string][] = () => [],
    ) =>
    (call: Call): Reply => {
      const isJson = (call.headers['content-type'] ?? '').startsWith('application/json');
      const fields: Fields = {};
      for (const [name, value] of Object.entries(isJson ? fieldsOf(call) : {}))
        fields[name] = typeof value === 'string' ? value.trim() : value;
      const problems = [...problemsOf(fields, rules), ...more(fields)];
      return problems.length > 0 ? invalid(problems) : answer(fields, call);
    };
  const ok = (key: string, message: string, data: unknown, code?: unknown): Reply => ({
    status: 200,
    body: {
      success: true,
      data,
      [key]: message,
      ...(code === undefined ? {} : { response_code: code }),
    },
  });
  const refused = (status: number, key: string, message: string, code: unknown) => ({
    status,
    body: {
      success: false,
      [key]: message,
      response_code: code,
      data: status === 404 ? null : ([] as unknown),
    },
  });
  const unknownPolicy = (key: string, code: unknown = 'POL404') =>
    refused(404, key, 'Policy not found', code);

  const keep = (list: Fields[], record: Fields) => {
    list.push(record);
    return record;
  };
  const paid = (merchant: Merchant, subscription: Fields, amount: number, now: Date) => ({
    ...transactionRecord(style, merchant, subscription, amount, now),
    amount,
  });
  function buyHealth(merchant: Merchant, fields: Fields, now: Date): Fields {
    const { password: _none, ...subscriber } = subscriberRecord(style, merchant, fields, now);
    const subscription = subscriber.subscriptions as Fields;
    Object.assign(subscription, { recurring: true, channel: 'api', deleted_at: null });
    const months = monthsOf(fields.subscription_type);
    const price = style.priceOf(Number(fields.product_id), usersOf(fields), months);
    subscriber.transactions = [paid(merchant, subscription, Number(fields.amount ?? price), now)];
    keep(merchant.subscribers, subscriber);
    return subscription;
  }
  function buyGroup(merchant: Merchant, fields: Fields, now: Date): Fields {
    const group = groupRecord(style, merchant, fields, now);
    if (isBlank(fields.start_date)) {
      group.start_date = microseconds(now);
      group.end_date = microseconds(overflowMonths(now, 12));
    }
    delete (group.user as Fields).password;
    return keep(merchant.groups, group);
  }
  const isTooLittle = (fields: Fields, product: unknown, users: number) => {
    const price = style.priceOf(Number(product), users, monthsOf(fields.subscription_type));
    return Number(fields.amount) < price;
  };
  const pageOf = (newest: Fields[], call: Call): Fields => {
    const page = Math.max(1, Math.floor(Number(call.query.get('page') ?? 1)) || 1);
    const path = call.base + call.path;
    const record = pageRecord(newest, page, 15, path, (n) => `${path}?page=${n}`);
    return { ...record, links: [{ url: null, label: '&laquo; Previous', active: false }] };
  };

  /** Stores a purchase; answers its token. */
  function hold(call: Call, family: Family, fields: Fields): string {
    const random = () => 'aB3dE6gH9jK2mN5p'[Number(digits(2)) % 16];
    const token = {
      health: Array.from({ length: 30 }, random).join('') + digits(10),
      motor: `MTR${digits(16)}`,
      group: `GRP${digits(12)}`,
    }[family];
    call.merchant.pending.set(token, { family, fields, at: call.now.getTime() });
    return token;
  }
  const verify = (family: Family, key: string, buy: (call: Call, fields: Fields) => Reply) =>
    checked({ token: required(text) }, (fields, call) => {
      const code = family === 'group' ? 400 : 'TOK400';
      const pending = call.merchant.pending.get(textOf(fields.token));
      if (pending?.family !== family)
        return refused(400, key, 'The token supplied is not valid', code);
      call.merchant.pending.delete(textOf(fields.token));
      if (call.now.getTime() - pending.at < 900_000) return buy(call, pending.fields);
      const expired = refused(400, key, 'Token has expired', code);
      if (family === 'group') expired.body.data = { error: ['Token has expired'] };
      return expired;
    });
  const found = (list: Fields[], field: string, number: unknown) =>
    list.find((each) => each[field] === number);
  const withProduct = (subscription: Fields) => ({
    ...subscription,
    product: productRecord(style, Number(subscription.product_id)),
  });
  function topUp(fields: Fields, call: Call): Reply {
    const subscriber = found(call.merchant.subscribers, 'policy_no', fields.policy_no);
    if (subscriber === undefined) return unknownPolicy('message');
    const subscription = subscriber.subscriptions as Fields;
    const months = monthsOf(subscription.subscriptions_type);
    if (monthsOf(fields.subscription_type) !== months)
      return invalid([['subscription_type', 'is invalid.']]);
    if (isTooLittle(fields, subscription.product_id, 1 + (subscriber.beneficiary as []).length))
      return refused(400, 'message', 'Amount is less than the price of the plan', 'AMT400');
    const end = new Date(textOf(subscription.end_date));
    subscription.end_date = microseconds(overflowMonths(end, months));
    subscription.subscriptions_no = Number(subscription.subscriptions_no) + 1;
    subscription.updated_at = microseconds(call.now);
    (subscriber.transactions as Fields[]).push(
      paid(call.merchant, subscription, Number(fields.amount), call.now),
    );
    return ok('message', 'Subscription topped up', withProduct(subscription));
  }
  function selected(call: Call): Fields[] {
    const from = call.query.get('start_date') ?? '0000';
    const to = call.query.get('end_date') || '9999';
    const length = { day: 10, month: 7, year: 4 }[call.query.get('period') ?? ''] ?? 0;
    const today = microseconds(call.now).slice(0, length);
    return call.merchant.subscribers.toReversed().filter((each) => {
      const created = textOf(each.created_at).slice(0, 10);
      return created >= from && created <= to && created.startsWith(today);
    });
  }

  const health = '/api/merchant/micro_health';
  const group = '/api/merchant/group-life/policy';
  const motor = '/api/merchant/comprehensive_motor';
  const motors = '/api/merchant/get_comprehensive_motor';
  return {
    unauthorized: () => ({ status: 401, body: { message: 'Unauthenticated.' } }),
    unknownRoute: (call) => ({
      status: 404,
      body: { message: `The route ${call.path.slice(1)} could not be found.` },
    }),
    wrongMethod: (call) => ({
      status: 405,
      headers: { Allow: call.method === 'GET' ? 'POST' : 'GET, HEAD' },
      body: { message: `The ${call.method} method is not supported for this route.` },
    }),
    populate: (merchant, count, now) => {
      for (let n = 0; n < count; n += 1) {
        const at = overflowMonths(now, -1 - (n % 20));
        buyHealth(merchant, samplePurchase('health', n % 2 === 0 ? 11 : 12), at);
        keep(merchant.motor, motorRecord(style, merchant, samplePurchase('motor', 31)));
        buyGroup(merchant, samplePurchase('group', 21), at);
      }
    },
    routes: {
      [`POST ${health}/get_quote`]: checked(FORMS.quote, (fields) => {
        const [product, users] = [Number(fields.product_id), Number(fields.no_of_users)];
        if (users > (product === 12 ? 6 : 4)) return invalid([['no_of_users', 'is too large.']]);
        const quote_price = style.priceOf(product, users, monthsOf(fields.subscription_type));
        return ok('response_message', 'Quote fetched', { quote_price }, 'QOT101');
      }),
      [`POST ${health}/initiate`]: checked(FORMS.initiate, (fields, call) => {
        if (isTooLittle(fields, fields.product_id, usersOf(fields)))
          return refused(400, 'response_message', 'Amount is less than the price', 'AMT400');
        const token = hold(call, 'health', fields);
        return ok('response_message', 'Subscription initiated', { token }, 'FRT008');
      }),
      [`POST ${health}/verify`]: verify('health', 'message', (call, fields) => {
        const subscription = buyHealth(call.merchant, fields, call.now);
        return ok('message', 'Subscription created', withProduct(subscription));
      }),
      [`POST ${health}/top_up`]: checked(FORMS.topUp, topUp),
      [`GET ${health}/all_subscriptions`]: (call) =>
        ok('message', 'Subscriptions fetched', pageOf(selected(call), call)),
      [`GET ${health}/validate_policy/:policy_no`]: (call, number) => {
        const subscriber = found(call.merchant.subscribers, 'policy_no', number);
        if (subscriber === undefined) return unknownPolicy('message');
        return ok('message', 'Policy is valid', withProduct(subscriber.subscriptions as Fields));
      },
      [`POST ${motor}_initiate_policy`]: checked(FORMS.motor, (fields, call) => {
        const policy = motorRecord(style, call.merchant, fields);
        const data = { ...policy, token: hold(call, 'motor', policy) };
        return ok('response_message', 'Motor policy initiated', data, '');
      }),
      [`POST ${motor}_verify_policy`]: verify('motor', 'response_message', (call, fields) => {
        const policy = keep(call.merchant.motor, fields);
        const data = verifiedMotor(style, call.merchant, policy, call.now);
        return ok('response_message', 'Motor policy created', data, '');
      }),
      [`GET ${motors}_policies`]: (call) => {
        const items = call.merchant.motor.toReversed().map(listedMotor);
        return ok('response_message', 'Motor policies fetched', items, '');
      },
      [`POST ${motors}_policy_details`]: (call) => {
        const sent = fieldsOf(call);
        const number = sent.Policy_number ?? sent.policyNumber;
        if (isBlank(number)) return invalid([['Policy_number', 'is required.']]);
        const policy = found(call.merchant.motor, 'policy_number', number);
        if (policy === undefined) return unknownPolicy('response_message');
        return ok('response_message', 'Motor policy fetched', policy, '');
      },
      [`POST ${motors}_policy_quote`]: checked(FORMS.motorQuote, (fields) => {
        const value = Number(fields.vehicle_value);
        const data = { premium: Math.round(value * 3.5) / 100, amount_insured: value };
        return ok('response_message', 'Quote fetched', data, '');
      }),
      [`POST ${group}/initiate-group-life-policy`]: checked(
        FORMS.group,
        (fields, call) => {
          const token = hold(call, 'group', fields);
          return ok('response_message', 'Group life initiated', { token }, 200);
        },
        (fields) => memberProblems(fields, FORMS.member),
      ),
      [`POST ${group}/verify-group-life-policy`]: verify(
        'group',
        'response_message',
        (call, held) =>
          ok(
            'response_message',
            'Group life created',
            buyGroup(call.merchant, held, call.now),
            200,
          ),
      ),
      [`GET ${group}/merchant-group-life-policies`]: (call) => {
        const items = call.merchant.groups.toReversed().map(listedGroup);
        return ok('response_message', 'Group life policies fetched', pageOf(items, call), 200);
      },
      [`POST ${group}/group-life-policy-details`]: checked(
        { policy_number: required(text) },
        (fields, call) => {
          const policy = found(call.merchant.groups, 'policy_number', fields.policy_number);
          if (policy === undefined) return unknownPolicy('response_message', 404);
          return ok('response_message', 'Group life fetched', policy, 200);
        },
      ),
    },
  };
}

export const startLaravel = (options: StrangerOptions = {}): Promise<Stranger> =>
  serveStranger(options, createAuthor);
