/* "Endpoints": request bodies are JSON. Which bodies, texts, numbers and dates every call takes. */

import { varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { anyForm, microHealth, numbersAsText, quote } from '../calls/micro-health.ts';
import { anyForm as anyMotorForm, motor } from '../calls/motor.ts';
import { largeBody } from '../calls/refusals.ts';
import { probesAbout } from '../probe.ts';

import { accepts, refuses, wrong } from '../statements.ts';

const { initiate } = microHealth;

/** A quote with this body in place of its JSON. */
const raw = (what: string, body: string | Uint8Array<ArrayBuffer>) => [
  varied(quote, what, {}, { raw: body, refusal: 'malformed' }),
];
const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

export const requestBodies = probesAbout({
  'request-body': {
    'empty-body': refuses('An empty body is refused', raw('with an empty body', '')),
    'body-is-an-object': refuses('JSON that is no object is refused', [
      varied(quote, 'with a list as its body', {}, { raw: '[]', refusal: 'invalid' }),
    ]),
  },
  'http-status': {
    charset: accepts('Content-Type may have a charset', [
      varied(quote, 'with a charset', {}, { contentType: 'application/json; charset=utf-8' }),
    ]),
    'body-size': refuses('A body above 1 MiB is refused', [largeBody]),
  },
  encoding: {
    'invalid-utf-8': refuses(
      'Invalid UTF-8 is refused',
      raw('with invalid UTF-8', new Uint8Array([...bytes('{"a":"'), 0xff, ...bytes('"}')])),
    ),
    nesting: refuses(
      'A body nested deeper than 100 levels is refused',
      raw('nested 101 levels deep', `{"a":${nested(100)}}`),
    ),
    'byte-order-mark': accepts('A byte order mark is accepted', [
      varied(quote, 'with a byte order mark', {}, { prefix: '\ufeff' }),
    ]),
    'control-characters': refuses(
      'A text with control characters or half a character is refused',
      wrong(initiate, { first_name: 'Con\u0007tract' }, { surname: 'Sandbox \ud800 Check' }),
    ),
    'address-lines': accepts('An address may have lines and tabs', [anyMotorForm], {
      field: 'contact_person_address',
    }),
  },
  'unknown-fields': accepts('Fields that the specification does not name are ignored', [
    varied(quote, '', { sandbox_check: 'any', nested: { deep: [1] } }),
  ]),
  'text-and-numbers': {
    'text-type': refuses('A number is no text', wrong(initiate, { first_name: 42 })),
    'blank-text': refuses(
      'A text of white space counts as missing',
      wrong(initiate, { first_name: ' \t' }),
    ),
    'phone-as-number': refuses(
      'A phone number is a text, because a number has lost its leading zero',
      wrong(initiate, { phone_no: 99_900_000_000 }),
    ),
    'number-as-text': accepts('A number may be a text of digits', [numbersAsText], {
      field: 'no_of_users',
    }),
    'money-as-text': accepts(
      'An amount may be a text with a decimal point; its value counts',
      [anyMotorForm],
      {
        field: 'sum_insured',
        reads: (answer) => answer.shows({ vehicle_value: 5_000_000 }),
      },
    ),
    'motor-phone-as-number': accepts(
      'The phone numbers of motor may be numbers of 11 digits, shown as text',
      [anyMotorForm],
      {
        field: 'contact_person_phone_no',
        reads: (answer) => answer.shows({ contact_person_phone_no: '99900000000' }),
      },
    ),
    'amount-limits': refuses(
      'An amount is above 0, at most a trillion, and has at most two decimals',
      wrong(
        motor.initiate,
        ...[0, 1_000_000_000_001, 0.001].map((sum_insured) => ({ sum_insured })),
      ),
    ),
    'whole-numbers': refuses('A count is whole', wrong(quote, { no_of_users: 1.5 })),
    'real-days': refuses(
      'A date is a day of the calendar, and a date of birth is not after today',
      wrong(initiate, { date_of_birth: '1990-02-30' }, { date_of_birth: '9998-01-01' }),
    ),
    'gender-words': refuses(
      'Another gender than female and male is refused',
      wrong(groupLife.initiate, { gender: 'F' }),
    ),
    'gender-case': accepts('Gender is female or male in any case', [
      varied(groupLife.initiate, '', { gender: 'FEMALE' }),
    ]),
    'profile-url': accepts('profile_url is any text', [anyForm], { field: 'profile_url' }),
  },
  'date-limits': {
    'date-limits': refuses(
      'A day is not before 1900',
      wrong(initiate, { date_of_birth: '1899-12-31' }),
    ),
    'cover-limits': refuses(
      'A cover does not end after the year 9999',
      wrong(motor.initiate, { start_date: '9999-12-31' }),
    ),
  },
  email: refuses(
    'An e-mail address is ASCII, and its domain has a dot and a top level of two letters',
    wrong(initiate, { email: 'a@b.c' }, { email: 'é@example.com' }),
  ),
});
