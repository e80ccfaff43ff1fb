/*
 * The specification as three teams behind a gateway would have it: health in Go, motor in Node, group life in Java.
 * Where it differs from a strict reading:
 *  1 [O] health refuses with 200, success false and `errors: [{ code, field, detail }]`
 *  2 [O] motor refuses with 400 and `data: { error: "one text" }`
 *  3 [O] group life refuses with 400 and Spring's { timestamp, status, error, message, path }; the expired
 *        token is the specification's
 *  4 [O] the gateway's 401 and 404 are { error, error_description }
 *  5 [O] a wrong method is 404                            6 [O] malformed JSON is 400 with text/plain
 *  7 [O] another content type is read as JSON all the same
 *  8 [O] health tokens are UUIDs                          9 [O] motor tokens are m + 20, group life gl + 9 digits
 * 10 [S] timestamps carry no microseconds                11 [O] a quarter is 90, a month 30, a year 365 days
 * 12 [O] page URLs name the gateway's inner host         13 [S] quote_price and premium are text
 * 14 [S] product_id is text everywhere                   15 [S] pages lack `from` and `to`
 * 16 [O] `subscriptions` of a list element is an array   17 [O] names are upper case in answers
 * 18 [S] motor's list says ACTIVE                        19 [N] every answer carries trace_id
 * 20 [S] motor's initiate lacks policy_number            21 [S] motor's success code is the integer 200
 * 22 [O] a second verify answers the same policy         23 [O] `amount` is not compared with the price
 * 24 [O] renewals count from the old end_date            25 [O] health phones are answered as +234…
 * 26 [O] one problem at a time                           27 [O] unknown fields are refused in health
 * 28 [O] group life asks for date_of_birth, not dob      29 [O] e-mails are answered in lower case
 * 30 [S] the list's user of group life is the whole one  31 [O] per_page above 50 counts as 50
 * 32 [O] a period is refused: only dates select          33 [O] an unknown policy of health is 200, of motor 400
 * 34 [O] motor's policy number is a UUID                 35 [O] a token of group life is unknown: 404
 * 36 [O] motor counts its list from the newest, health from the oldest
 */

import {
  groupRecord,
  listedMotor,
  monthsOf,
  motorRecord,
  pageRecord,
  productRecord,
  type Style,
  subscriberRecord,
  transactionRecord,
  verifiedMotor,
} from './records.ts';
import {
  eleven,
  formRules,
  link,
  memberProblems,
  oneOf,
  problemsOf,
  type Rule,
  required,
  text,
} from './rules.ts';
import {
  type Author,
  addDays,
  type Call,
  createDigits,
  type Fields,
  fieldsOf,
  isBlank,
  type Merchant,
  type Reply,
  type Stranger,
  type StrangerOptions,
  samplePurchase,
  serveStranger,
  textOf,
} from './shared.ts';

const names = {
  101: { name: 'Malaria Basic', max: 3 },
  102: { name: 'Malaria Plus', max: 3 },
  201: { name: 'Group Life Standard', max: 0 },
  301: { name: 'Motor Gold', max: 0 },
};
const words = oneOf('monthly', 'quarterly', 'annually');
const RULES = {
  phone: eleven,
  image: link,
  nin: required(eleven),
  idUrl: required(link),
  health: oneOf(101, 102),
  motor: oneOf(301),
  group: oneOf(201),
};
const HEALTH = formRules({ ...RULES, frequency: words });
const MOTOR = formRules({ ...RULES, frequency: oneOf('monthly', 'quarterly', 'yearly') });
const { dob: _dob, ...withoutDob } = MOTOR.group;
const GROUP: Record<string, Rule> = { ...withoutDob, date_of_birth: MOTOR.member.date_of_birth };

type Family = 'health' | 'motor' | 'group';

function createAuthor(): Author {
  const digits = createDigits(77);
  let lastId = 9000;
  const uuid = () =>
    `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`.replaceAll('1', 'c');
  const style: Style = {
    nextId: () => ++lastId,
    time: (date) => `${date.toISOString().slice(0, 19)}Z`,
    activeDate: (date) => date.toISOString().slice(0, 19).replace('T', ' '),
    addMonths: (date, months) => addDays(date, months === 12 ? 365 : months * 30),
    healthNumber: () => digits(12),
    motorNumber: uuid,
    groupNumber: () => `GLP/${digits(6)}`,
    names,
    priceOf: (product, users, months) => (product === 102 ? 800 : 500) * months * users,
  };
  const traced = (status: number, body: Fields): Reply => ({
    status,
    body: { ...body, trace_id: digits(12) },
  });
  const gateway = (status: number, error: string, description: string, headers = {}): Reply => ({
    ...traced(status, { error, error_description: description }),
    headers,
  });
  function refusal(
    call: Call,
    family: Family,
    problem: string,
    field?: string,
    status = 400,
  ): Reply {
    if (family === 'motor')
      return traced(status, {
        success: false,
        response_message: problem,
        response_code: 'MOT400',
        data: { error: problem },
      });
    if (family === 'group')
      return traced(status, {
        timestamp: style.time(call.now),
        status,
        error: status === 404 ? 'Not Found' : 'Bad Request',
        message: problem,
        path: call.path,
      });
    const errors = [{ code: 'H400', ...(field ? { field } : {}), detail: problem }];
    return traced(200, { success: false, message: 'Request refused', errors });
  }
  const ok = (family: Family, key: string, message: string, data: unknown, code?: unknown) =>
    traced(200, {
      success: true,
      data,
      [key]: message,
      ...(family === 'health' && code === undefined ? {} : { response_code: code ?? 200 }),
    });
  const checked =
    (
      family: Family,
      rules: Record<string, Rule>,
      answer: (fields: Fields, call: Call) => Reply,
      more: (fields: Fields) => [string, string][] = () => [],
    ) =>
    (call: Call): Reply => {
      if (call.body === undefined) return { status: 400, body: 'invalid character in JSON' };
      const fields = fieldsOf(call);
      const unknown = Object.keys(fields).filter((name) => !(name in rules));
      const problems = [...problemsOf(fields, rules), ...more(fields)];
      if (family === 'health' && problems.length === 0)
        problems.push(
          ...unknown.map((name) => [name, 'is not a known field.'] as [string, string]),
        );
      const [first] = problems;
      return first === undefined
        ? answer(fields, call)
        : refusal(call, family, `${first[0]} ${first[1]}`, first[0]);
    };
  const keep = (list: Fields[], record: Fields) => {
    list.push(record);
    return record;
  };
  const productOf = (id: unknown, isGroup = false) => {
    const record = productRecord(style, Number(id), isGroup);
    return { ...record, id: String(id) };
  };
  function buyHealth(merchant: Merchant, fields: Fields, now: Date): Fields {
    const subscriber = subscriberRecord(style, merchant, fields, now);
    const subscription = subscriber.subscriptions as Fields;
    subscription.product_id = String(fields.product_id);
    subscriber.subscriptions = [subscription];
    for (const each of subscriber.transactions as Fields[])
      each.product_id = String(fields.product_id);
    for (const name of ['first_name', 'surname'])
      subscriber[name] = textOf(subscriber[name]).toUpperCase();
    subscriber.email = textOf(subscriber.email).toLowerCase();
    subscriber.phone_no = textOf(subscriber.phone_no).replace(/^0/, '+234');
    keep(merchant.subscribers, subscriber);
    return subscription;
  }
  function buyGroup(merchant: Merchant, fields: Fields, now: Date): Fields {
    const group = groupRecord(style, merchant, fields, now);
    const user = group.user as Fields;
    user.email = textOf(user.email).toLowerCase();
    group.product_id = String(fields.product_id);
    group.product = productOf(fields.product_id, true);
    return keep(merchant.groups, group);
  }
  const motorFields = (merchant: Merchant, fields: Fields): Fields => ({
    ...motorRecord(style, merchant, fields),
    product_id: String(fields.product_id),
  });

  function pageOf(items: Fields[], call: Call): Fields {
    const page = Math.max(1, Math.floor(Number(call.query.get('page') ?? 1)) || 1);
    const per = Math.min(50, Math.max(1, Number(call.query.get('per_page') ?? 15) || 15));
    const path = `http://gateway.internal:8080${call.path}`;
    const {
      from: _from,
      to: _to,
      ...rest
    } = pageRecord(items, page, per, path, (n) => {
      const query = new URLSearchParams(call.query);
      query.set('page', String(n));
      return `${path}?${query}`;
    });
    return rest;
  }
  function hold(call: Call, family: Family, fields: Fields): string {
    const token = { health: uuid(), motor: `m${digits(20)}`, group: `gl${digits(9)}` }[family];
    call.merchant.pending.set(token, { family, fields, at: call.now.getTime() });
    return token;
  }
  const verify = (family: Family, buy: (call: Call, fields: Fields) => Fields) =>
    checked(family, { token: required(text) }, (fields, call) => {
      const key = family === 'health' ? 'message' : 'response_message';
      const pending = call.merchant.pending.get(textOf(fields.token));
      if (pending?.family !== family)
        return refusal(call, family, 'token not found', 'token', family === 'group' ? 404 : 400);
      const isOver = call.now.getTime() - pending.at >= 900_000;
      if (isOver && pending.policy === undefined) {
        if (family !== 'group') return refusal(call, family, 'token expired', 'token');
        const message = 'Token has expired';
        return traced(400, {
          success: false,
          response_message: message,
          response_code: 400,
          data: { error: [message] },
        });
      }
      pending.policy ??= buy(call, pending.fields);
      return ok(family, key, 'Verified', pending.policy);
    });
  const found = (list: Fields[], field: string, number: unknown) =>
    list.find((each) => each[field] === number);
  const subscriptionOf = (subscriber: Fields) => (subscriber.subscriptions as Fields[])[0] ?? {};
  const withProduct = (subscription: Fields) => ({
    ...subscription,
    product: productOf(subscription.product_id),
  });
  function topUp(fields: Fields, call: Call): Reply {
    const subscriber = found(call.merchant.subscribers, 'policy_no', fields.policy_no);
    if (subscriber === undefined) return refusal(call, 'health', 'policy not found', 'policy_no');
    const subscription = subscriptionOf(subscriber);
    if (fields.subscription_type !== subscription.subscriptions_type)
      return refusal(call, 'health', 'frequency can not change', 'subscription_type');
    const end = new Date(textOf(subscription.end_date));
    const months = monthsOf(subscription.subscriptions_type);
    subscription.end_date = style.time(style.addMonths(end, months));
    subscription.subscriptions_no = Number(subscription.subscriptions_no) + 1;
    subscription.updated_at = style.time(call.now);
    const amount = Number(fields.amount);
    const paid = transactionRecord(style, call.merchant, subscription, amount, call.now);
    (subscriber.transactions as Fields[]).push(paid);
    return ok('health', 'message', 'Renewed', withProduct(subscription));
  }

  const health = '/api/merchant/micro_health';
  const group = '/api/merchant/group-life/policy';
  const motor = '/api/merchant/comprehensive_motor';
  const motors = '/api/merchant/get_comprehensive_motor';
  return {
    unauthorized: () =>
      gateway(401, 'invalid_token', 'The access token is missing or invalid', {
        'WWW-Authenticate': 'Bearer realm="gateway"',
      }),
    unknownRoute: () => gateway(404, 'not_found', 'no Route matched with those values'),
    wrongMethod: () => gateway(404, 'not_found', 'no Route matched with those values'),
    populate: (merchant, count, now) => {
      for (let n = count; n > 0; n -= 1) {
        const at = addDays(now, -n);
        buyHealth(merchant, samplePurchase('health', n % 2 === 0 ? 101 : 102), at);
        keep(merchant.motor, motorFields(merchant, samplePurchase('motor', 301)));
        buyGroup(merchant, samplePurchase('group', 201), at);
      }
    },
    routes: {
      [`POST ${health}/get_quote`]: checked('health', HEALTH.quote, (fields, call) => {
        const users = Number(fields.no_of_users);
        if (users > 4) return refusal(call, 'health', 'too many users', 'no_of_users');
        const months = monthsOf(fields.subscription_type);
        const price = style.priceOf(Number(fields.product_id), users, months);
        return ok(
          'health',
          'response_message',
          'Quoted',
          { quote_price: price.toFixed(2) },
          'QOT101',
        );
      }),
      [`POST ${health}/initiate`]: checked('health', HEALTH.initiate, (fields, call) => {
        const token = hold(call, 'health', fields);
        return ok('health', 'response_message', 'Initiated', { token }, 'FRT008');
      }),
      [`POST ${health}/verify`]: verify('health', (call, fields) =>
        withProduct(buyHealth(call.merchant, fields, call.now)),
      ),
      [`POST ${health}/top_up`]: checked('health', HEALTH.topUp, topUp),
      [`GET ${health}/all_subscriptions`]: (call) => {
        if (!isBlank(call.query.get('period')))
          return refusal(call, 'health', 'period is not supported', 'period');
        const from = call.query.get('start_date') || '0000';
        const to = call.query.get('end_date') || '9999';
        const items = call.merchant.subscribers.filter((each) => {
          const created = textOf(each.created_at).slice(0, 10);
          return created >= from && created <= to;
        });
        return ok('health', 'message', 'Listed', pageOf(items, call));
      },
      [`GET ${health}/validate_policy/:policy_no`]: (call, number) => {
        const subscriber = found(call.merchant.subscribers, 'policy_no', number);
        return subscriber === undefined
          ? refusal(call, 'health', 'policy not found', 'policy_no')
          : ok('health', 'message', 'Valid', withProduct(subscriptionOf(subscriber)));
      },
      [`POST ${motor}_initiate_policy`]: checked('motor', MOTOR.motor, (fields, call) => {
        const policy = motorFields(call.merchant, fields);
        const { policy_number: _number, slug: _slug, ...data } = policy;
        const answer = { ...data, token: hold(call, 'motor', policy) };
        return ok('motor', 'response_message', 'Initiated', answer);
      }),
      [`POST ${motor}_verify_policy`]: verify('motor', (call, fields) => {
        const policy = keep(call.merchant.motor, fields);
        return verifiedMotor(style, call.merchant, policy, call.now);
      }),
      [`GET ${motors}_policies`]: (call) => {
        const items = call.merchant.motor.toReversed().map(listedMotor);
        const active = items.map((each) => ({ ...each, status: 'ACTIVE' }));
        return ok('motor', 'response_message', 'Listed', active);
      },
      [`POST ${motors}_policy_details`]: checked(
        'motor',
        { Policy_number: required(text) },
        (fields, call) => {
          const policy = found(call.merchant.motor, 'policy_number', fields.Policy_number);
          return policy === undefined
            ? refusal(call, 'motor', 'no such policy')
            : ok('motor', 'response_message', 'Found', policy);
        },
      ),
      [`POST ${motors}_policy_quote`]: checked('motor', MOTOR.motorQuote, (fields) => {
        const value = Number(fields.vehicle_value);
        const data = { premium: (value * 0.04).toFixed(2), amount_insured: value };
        return ok('motor', 'response_message', 'Quoted', data);
      }),
      [`POST ${group}/initiate-group-life-policy`]: checked(
        'group',
        GROUP,
        (fields, call) =>
          ok('group', 'response_message', 'Initiated', { token: hold(call, 'group', fields) }),
        (fields) => memberProblems(fields, MOTOR.member),
      ),
      [`POST ${group}/verify-group-life-policy`]: verify('group', (call, fields) =>
        buyGroup(call.merchant, fields, call.now),
      ),
      [`GET ${group}/merchant-group-life-policies`]: (call) =>
        ok('group', 'response_message', 'Listed', pageOf(call.merchant.groups, call)),
      [`POST ${group}/group-life-policy-details`]: checked(
        'group',
        { policy_number: required(text) },
        (fields, call) => {
          const policy = found(call.merchant.groups, 'policy_number', fields.policy_number);
          return policy === undefined
            ? refusal(call, 'group', 'Policy not found', undefined, 404)
            : ok('group', 'response_message', 'Found', policy);
        },
      ),
    },
  };
}

export const startMicroservices = (options: StrangerOptions = {}): Promise<Stranger> =>
  serveStranger(options, createAuthor);
