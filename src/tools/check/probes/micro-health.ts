/* "Endpoints", micro-health: the fields, prices and policies of its purchases and renewals. */

import type { Answer } from '../answer.ts';
import { type Changes, type ProbeCall, varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import {
  anyForm,
  microHealth,
  numbersAsText,
  priceIn,
  quote,
  renewal,
  topUp,
} from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED, all, unknown } from '../reading.ts';
import { accepts, allows, refuses, requires, wrong } from '../statements.ts';

const { initiate, verify, second, list, number } = microHealth;

const without = (name: string) => varied(initiate, `without ${name}`, { [name]: undefined });
const noNumber = without('nin_number');
const shortNumber = varied(initiate, 'with a nin_number of 10 digits', {
  nin_number: '9999999999',
});

const withCapital = (base: ProbeCall, changes: Changes) =>
  varied(base, 'with a capital in its frequency', changes);

/** The price of a call, moved by an amount. */
const moved =
  (by: number): Changes =>
  (_, quoted) => ({ amount: Math.max(0.01, priceIn(quoted) + by) });
const above = varied(initiate, 'with an amount above the price', moved(1));
export const amountBelow = varied(initiate, 'with an amount below the price', moved(-1), {
  refusal: 'invalid',
});

const tooMany = varied(
  quote,
  'for too many users',
  (_, bought) => ({
    no_of_users: 2 + Number(bought.get('data.product.max_beneficiaries')),
  }),
  { needs: [verify], refusal: 'invalid' },
);

/** A payment whose commissions do not add up. */
function readCommissions(answer: Answer) {
  const payments = answer.items.flatMap(({ transactions }) =>
    Array.isArray(transactions) ? transactions : [],
  );
  const kobo = (payment: object, name: string) =>
    Math.round(100 * Number(Reflect.get(payment, `${name}_commission`)));
  const sumOf = (payment: object) => kobo(payment, 'partner') + kobo(payment, 'merchant');
  const odd = payments.find((payment) => sumOf(payment) !== kobo(payment, 'total'));
  if (odd === undefined) return payments[0] ? AS_PUBLISHED : unknown('there are no transactions');
  const sum = sumOf(odd) / 100;
  return Number.isNaN(sum)
    ? unknown('commissions are missing')
    : answer.differs(sum, odd.total_commission);
}

export const microHealthProbes = probesAbout({
  'micro-health-required': requires(
    'Every field is required but beneficiaries, profile_url and what a profile sets',
    [quote, initiate, topUp],
    (field) => !/beneficiary|profile_url|nin_number|id_url/.test(field),
  ),
  'phone-digits': allows(
    'A phone number has 11 digits',
    ['eleven', 'any'],
    [
      varied(initiate, 'with a phone number with a plus', { phone_no: '+2349990000000' }),
      varied(groupLife.initiate, 'with a phone number of 10 digits', { phone_no: '0999000000' }),
    ],
  ),
  'nin-number': {
    'nin-number': probe(
      'nin_number is required and has 11 digits',
      { calls: [noNumber, shortNumber] },
      (none, short) => {
        if (!none.ok) return short.decided(short.ok ? 'any' : 'eleven');
        return short.ok
          ? short.otherwise('required, 11 digits', 'optional, of any digits')
          : none.decided({ required: false });
      },
    ),
    'nin-number-type': accepts('nin_number may be a number', [anyForm], { field: 'nin_number' }),
  },
  'id-url': allows('id_url is required', ['required', { required: false }], [without('id_url')]),
  'frequency-words': {
    'frequency-words': allows(
      'A payment frequency is written in small letters',
      ['exact', 'any-case'],
      [
        withCapital(quote, { subscription_type: 'Monthly' }),
        withCapital(motor.initiate, { frequency_type: 'Yearly' }),
      ],
    ),
    'frequency-synonym': accepts(
      'The frequencies are monthly, quarterly and annually; yearly means annually',
      ['quarterly', 'yearly'].map((subscription_type) => varied(quote, '', { subscription_type })),
    ),
    'frequency-unknown': refuses(
      'Another frequency is refused',
      wrong(quote, { subscription_type: 'weekly' }),
    ),
  },
  'amount-check': {
    'amount-check': allows(
      'The amount of a purchase and of a renewal is the price',
      ['exact', 'ignore'],
      [above, amountBelow, renewal('with an amount below the price', moved(-1))],
    ),
    'expected-amount': probe(
      'The refusal of another amount names the expected one',
      { needs: [quote], calls: [above] },
      (priced, answer) => {
        if (answer.ok) return unknown('another amount is accepted');
        const price = `${priceIn(priced)}`;
        const isNamed = answer.problems.some(({ text }) =>
          text.replaceAll(',', '').includes(price),
        );
        return answer.holds(isNamed, `the amount ${price} in the message`, answer.shown);
      },
    ),
  },
  Limits: {
    'users-limit': refuses('A product covers at most max_beneficiaries besides the principal', [
      tooMany,
    ]),
  },
  'product-id-type': accepts('A product id may be a text of digits', [numbersAsText], {
    field: 'product_id',
  }),
  'policy-no': probe('A policy number has 10 digits', [verify], (answer) =>
    answer.formed(number, /^\d{10}$/, '10 digits'),
  ),
  recurring: probe(
    'A monthly subscription recurs, an annual one does not',
    [verify, second],
    (monthly, annual) =>
      all(monthly.shows({ recurring: true }), annual.shows({ recurring: false })),
  ),
  'subscriptions-no': probe(
    'subscriptions_no counts the periods paid',
    [verify, topUp],
    (bought, renewed) =>
      all(bought.shows({ subscriptions_no: 1 }), renewed.shows({ subscriptions_no: 2 })),
  ),
  commissions: probe('total_commission is the sum of both commissions', [list], readCommissions),
});
