/*
 * The specification as a team with Django REST Framework would have it. Where it differs from a strict reading:
 *  1 [O] validation is 400 { "field": ["…"] }             2 [O] 401, 404, 405, 415, broken JSON: { "detail": "…" }
 *  3 [O] a refused token is 400 { "token": ["…"] }         4 [O] an unknown policy is 404 { "detail": "Not found." }
 *  5 [S] a page is { count, next, previous, results }      6 [O] a page past the end and page 0 are 404
 *  7 [O] the size of a page is page_size; per_page is not read, pages have 20
 *  8 [O] lists are newest first                            9 [O] `period` is not read
 * 10 [S] decimals are text: quote_price, premium, amount_insured, vehicle_value
 * 11 [O] timestamps carry real microseconds               12 [S] `password` is missing from subscribers
 * 13 [O] texts are trimmed                                14 [O] numbers are taken as text, and shown as text
 * 15 [O] tokens are 43 letters, digits, - and _           16 [O] policy numbers are 8 letters and digits after a prefix
 * 17 [O] a slug is the policy number in lower case        18 [O] phones are any text of up to 20 characters
 * 19 [O] a wrong amount is 400, told as `amount`          20 [O] group life starts on the day after verify
 * 21 [O] the sentences of successes                       22 [O] a second verify is told as an unknown token
 * 23 [S] motor's initiate carries no token at the top: it is in `purchase.token`   (so that motor cannot be bought)
 * 24 [O] a renewal after the end keeps active_date        25 [O] a gender is F or M besides the words
 * 26 [O] the subscription of a listed subscriber is in a list
 */
import {
  groupRecord,
  listedGroup,
  listedMotor,
  monthsOf,
  motorRecord,
  productRecord,
  type Style,
  subscriberRecord,
  transactionRecord,
  usersOf,
} from './records.ts';
import {
  all,
  eleven,
  formRules,
  link,
  memberProblems,
  need,
  oneOf,
  pattern,
  problemsOf,
  type Rule,
  required,
} from './rules.ts';
import {
  type Author,
  addDays,
  type Call,
  clampMonths,
  createDigits,
  dayOf,
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
  7: { name: 'Malaria Shield', max: 3 },
  8: { name: 'Drive Well', max: 0 },
  9: { name: 'Together', max: 0 },
};
const FORMS = formRules({
  phone: pattern(/^.{1,20}$/s, 'Ensure this field has no more than 20 characters.'),
  frequency: oneOf('monthly', 'quarterly', 'annually', 'yearly'),
  image: all(need, link),
  nin: required(eleven),
  idUrl: required(link),
  health: oneOf(7),
  motor: oneOf(8),
  group: oneOf(9),
});
/** A CharField takes numbers. */
const anyText: Rule = (value) =>
  typeof value === 'object' && value !== null ? 'Not a valid string.' : undefined;
const relaxed = (rules: Record<string, Rule>): Record<string, Rule> => ({
  ...rules,
  ...Object.fromEntries(
    ['first_name', 'last_name', 'surname', 'insurance_cover', 'vehicle_type', 'group_name']
      .filter((name) => name in rules)
      .map((name) => [name, required(anyText)]),
  ),
  ...('gender' in rules
    ? { gender: required(pattern(/^((fe)?male|f|m)$/i, 'is not a valid choice.')) }
    : {}),
});

type Family = 'health' | 'motor' | 'group';

function createAuthor(): Author {
  const digits = createDigits(4_400);
  let lastId = 100;
  const letters = (length: number) => {
    let text = '';
    while (text.length < length) {
      const hex = Number(digits(12)).toString(16);
      text += [...hex].map((digit) => 'A7B3C9D2E5F8G4H6'[Number.parseInt(digit, 16)]).join('');
    }
    return text.slice(0, length);
  };
  const withMicroseconds = (date: Date) => `${date.toISOString().slice(0, 23)}417Z`;
  const style: Style = {
    nextId: () => ++lastId,
    time: withMicroseconds,
    activeDate: (date) => date.toISOString().slice(0, 19).replace('T', ' '),
    addMonths: clampMonths,
    healthNumber: () => `HC${letters(8)}`,
    motorNumber: () => `MC${letters(8)}`,
    groupNumber: () => `GC${letters(8)}`,
    names,
    priceOf: (_, users, months) => (400 + 250 * (users - 1)) * months,
  };
  const detail = (status: number, text: string, headers = {}): Reply => ({
    status,
    body: { detail: text },
    headers,
  });
  const invalid = (problems: [string, string][]): Reply => ({
    status: 400,
    body: Object.fromEntries(
      problems.map(([field, message]) => [
        field,
        [message === 'is required.' ? 'This field is required.' : message],
      ]),
    ),
  });
  const ok = (key: string, message: string, data: unknown, code?: unknown): Reply => ({
    status: 200,
    body: {
      success: true,
      data,
      [key]: message,
      ...(code === undefined ? {} : { response_code: code }),
    },
  });
  const checked =
    (
      rules: Record<string, Rule>,
      answer: (fields: Fields, call: Call) => Reply,
      more: (fields: Fields) => [string, string][] = () => [],
    ) =>
    (call: Call): Reply => {
      const type = call.headers['content-type'] ?? '';
      if (!type.startsWith('application/json')) {
        return detail(415, `Unsupported media type "${type}" in request.`);
      }
      if (call.body === undefined) return detail(400, 'JSON parse error - Expecting value');
      if (typeof call.body !== 'object' || Array.isArray(call.body)) {
        return invalid([['non_field_errors', 'Invalid data. Expected a dictionary.']]);
      }
      const fields: Fields = {};
      for (const [name, value] of Object.entries(fieldsOf(call))) {
        fields[name] = typeof value === 'string' ? value.trim() : value;
      }
      const problems = [...problemsOf(fields, relaxed(rules)), ...more(fields)];
      return problems.length > 0 ? invalid(problems) : answer(fields, call);
    };

  const keep = (list: Fields[], record: Fields) => {
    list.push(record);
    return record;
  };
  const productOf = (id: unknown, isGroup = false) => productRecord(style, Number(id), isGroup);
  function buyHealth(merchant: Merchant, fields: Fields, now: Date): Fields {
    const named = { ...fields };
    for (const name of ['first_name', 'surname']) named[name] = textOf(named[name]);
    const { password: _, ...subscriber } = subscriberRecord(style, merchant, named, now);
    const subscription = subscriber.subscriptions as Fields;
    subscriber.subscriptions = [subscription];
    subscriber.date_of_birth = `${fields.date_of_birth}T00:00:00.000000Z`;
    keep(merchant.subscribers, subscriber);
    return subscription;
  }
  function buyGroup(merchant: Merchant, fields: Fields, now: Date): Fields {
    const tomorrow = { ...fields, start_date: fields.start_date ?? dayOf(addDays(now, 1)) };
    const group = groupRecord(style, merchant, tomorrow, now);
    for (const name of ['start_date', 'end_date']) {
      group[name] = `${textOf(group[name]).slice(0, 10)}T00:00:00.000000Z`;
    }
    delete (group.user as Fields).password;
    return keep(merchant.groups, group);
  }
  const motorFields = (merchant: Merchant, fields: Fields): Fields => {
    const record = motorRecord(style, merchant, fields);
    const slug = textOf(record.policy_number).toLowerCase();
    return {
      ...record,
      slug,
      duration: fields.duration,
      vehicle_value: Number(fields.sum_insured).toFixed(2),
    };
  };
  function pageOf(newest: Fields[], call: Call): Fields | undefined {
    const size = Math.min(100, Number(call.query.get('page_size') ?? 20) || 20);
    const asked = call.query.get('page') ?? '1';
    const last = Math.max(1, Math.ceil(newest.length / size));
    const page = Number(asked);
    if (!Number.isInteger(page) || page < 1 || page > last) return undefined;
    const url = (n: number) => `${call.base}${call.path}?page=${n}`;
    return {
      count: newest.length,
      next: page < last ? url(page + 1) : null,
      previous: page > 1 ? url(page - 1) : null,
      results: newest.slice((page - 1) * size, page * size),
    };
  }
  const list = (
    key: string,
    message: string,
    items: Fields[],
    call: Call,
    code?: unknown,
  ): Reply => {
    const page = pageOf(items.toReversed(), call);
    return page === undefined ? detail(404, 'Invalid page.') : ok(key, message, page, code);
  };

  function hold(call: Call, family: Family, fields: Fields): string {
    const token = `${letters(20)}-${letters(21)}_`;
    call.merchant.pending.set(token, { family, fields, at: call.now.getTime() });
    return token;
  }
  const verify = (family: Family, buy: (call: Call, fields: Fields) => Reply) =>
    checked({ token: required(anyText) }, (fields, call) => {
      const token = textOf(fields.token);
      const pending = call.merchant.pending.get(token);
      if (pending?.family !== family) return invalid([['token', 'This token does not exist.']]);
      call.merchant.pending.delete(token);
      if (call.now.getTime() - pending.at < 900_000) return buy(call, pending.fields);
      if (family !== 'group') return invalid([['token', 'This token has expired.']]);
      const message = 'Token has expired';
      return {
        status: 400,
        body: {
          success: false,
          response_message: message,
          response_code: 400,
          data: { error: [message] },
        },
      };
    });
  const found = (items: Fields[], field: string, number: unknown) =>
    items.find((each) => each[field] === number);
  const subscriptionOf = (subscriber: Fields) => (subscriber.subscriptions as Fields[])[0] ?? {};
  const withProduct = (subscription: Fields) => ({
    ...subscription,
    product: productOf(subscription.product_id),
  });
  const wrongAmount = (fields: Fields, users: number): [string, string][] => {
    const price = style.priceOf(7, users, monthsOf(fields.subscription_type));
    return Number(fields.amount) === price ? [] : [['amount', `Must be ${price}.`]];
  };
  function topUp(fields: Fields, call: Call): Reply {
    const subscriber = found(call.merchant.subscribers, 'policy_no', fields.policy_no);
    if (subscriber === undefined) return detail(404, 'Not found.');
    const subscription = subscriptionOf(subscriber);
    const months = monthsOf(subscription.subscriptions_type);
    if (monthsOf(fields.subscription_type) !== months) {
      return invalid([['subscription_type', 'The frequency of a policy cannot be changed.']]);
    }
    const wrong = wrongAmount(fields, 1 + (subscriber.beneficiary as []).length);
    if (wrong.length > 0) return invalid(wrong);
    const paid = Number(subscription.subscriptions_no) + 1;
    const start = new Date(textOf(subscription.start_date));
    Object.assign(subscription, {
      subscriptions_no: paid,
      end_date: style.time(clampMonths(start, months * paid)),
      updated_at: style.time(call.now),
    });
    (subscriber.transactions as Fields[]).push(
      transactionRecord(style, call.merchant, subscription, Number(fields.amount), call.now),
    );
    return ok('message', 'Subscription renewed', withProduct(subscription));
  }

  const health = '/api/merchant/micro_health';
  const group = '/api/merchant/group-life/policy';
  const motor = '/api/merchant/comprehensive_motor';
  const motors = '/api/merchant/get_comprehensive_motor';
  return {
    unauthorized: () =>
      detail(401, 'Authentication credentials were not provided.', {
        'WWW-Authenticate': 'Bearer realm="api"',
      }),
    unknownRoute: () => detail(404, 'Not found.'),
    wrongMethod: (call) =>
      detail(405, `Method "${call.method}" not allowed.`, {
        Allow: call.method === 'GET' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS',
      }),
    populate: (merchant, count, now) => {
      for (let n = count; n > 0; n -= 1) {
        buyHealth(merchant, samplePurchase('health', 7), addDays(now, -n));
        keep(merchant.motor, motorFields(merchant, samplePurchase('motor', 8)));
        buyGroup(merchant, samplePurchase('group', 9), addDays(now, -n));
      }
    },
    routes: {
      [`POST ${health}/get_quote`]: checked(FORMS.quote, (fields) => {
        const users = Number(fields.no_of_users);
        if (users > 4) return invalid([['no_of_users', 'Ensure this value is at most 4.']]);
        const price = style.priceOf(7, users, monthsOf(fields.subscription_type));
        const data = { quote_price: price.toFixed(2) };
        return ok('response_message', 'Quote calculated', data, 'QOT101');
      }),
      [`POST ${health}/initiate`]: checked(
        FORMS.initiate,
        (fields, call) => {
          const token = hold(call, 'health', fields);
          return ok('response_message', 'Purchase started', { token }, 'FRT008');
        },
        (fields) => (isBlank(fields.amount) ? [] : wrongAmount(fields, usersOf(fields))),
      ),
      [`POST ${health}/verify`]: verify('health', (call, fields) =>
        ok(
          'message',
          'Purchase completed',
          withProduct(buyHealth(call.merchant, fields, call.now)),
        ),
      ),
      [`POST ${health}/top_up`]: checked(FORMS.topUp, topUp),
      [`GET ${health}/all_subscriptions`]: (call) => {
        const from = call.query.get('start_date') || '0000';
        const to = call.query.get('end_date') || '9999';
        const items = call.merchant.subscribers.filter((each) => {
          const created = textOf(each.created_at).slice(0, 10);
          return created >= from && created <= to;
        });
        return list('message', 'Subscribers', items, call);
      },
      [`GET ${health}/validate_policy/:policy_no`]: (call, number) => {
        const subscriber = found(call.merchant.subscribers, 'policy_no', number);
        if (subscriber === undefined) return detail(404, 'Not found.');
        return ok('message', 'Policy', withProduct(subscriptionOf(subscriber)));
      },
      [`POST ${motor}_initiate_policy`]: checked(FORMS.motor, (fields, call) => {
        const policy = motorFields(call.merchant, fields);
        const purchase = { token: hold(call, 'motor', policy) };
        return ok('response_message', 'Purchase started', { ...policy, purchase }, '');
      }),
      [`POST ${motor}_verify_policy`]: verify('motor', (call, fields) => {
        const policy = keep(call.merchant.motor, fields);
        return ok('response_message', 'Purchase completed', policy, '');
      }),
      [`GET ${motors}_policies`]: (call) => {
        const items = call.merchant.motor.toReversed().map(listedMotor);
        return ok('response_message', 'Policies', items, '');
      },
      [`POST ${motors}_policy_details`]: checked({}, (fields, call) => {
        const number = fields.Policy_number ?? fields.policyNumber ?? fields.policy_number;
        if (isBlank(number)) return invalid([['Policy_number', 'is required.']]);
        const policy = found(call.merchant.motor, 'policy_number', number);
        return policy === undefined
          ? detail(404, 'Not found.')
          : ok('response_message', 'Policy', policy, '');
      }),
      [`POST ${motors}_policy_quote`]: checked(FORMS.motorQuote, (fields) => {
        const value = Number(fields.vehicle_value);
        const data = { premium: (value * 0.04).toFixed(2), amount_insured: value.toFixed(2) };
        return ok('response_message', 'Quote calculated', data, '');
      }),
      [`POST ${group}/initiate-group-life-policy`]: checked(
        FORMS.group,
        (fields, call) => {
          const token = hold(call, 'group', fields);
          return ok('response_message', 'Purchase started', { token }, 200);
        },
        (fields) => memberProblems(fields, FORMS.member),
      ),
      [`POST ${group}/verify-group-life-policy`]: verify('group', (call, fields) => {
        const policy = buyGroup(call.merchant, fields, call.now);
        return ok('response_message', 'Purchase completed', policy, 200);
      }),
      [`GET ${group}/merchant-group-life-policies`]: (call) =>
        list('response_message', 'Policies', call.merchant.groups.map(listedGroup), call, 200),
      [`POST ${group}/group-life-policy-details`]: checked({}, (fields, call) => {
        const number = fields.policy_number ?? fields.Policy_number ?? fields.policyNumber;
        if (isBlank(number)) return invalid([['policy_number', 'is required.']]);
        const policy = found(call.merchant.groups, 'policy_number', number);
        return policy === undefined
          ? detail(404, 'Not found.')
          : ok('response_message', 'Policy', policy, 200);
      }),
    },
  };
}

export const startDjango = (options: StrangerOptions = {}): Promise<Stranger> =>
  serveStranger(options, createAuthor);
