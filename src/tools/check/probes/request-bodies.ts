/* "Endpoints": request bodies are JSON. Which bodies, texts, numbers and dates every call takes. */

import { varied } from '../call.ts';
import { groupLife } from '../calls/group-life.ts';
import { microHealth, quote } from '../calls/micro-health.ts';
import { motor } from '../calls/motor.ts';
import { largeBody } from '../calls/refusals.ts';
import { accepted, type Probe, probe, refused, same } from '../probe.ts';
import { accepts, refuses } from './variations.ts';

const { initiate } = microHealth;
const encoder = new TextEncoder();

/** A body around the JSON of a quote. */
const raw = (what: string, body: string | Uint8Array<ArrayBuffer>) =>
  varied(quote, what, {}, { raw: body, refusal: 'malformed' });

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const bodies: readonly Probe[] = [
  probe({
    id: 'empty-body',
    about: 'request-body',
    title: 'An empty body is refused',
    calls: { body: raw('with an empty body', '') },
    read: (answers) => refused(answers.body),
  }),
  probe({
    id: 'body-is-an-object',
    about: 'request-body',
    title: 'JSON that is no object is refused',
    calls: {
      body: varied(quote, 'with a list as its body', {}, { raw: '[]', refusal: 'invalid' }),
    },
    read: (answers) => refused(answers.body),
  }),
  probe({
    id: 'charset',
    about: 'http-status',
    title: 'Content-Type may have a charset',
    calls: {
      typed: varied(
        quote,
        'with a charset',
        {},
        { contentType: 'application/json; charset=utf-8' },
      ),
    },
    read: (answers) => accepted(answers.typed),
  }),
  probe({
    id: 'body-size',
    about: 'http-status',
    title: 'A body above 1 MiB is refused',
    calls: { largeBody },
    read: (answers) => refused(answers.largeBody),
  }),
  probe({
    id: 'invalid-utf-8',
    about: 'encoding',
    title: 'Invalid UTF-8 is refused',
    calls: {
      body: raw(
        'with invalid UTF-8',
        new Uint8Array([...encoder.encode('{"a":"'), 0xff, ...encoder.encode('"}')]),
      ),
    },
    read: (answers) => refused(answers.body),
  }),
  probe({
    id: 'nesting',
    about: 'encoding',
    title: 'A body nested deeper than 100 levels is refused',
    calls: { body: raw('nested 101 levels deep', `{"a":${nested(100)}}`) },
    read: (answers) => refused(answers.body),
  }),
  probe({
    id: 'byte-order-mark',
    about: 'encoding',
    title: 'A byte order mark is accepted',
    calls: { marked: varied(quote, 'with a byte order mark', {}, { prefix: '\ufeff' }) },
    read: (answers) => accepted(answers.marked),
  }),
];

/** Forms that several assumptions allow, in one purchase of motor. */
const loose = varied(motor.initiate, '', {
  ...{ sum_insured: '5000000.000', tracker_value: 0 },
  ...{ contact_person_phone_no: 99_900_000_000, phone_number: 99_900_000_000 },
  contact_person_address: 'Sandbox Check,\n\tno street',
});
/** Numbers as texts, in one quote. */
export const numbersAsText = varied(quote, '', (_, { products }) => ({
  no_of_users: '2',
  product_id: String(products[microHealth.key]),
}));
/** Loose forms in one purchase of micro-health. */
export const anyForm = varied(initiate, '', { profile_url: 'no URL', nin_number: 99_999_999_999 });

const fields: readonly Probe[] = [
  accepts(quote, {
    id: 'unknown-fields',
    about: 'unknown-fields',
    title: 'Fields that the specification does not name are ignored',
    each: [{ sandbox_check: 'any', nested: { deep: [1] } }],
  }),
  refuses(initiate, {
    id: 'control-characters',
    about: 'encoding',
    title: 'A text with control characters or half a character is refused',
    each: [{ first_name: 'Con\u0007tract' }, { surname: 'Sandbox \ud800 Check' }],
  }),
  refuses(initiate, {
    id: 'text-type',
    about: 'text-and-numbers',
    title: 'A number is no text',
    each: [{ first_name: 42 }],
  }),
  refuses(initiate, {
    id: 'blank-text',
    about: 'text-and-numbers',
    title: 'A text of white space counts as missing',
    each: [{ first_name: ' \t' }],
  }),
  refuses(initiate, {
    id: 'phone-as-number',
    about: 'text-and-numbers',
    title: 'A phone number is a text, because a number has lost its leading zero',
    each: [{ phone_no: 99_900_000_000 }],
  }),
  accepts(quote, {
    id: 'number-as-text',
    about: 'text-and-numbers',
    title: 'A number may be a text of digits',
    each: [numbersAsText],
    field: 'no_of_users',
  }),
  accepts(motor.initiate, {
    id: 'money-as-text',
    about: 'text-and-numbers',
    title: 'An amount may be a text with a decimal point; its value counts',
    each: [loose],
    field: 'sum_insured',
    reads: (answer) => same(5_000_000, Number(answer.get('data.vehicle_value')), answer),
  }),
  accepts(motor.initiate, {
    id: 'motor-phone-as-number',
    about: 'text-and-numbers',
    title: 'The phone numbers of motor may be numbers of 11 digits, shown as text',
    each: [loose],
    field: 'contact_person_phone_no',
    reads: (answer) => same('99900000000', answer.get('data.contact_person_phone_no'), answer),
  }),
  accepts(motor.initiate, {
    id: 'address-lines',
    about: 'encoding',
    title: 'An address may have lines and tabs',
    each: [loose],
    field: 'contact_person_address',
  }),
  refuses(motor.initiate, {
    id: 'amount-limits',
    about: 'text-and-numbers',
    title: 'An amount is above 0, at most a trillion, and has at most two decimals',
    each: [0, 1_000_000_000_001, 0.001].map((sum_insured) => ({ sum_insured })),
  }),
  refuses(quote, {
    id: 'whole-numbers',
    about: 'text-and-numbers',
    title: 'A count is whole',
    each: [{ no_of_users: 1.5 }],
  }),
  refuses(initiate, {
    id: 'real-days',
    about: 'text-and-numbers',
    title: 'A date is a day of the calendar, and a date of birth is not after today',
    each: ['1990-02-30', '9998-01-01'].map((date_of_birth) => ({ date_of_birth })),
  }),
  refuses(initiate, {
    id: 'date-limits',
    about: 'date-limits',
    title: 'A day is not before 1900',
    each: [{ date_of_birth: '1899-12-31' }],
  }),
  refuses(motor.initiate, {
    id: 'cover-limits',
    about: 'date-limits',
    title: 'A cover does not end after the year 9999',
    each: [{ start_date: '9999-12-31' }],
  }),
  refuses(initiate, {
    id: 'email',
    about: 'email',
    title: 'An e-mail address is ASCII, and its domain has a dot and a top level of two letters',
    each: ['a@b.c', 'é@example.com'].map((email) => ({ email })),
  }),
  refuses(groupLife.initiate, {
    id: 'gender-words',
    about: 'text-and-numbers',
    title: 'Another gender than female and male is refused',
    each: [{ gender: 'F' }],
  }),
  accepts(groupLife.initiate, {
    id: 'gender-case',
    about: 'text-and-numbers',
    title: 'Gender is female or male in any case',
    each: [{ gender: 'FEMALE' }],
  }),
  accepts(initiate, {
    id: 'profile-url',
    about: 'text-and-numbers',
    title: 'profile_url is any text',
    each: [anyForm],
    field: 'profile_url',
  }),
];

export const requestBodies: readonly Probe[] = [...bodies, ...fields];
