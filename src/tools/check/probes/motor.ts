/* "Endpoints", comprehensive motor: quotes, and the fields of purchases and policies. */

import { varied } from '../call.ts';
import { microHealth } from '../calls/micro-health.ts';
import { anyForm, motor, motorQuote, pendingDetails, VALUE } from '../calls/motor.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { AS_PUBLISHED } from '../reading.ts';
import { accepts, refuses, requires, wrong } from '../statements.ts';

const { initiate, verify, initiateSecond, second, lookup, number } = motor;

/** A value whose premium has more than two decimals at most rates. */
const ODD = 1_000.2;
const odd = varied(motorQuote, '', { vehicle_value: ODD });
/** Half a kobo, and what a floating point number loses. */
const ROUNDING = 0.005_001;

const image = varied(initiate, 'with an image that is no URL', { engine_img: 'no URL' });
const document = varied(microHealth.initiate, 'with an id_url that is no URL', {
  id_url: 'no URL',
});

const SAMPLE = {
  ...{ address: '1 Street', relationship: 'self', variant_type: 'LE', amount_insured: 1 },
  ...{ identity: 'nin', nok_surname: 'Obi', nok_othernames: 'Ada', nok_relationship: 'sister' },
  ...{ nok_gender: 'female', nok_phone_no: '09990000000', nok_email_address: 'no e-mail' },
  ...{ id_url: 'no URL', id_number: 'A1', id_type: 'passport' },
};

export const motorProbes = probesAbout({
  'motor-quote': {
    'motor-premium': probe(
      'A premium is a rate times the value of the vehicle, rounded to two decimals',
      [motorQuote, odd],
      (answer, rounded) => {
        const [premium, seen] = [answer, rounded].map((each) => Number(each.get('data.premium')));
        const exact = ((premium as number) / VALUE) * ODD;
        return Math.abs((seen as number) - exact) <= ROUNDING
          ? AS_PUBLISHED
          : rounded.differs(Math.round(exact * 100) / 100, rounded.get('data.premium'));
      },
    ),
    'motor-amount-insured': probe(
      'amount_insured is the value of the vehicle',
      [motorQuote],
      (answer) => answer.shows({ amount_insured: VALUE }),
    ),
  },
  Endpoints: {
    'motor-required': requires('Every field of the motor table is required', [initiate]),
  },
  Limits: {
    'motor-phone': refuses(
      'The phone numbers of motor have 11 digits',
      wrong(initiate, { phone_number: '0999000000' }, { contact_person_phone_no: '099900000001' }),
    ),
  },
  'motor-images': probe(
    'Images are absolute http(s) URLs',
    { calls: [image], some: [document] },
    (ofImage, ofDocument) => {
      if (ofImage.ok) return ofImage.decided('any');
      return ofDocument?.ok
        ? ofDocument.otherwise('refused', 'accepted as id_url')
        : ofImage.decided('url');
    },
  ),
  'motor-sample-fields': accepts('The fields that only the sample request has are ignored', [
    varied(initiate, '', SAMPLE),
  ]),
  'motor-make-model': accepts('Make and model may be numbers, shown as text', [anyForm], {
    field: 'vehicle_m',
    reads: (answer) => answer.shows({ vehicle_make: '206', vehicle_model: '5' }),
  }),
  'motor-year-make': {
    'motor-year-make': accepts('A year may be a number, shown as text', [anyForm], {
      field: 'year_make',
      reads: (answer) => answer.shows({ year_make: '2015' }),
    }),
    'motor-year-make-limits': refuses(
      'A year lies between 1900 and the next one',
      wrong(initiate, { year_make: '1899' }, { year_make: '2998' }),
    ),
  },
  'motor-frequency': {
    'motor-frequency': accepts(
      'annually is accepted and shown as yearly',
      [varied(initiate, '', { frequency_type: 'annually' })],
      { reads: (answer) => answer.shows({ frequency_type: 'yearly' }) },
    ),
    'motor-frequency-unknown': refuses(
      'Another frequency is refused in motor',
      wrong(initiate, { frequency_type: 'weekly' }),
    ),
  },
  'motor-gender': accepts('Gender may be in any case in motor', [anyForm], { field: 'gender' }),
  'motor-policy-number': {
    'motor-policy-number': probe('A motor policy number is INS and 13 digits', [verify], (answer) =>
      answer.formed(number, /^INS\d{13}$/, 'INS and 13 digits'),
    ),
    'motor-policy-number-kept': probe(
      'A motor policy number is given at initiate and kept at verify',
      [initiate, verify],
      (pending, bought) => {
        const given = pending.get(number);
        return given === undefined
          ? pending.otherwise('a policy number', 'nothing')
          : bought.same(given, bought.get(number));
      },
    ),
    'motor-pending-details': refuses('A motor policy has no details before its verify', [
      pendingDetails,
    ]),
  },
  'motor-slug': probe(
    'A slug is comprehensive-motor- and the policy number in lower case',
    [verify],
    (answer) => {
      const slug = `comprehensive-motor-${String(answer.get(number)).toLowerCase()}`;
      return answer.shows({ slug });
    },
  ),
  'motor-vehicle-value': probe('vehicle_value is the sum insured', [verify], (answer) =>
    answer.shows({ vehicle_value: VALUE }),
  ),
  'motor-duration': {
    'motor-duration-whole': refuses(
      'A duration is whole and above 0',
      wrong(initiate, { duration: 0 }, { duration: '1.5' }),
    ),
    'motor-duration': ofEach(
      'A duration is shown as it was sent: a number, or a text',
      [
        ...[initiate, verify, lookup].map((call) => ({ call, sent: 1 })),
        ...[initiateSecond, second].map((call) => ({ call, sent: '6' })),
      ],
      ({ call, sent }) => [[call], (answer) => answer.same(sent, answer.get('data.duration'))],
    ),
  },
});
