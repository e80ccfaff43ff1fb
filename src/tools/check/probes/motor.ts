/* "Endpoints", comprehensive motor: quotes, purchases and look-ups. */

import { addMonths, addMonthsOverflowing, day, startOfDay } from '../../../world/time.ts';
import { type Answer, call, varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth } from '../calls/micro-health.ts';
import { motor, motorQuote, pendingDetails, VALUE } from '../calls/motor.ts';
import { withoutFields } from '../calls/refusals.ts';
import { momentOf } from '../calls/shared.ts';
import {
  AS_PUBLISHED,
  agreed,
  all,
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
import { accepts, refuses } from './variations.ts';

const { initiate, verify, initiateSecond, second, lookup, unknownPolicy } = motor;

/* Quotes. The rate is the provider's. */

/** A value whose premium has more than two decimals at most rates. */
const ODD = 1_000.2;
const odd = varied(motorQuote, '', { vehicle_value: ODD });
const premiumOf = (answer: Answer) => Number(answer.get('data.premium'));

const quotes: readonly Probe[] = [
  probe({
    id: 'motor-premium',
    about: 'motor-quote',
    title: 'A premium is a rate times the value of the vehicle, rounded to two decimals',
    needs: { motorQuote, odd },
    read({ motorQuote: answer, odd: rounded }) {
      const exact = (premiumOf(answer) / VALUE) * ODD;
      const seen = premiumOf(rounded);
      // Half a kobo, and what a floating point number loses.
      return Math.abs(seen - exact) <= 0.005_001
        ? AS_PUBLISHED
        : differs(Math.round(exact * 100) / 100, rounded.get('data.premium'), rounded);
    },
  }),
  probe({
    id: 'motor-amount-insured',
    about: 'motor-quote',
    title: 'amount_insured is the value of the vehicle',
    needs: { motorQuote },
    read: ({ motorQuote: answer }) =>
      same(VALUE, Number(answer.get('data.amount_insured')), answer),
  }),
  refuses(motorQuote, {
    id: 'motor-product',
    about: 'motor-product',
    title: 'A motor quote for a product of another family is refused',
    each: [(_, { products }) => ({ product_id: products[microHealth.key] })],
  }),
  refuses(groupLife.initiate, {
    id: 'group-life-product',
    about: 'motor-product',
    title: 'A group-life purchase of a product of another family is refused',
    each: [(_, { products }) => ({ product_id: products[motor.key] })],
  }),
  refuses(motorQuote, {
    id: 'motor-catalogue',
    about: 'catalogue',
    title: 'A motor quote for an unknown product is refused',
    each: [{ product_id: 987_654_321 }],
  }),
];

/* The fields of a purchase. */

const shows =
  (field: string, expected: unknown) =>
  (answer: Answer): ProbeReading =>
    same(expected, answer.get(`data.${field}`), answer);

const images = [
  varied(initiate, 'with an image that is no URL', { engine_img: 'no URL' }),
  varied(microHealth.initiate, 'with an id_url that is no URL', { id_url: 'no URL' }),
];

/** Numbers where text is shown, in one purchase. */
const numbers = varied(initiate, '', { vehicle_make: 206, vehicle_model: 5, year_make: 2015 });

const SAMPLE = {
  ...{
    address: '1 Street',
    relationship: 'self',
    variant_type: 'LE',
    amount_insured: 1,
    identity: 'nin',
  },
  ...{
    nok_surname: 'Obi',
    nok_othernames: 'Ada',
    nok_relationship: 'sister',
    nok_gender: 'female',
  },
  ...{ nok_phone_no: '09990000000', nok_email_address: 'no e-mail', id_url: 'no URL' },
  ...{ id_number: 'A1', id_type: 'passport' },
};

const fields: readonly Probe[] = [
  probe({
    id: 'motor-required',
    about: 'Endpoints',
    title: 'Every field of the motor table is required',
    needs: { initiate },
    calls: { empty: withoutFields(initiate) },
    read({ initiate: { sent }, empty }) {
      if (empty.ok || empty.status >= 500) return refused(empty);
      if (empty.problems.length < 2) return unknown('problems are told one at a time');
      const optional = Object.keys(sent).filter((field) => !empty.names(field));
      return optional.length === 0
        ? AS_PUBLISHED
        : differs(words('required'), words(`not required: ${optional.join(', ')}`), empty);
    },
  }),
  refuses(initiate, {
    id: 'motor-phone',
    about: 'Limits',
    title: 'The phone numbers of motor have 11 digits',
    each: [{ phone_number: '0999000000' }, { contact_person_phone_no: '099900000001' }],
  }),
  probe({
    id: 'motor-images',
    about: 'motor-images',
    title: 'Images are absolute http(s) URLs',
    some: images,
    read(_, some) {
      const [image, document] = images.map((each) =>
        some.find(({ call: asked }) => asked === each),
      );
      if (image?.ok) return { value: 'any', at: image };
      if (document?.ok) return differs(words('refused'), words('accepted as id_url'), document);
      const at = image ?? document;
      return at ? { value: 'url', at } : unknown('no answer shows it');
    },
  }),
  accepts(initiate, {
    id: 'motor-sample-fields',
    about: 'motor-sample-fields',
    title: 'The fields that only the sample request has are ignored',
    each: [SAMPLE],
  }),
  accepts(initiate, {
    id: 'motor-make-model',
    about: 'motor-make-model',
    title: 'Make and model may be numbers, shown as text',
    each: [numbers],
    field: 'vehicle_m',
    reads: (answer) =>
      all(shows('vehicle_make', '206')(answer), shows('vehicle_model', '5')(answer)),
  }),
  accepts(initiate, {
    id: 'motor-year-make',
    about: 'motor-year-make',
    title: 'A year may be a number, shown as text',
    each: [numbers],
    field: 'year_make',
    reads: shows('year_make', '2015'),
  }),
  refuses(initiate, {
    id: 'motor-year-make-limits',
    about: 'motor-year-make',
    title: 'A year lies between 1900 and the next one',
    each: ['1899', '2998'].map((year_make) => ({ year_make })),
  }),
  accepts(initiate, {
    id: 'motor-frequency',
    about: 'motor-frequency',
    title: 'annually is accepted and shown as yearly',
    each: [{ frequency_type: 'annually' }],
    reads: shows('frequency_type', 'yearly'),
  }),
  refuses(initiate, {
    id: 'motor-frequency-unknown',
    about: 'motor-frequency',
    title: 'Another frequency is refused in motor',
    each: [{ frequency_type: 'weekly' }],
  }),
  refuses(initiate, {
    id: 'motor-duration-whole',
    about: 'motor-duration',
    title: 'A duration is whole and above 0',
    each: [{ duration: 0 }, { duration: '1.5' }],
  }),
  accepts(initiate, {
    id: 'motor-gender',
    about: 'motor-gender',
    title: 'Gender may be in any case in motor',
    each: [{ gender: 'Female' }],
  }),
];

/* A policy. */

const endOfMonth = varied(initiate, 'from the last day of January', {
  ...{ start_date: '2028-01-31', frequency_type: 'monthly', duration: 1 },
});

const policies: readonly Probe[] = [
  probe({
    id: 'motor-initiate-token',
    about: 'motor-initiate-token',
    title: 'Initiate answers the policy with a token',
    needs: { initiate },
    read({ initiate: answer }) {
      const missing = ['token', 'registration_no'].filter(
        (name) => answer.get(`data.${name}`) === undefined,
      );
      return missing.length === 0
        ? AS_PUBLISHED
        : differs(words('the policy and a token'), words(`no ${missing.join(', no ')}`), answer);
    },
  }),
  probe({
    id: 'motor-policy-number',
    about: 'motor-policy-number',
    title: 'A motor policy number is INS and 13 digits',
    needs: { verify },
    read: ({ verify: answer }) =>
      formed(/^INS\d{13}$/, 'INS and 13 digits', answer.get(motor.number), answer),
  }),
  probe({
    id: 'motor-policy-number-kept',
    about: 'motor-policy-number',
    title: 'A motor policy number is given at initiate and kept at verify',
    needs: { initiate, verify },
    read({ initiate: pending, verify: bought }) {
      const given = pending.get(motor.number);
      if (given === undefined) return differs(words('a policy number'), undefined, pending);
      return same(given, bought.get(motor.number), bought);
    },
  }),
  probe({
    id: 'motor-pending-details',
    about: 'motor-policy-number',
    title: 'A motor policy has no details before its verify',
    needs: { initiate },
    calls: { pendingDetails },
    read: (answers) => refused(answers.pendingDetails),
  }),
  probe({
    id: 'motor-slug',
    about: 'motor-slug',
    title: 'A slug is comprehensive-motor- and the policy number in lower case',
    needs: { verify },
    read: ({ verify: answer }) =>
      same(
        `comprehensive-motor-${String(answer.get(motor.number)).toLowerCase()}`,
        answer.get('data.slug'),
        answer,
      ),
  }),
  probe({
    id: 'motor-vehicle-value',
    about: 'motor-vehicle-value',
    title: 'vehicle_value is the sum insured',
    needs: { verify },
    read: ({ verify: answer }) => same(VALUE, Number(answer.get('data.vehicle_value')), answer),
  }),
  probe({
    id: 'motor-duration',
    about: 'motor-duration',
    title: 'A duration is shown as it was sent: a number, or a text',
    some: [initiate, verify, lookup, initiateSecond, second],
    read: (_, some) =>
      all(
        ...some
          .filter(({ ok }) => ok)
          .map((answer) => {
            const isSecond = [initiateSecond, second].includes(answer.call);
            return same(isSecond ? '6' : 1, answer.get('data.duration'), answer);
          }),
      ),
  }),
  probe({
    id: 'motor-dates',
    about: 'motor-dates',
    title: 'A motor cover ends its payment periods after the day on which it starts',
    some: [initiateSecond, second],
    read: (_, some) =>
      all(
        ...some
          .filter(({ ok }) => ok)
          .flatMap((answer) => [
            same('2027-03-10', String(answer.get('data.start_date')).slice(0, 10), answer),
            same('2027-09-10', String(answer.get('data.end_date')).slice(0, 10), answer),
          ]),
      ),
  }),
  probe({
    id: 'month-end',
    about: 'month-end',
    title: 'A cover that ends on a day that the month lacks ends on its last day',
    some: [endOfMonth, groupLife.second],
    read(_, some) {
      const readings = some
        .filter(({ ok }) => ok)
        .flatMap((answer) => {
          const [start, end] = ['start_date', 'end_date'].map((name) =>
            day(momentOf(answer.get(`data.${name}`)) || 0),
          ) as [string, string];
          const months = answer.call === endOfMonth ? 1 : 12;
          const from = startOfDay(start);
          const isLastDay = start.endsWith('-31') || start.endsWith('-02-29');
          const value =
            end === day(addMonths(from, months))
              ? 'clamp'
              : end === day(addMonthsOverflowing(from, months))
                ? 'overflow'
                : undefined;
          return isLastDay && value ? [[value, answer] as const] : [];
        });
      return readings[0] ? agreed(readings) : unknown('covers do not end by the calendar');
    },
  }),
];

/* Look-ups. */

const named = (field: string) =>
  call(lookup.operation.operationId, `by ${field}`, { needs: { verify, lookup } }, (needs) => ({
    [field]: needs.verify.get(motor.number),
  }));

const lookups: readonly Probe[] = [
  ...['policyNumber', 'policy_number'].map((field) =>
    probe({
      id: `motor-details-field.${field}`,
      about: 'motor-details-field',
      title: `Motor details take the policy number as ${field}, too`,
      needs: { lookup },
      calls: { request: named(field) },
      read: ({ lookup: usual, request }) =>
        request.ok
          ? same(usual.get(motor.number), request.get(motor.number), request)
          : differs(words('accepted'), words(request.shown), request),
    }),
  ),
  probe({
    id: 'motor-details-required',
    about: 'motor-details-field',
    title: 'Motor details without a policy number are refused, naming Policy_number',
    needs: { lookup },
    calls: { empty: withoutFields(lookup) },
    read: ({ empty }) =>
      all(
        refused(empty),
        empty.ok || empty.names('Policy_number')
          ? AS_PUBLISHED
          : differs(words('a message about Policy_number'), empty.message, empty),
      ),
  }),
  probe({
    id: 'motor-details-unknown',
    about: 'Endpoints',
    title: 'Details of an unknown motor policy are refused',
    needs: { lookup },
    calls: { unknownPolicy },
    read: (answers) => refused(answers.unknownPolicy),
  }),
];

export const motorProbes: readonly Probe[] = [...quotes, ...fields, ...policies, ...lookups];
