/* "Endpoints", micro-health: quotes, purchases, renewals and look-ups. */

import { type Instant, timestamp } from '../../../world/time.ts';
import { type Answer, type ProbeCall, varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth, priceIn, quote, quoteOne, topUp } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { withoutFields } from '../calls/refusals.ts';
import { findListed, momentOf } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
  decided,
  differs,
  formed,
  type Probe,
  type ProbeReading,
  probe,
  refused,
  same,
  unknown,
  words,
} from '../probe.ts';
import { endsOf, renewal } from './renewals.ts';
import { anyForm, numbersAsText } from './request-bodies.ts';
import { accepts, allows, refuses } from './variations.ts';

const { initiate, verify, second, list, lastPage } = microHealth;

/* Required fields: the refusal of an empty body names them. */

const requires = (base: ProbeCall, id: string, fields: readonly string[]): Probe =>
  probe({
    id: `required.${id}`,
    about: 'micro-health-required',
    title: `Required: ${fields.join(', ')}`,
    calls: { empty: withoutFields(base) },
    read({ empty }) {
      if (empty.ok || empty.status >= 500) return refused(empty);
      if (empty.problems.length < 2) return unknown('problems are told one at a time');
      const optional = fields.filter((field) => !empty.names(field));
      return optional.length === 0
        ? AS_PUBLISHED
        : differs(words('required'), words(`not required: ${optional.join(', ')}`), empty);
    },
  });

const required: readonly Probe[] = [
  requires(quote, 'quote', ['no_of_users', 'subscription_type', 'product_id']),
  requires(initiate, 'initiate', [
    ...['first_name', 'surname', 'email', 'phone_no', 'date_of_birth', 'product_id'],
    ...['subscription_type', 'amount'],
  ]),
  requires(topUp, 'top-up', ['subscription_type', 'amount', 'policy_no']),
];

/* What a profile can set of the fields of a purchase. */

const without = (field: string) => varied(initiate, `without ${field}`, { [field]: undefined });
const shortPhone = (base: ProbeCall) =>
  varied(base, 'with a phone number of 10 digits', { phone_no: '0999000000' });
const longPhone = (base: ProbeCall) =>
  varied(base, 'with a phone number with a plus', { phone_no: '+2349990000000' });

const noNumber = without('nin_number');
const shortNumber = varied(initiate, 'with a nin_number of 10 digits', {
  nin_number: '9999999999',
});

const settings: readonly Probe[] = [
  allows([longPhone(initiate), shortPhone(groupLife.initiate)], {
    id: 'phone-digits',
    about: 'phone-digits',
    title: 'A phone number has 11 digits',
    ...{ published: 'eleven', other: 'any' },
  }),
  probe({
    id: 'nin-number',
    about: 'nin-number',
    title: 'nin_number is required and has 11 digits',
    calls: { noNumber, shortNumber },
    read: ({ noNumber: none, shortNumber: short }) =>
      none.ok && short.ok
        ? differs(words('required, 11 digits'), words('optional, of any digits'), short)
        : decided(
            none.ok ? { required: false } : short.ok ? 'any' : 'eleven',
            none.ok ? none : short,
          ),
  }),
  allows([without('id_url')], {
    id: 'id-url',
    about: 'id-url',
    title: 'id_url is required',
    ...{ published: 'required', other: { required: false } },
  }),
  accepts(initiate, {
    id: 'nin-number-type',
    about: 'nin-number',
    title: 'nin_number may be a number',
    each: [anyForm],
    field: 'nin_number',
  }),
  allows(
    [
      varied(quote, 'with a capital in its frequency', { subscription_type: 'Monthly' }),
      varied(motor.initiate, 'with a capital in its frequency', { frequency_type: 'Yearly' }),
    ],
    {
      id: 'frequency-words',
      about: 'frequency-words',
      title: 'A payment frequency is written in small letters',
      ...{ published: 'exact', other: 'any-case' },
    },
  ),
  accepts(quote, {
    id: 'frequency-synonym',
    about: 'frequency-words',
    title: 'The frequencies are monthly, quarterly and annually; yearly means annually',
    each: ['quarterly', 'yearly'].map((subscription_type) => ({ subscription_type })),
  }),
  refuses(quote, {
    id: 'frequency-unknown',
    about: 'frequency-words',
    title: 'Another frequency is refused',
    each: [{ subscription_type: 'weekly' }],
  }),
];

/* Prices are the provider's; that they are asked for is not. */

const above = varied(initiate, 'with an amount above the price', (needs) => ({
  amount: priceIn(needs.quote as Answer) + 1,
}));
const below = varied(initiate, 'with an amount below the price', (needs) => ({
  amount: Math.max(0.01, priceIn(needs.quote as Answer) - 1),
}));
const renewalBelow = renewal('with an amount below the price', (needs) => ({
  amount: Math.max(0.01, priceIn(needs.quote as Answer) - 1),
}));

const prices: readonly Probe[] = [
  probe({
    id: 'quote-price',
    about: 'Resources and their fields',
    title: 'A quote has a price above 0',
    needs: { quote },
    read: ({ quote: answer }) =>
      priceIn(answer) > 0
        ? AS_PUBLISHED
        : differs(words('a price above 0'), answer.get('data.quote_price'), answer),
  }),
  probe({
    id: 'amount-check',
    about: 'amount-check',
    title: 'The amount of a purchase and of a renewal is the price',
    some: [above, below, renewalBelow],
    read: (_, some) => agreed(some.map((answer) => [answer.ok ? 'ignore' : 'exact', answer])),
  }),
  probe({
    id: 'expected-amount',
    about: 'amount-check',
    title: 'The refusal of another amount names the expected one',
    needs: { quote },
    calls: { above },
    read: ({ quote: priced, above: answer }) =>
      answer.ok
        ? unknown('another amount is accepted')
        : answer.problems.some(({ text }) =>
              text.replaceAll(',', '').includes(String(priceIn(priced))),
            )
          ? AS_PUBLISHED
          : differs(words(`the amount ${priceIn(priced)} in the message`), answer.message, answer),
  }),
  probe({
    id: 'amount-status',
    about: 'http-status',
    title: 'Another amount is refused with the status of any request with problems',
    calls: { below, empty: withoutFields(initiate) },
    read: ({ below: answer, empty }) =>
      answer.ok || empty.ok
        ? unknown('another amount is accepted')
        : same(empty.status, answer.status, answer),
  }),
  probe({
    id: 'users',
    about: 'What the service does',
    title: 'A principal with one beneficiary is two users',
    needs: { quote, quoteOne },
    calls: { initiate },
    read({ quote: two, quoteOne: one, initiate: answer }) {
      if (priceIn(two) === priceIn(one)) return unknown('one and two users cost the same');
      return answer.ok ? AS_PUBLISHED : differs(words('accepted'), words(answer.shown), answer);
    },
  }),
  probe({
    id: 'users-limit',
    about: 'Limits',
    title: 'A product covers at most max_beneficiaries besides the principal',
    needs: { verify },
    calls: {
      many: varied(
        quote,
        'for too many users',
        (needs) => ({
          no_of_users: 2 + Number((needs.verify as Answer).get('data.product.max_beneficiaries')),
        }),
        { needs: { verify }, refusal: 'invalid' },
      ),
    },
    read: (answers) => refused(answers.many),
  }),
  refuses(quote, {
    id: 'catalogue',
    about: 'catalogue',
    title: 'An unknown product is refused',
    each: [{ product_id: 987_654_321 }],
  }),
  refuses(quote, {
    id: 'product-of-another-family',
    about: 'motor-product',
    title: 'A product of another family is refused',
    each: [(_, { products }) => ({ product_id: products[motor.key] })],
  }),
  accepts(quote, {
    id: 'product-id-type',
    about: 'product-id-type',
    title: 'A product id may be a text of digits',
    each: [numbersAsText],
    field: 'product_id',
  }),
];

/* A subscription. */

const endsAfter = (answer: Answer, months: number): ProbeReading => {
  const [start, end] = ['start_date', 'end_date'].map((field) =>
    momentOf(answer.get(`data.${field}`)),
  );
  if (start === undefined || end === undefined || Number.isNaN(start + end)) {
    return unknown('the dates cannot be read');
  }
  const [expected] = endsOf(start, months);
  return endsOf(start, months).includes(end)
    ? AS_PUBLISHED
    : differs(timestamp(expected as Instant), answer.get('data.end_date'), answer);
};

const field = (answer: Answer, name: string) => answer.get(`data.${name}`);

const subscriptions: readonly Probe[] = [
  probe({
    id: 'policy-no',
    about: 'policy-no',
    title: 'A policy number has 10 digits',
    needs: { verify },
    read: ({ verify: answer }) =>
      formed(/^\d{10}$/, '10 digits', field(answer, 'policy_no'), answer),
  }),
  probe({
    id: 'recurring',
    about: 'recurring',
    title: 'A monthly subscription recurs, an annual one does not',
    needs: { verify, second },
    read: (answers) =>
      all(
        same(true, field(answers.verify, 'recurring'), answers.verify),
        same(false, field(answers.second, 'recurring'), answers.second),
      ),
  }),
  probe({
    id: 'subscription-end',
    about: 'subscription-dates',
    title: 'A subscription ends one month after its start, an annual one twelve',
    needs: { verify, second },
    read: (answers) => all(endsAfter(answers.verify, 1), endsAfter(answers.second, 12)),
  }),
  probe({
    id: 'subscription-start',
    about: 'subscription-dates',
    title: 'A subscription starts when it is created',
    needs: { verify },
    read: ({ verify: answer }) =>
      same(field(answer, 'created_at'), field(answer, 'start_date'), answer),
  }),
  probe({
    id: 'enabled',
    about: 'States and transitions',
    title: 'A new subscription has enable 1',
    needs: { verify },
    read: ({ verify: answer }) => same(1, field(answer, 'enable'), answer),
  }),
  probe({
    id: 'time-zone',
    about: 'time-zone',
    title: 'active_date is in UTC',
    needs: { verify },
    read({ verify: answer }) {
      const [local, utc] = ['active_date', 'start_date'].map((name) =>
        momentOf(field(answer, name)),
      );
      if (local === undefined || utc === undefined || Number.isNaN(local - utc)) {
        return unknown('the dates cannot be read');
      }
      return decided(
        zoneWith(local - utc, utc) ?? words(`${(local - utc) / 60_000} minutes off`),
        answer,
      );
    },
  }),
  probe({
    id: 'users-count',
    about: 'users-count',
    title: 'Blank names of beneficiaries are ignored, and a gap between them is allowed',
    needs: { second, list, lastPage },
    read({ second: bought, list: first, lastPage: last }) {
      const item = findListed(microHealth, [first, last], bought.get(microHealth.number));
      const names = item?.beneficiary;
      if (!Array.isArray(names)) return unknown('the policy is not in the list');
      return same(2, names.length, first);
    },
  }),
  probe({
    id: 'subscriptions-no',
    about: 'subscriptions-no',
    title: 'subscriptions_no counts the periods paid',
    needs: { verify, topUp },
    read: (answers) =>
      all(
        same(1, field(answers.verify, 'subscriptions_no'), answers.verify),
        same(2, field(answers.topUp, 'subscriptions_no'), answers.topUp),
      ),
  }),
  probe({
    id: 'commissions',
    about: 'commissions',
    title: 'total_commission is the sum of both commissions',
    operation: microHealth.operations.list,
    needs: { list },
    read({ list: answer }) {
      const payments = answer.items.flatMap(({ transactions }) =>
        Array.isArray(transactions) ? transactions : [],
      );
      const kobo = (payment: object, name: string) =>
        Math.round(100 * Number(Reflect.get(payment, `${name}_commission`)));
      const odd = payments.find(
        (each) => kobo(each, 'partner') + kobo(each, 'merchant') !== kobo(each, 'total'),
      );
      if (odd === undefined)
        return payments[0] ? AS_PUBLISHED : unknown('there are no transactions');
      const sum = (kobo(odd, 'partner') + kobo(odd, 'merchant')) / 100;
      return Number.isNaN(sum)
        ? unknown('commissions are missing')
        : differs(sum, odd.total_commission, answer);
    },
  }),
];

/** The name of a zone that is so far ahead of UTC at a moment. */
function zoneWith(offset: number, at: Instant): string | undefined {
  const known = ['UTC', 'Africa/Lagos'];
  return [...known, ...(offset === 0 ? [] : Intl.supportedValuesOf('timeZone'))].find(
    (timeZone) => {
      const parts = new Intl.DateTimeFormat('sv-SE', {
        ...{ timeZone, dateStyle: 'short', timeStyle: 'medium' },
      }).format(at);
      return momentOf(parts) - Math.floor(at / 1000) * 1000 === offset;
    },
  );
}

export const microHealthProbes: readonly Probe[] = [
  ...required,
  ...settings,
  ...prices,
  ...subscriptions,
];
