/* Rules of validation for the fields that the specification names, for the strangers to choose from. */
import { BENEFICIARIES } from './records.ts';
import { type Fields, isBlank, isDay, MOTOR_FIELDS, textOf } from './shared.ts';

/** Answers what is wrong with a value, without its subject: `must be a string.` */
export type Rule = (value: unknown) => string | undefined;
export const all =
  (...rules: Rule[]): Rule =>
  (value) =>
    rules.map((rule) => rule(value)).find((message) => message !== undefined);
export const need: Rule = (value) => (isBlank(value) ? 'is required.' : undefined);
export const required = (...rules: Rule[]): Rule => all(need, ...rules);
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    isBlank(value) ? undefined : rule(value);
export const pattern =
  (expression: RegExp, message: string): Rule =>
  (value) =>
    expression.test(textOf(value).trim()) ? undefined : message;
export const text: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a string.');
export const day: Rule = (value) => (isDay(value) ? undefined : 'must be a date, Y-m-d.');
export const birth: Rule = all(day, (value) =>
  new Date(String(value)).getTime() > Date.now() ? 'must not be after today.' : undefined,
);
export const email = pattern(/^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$/, 'must be a valid email address.');
export const above: Rule = (value) => (Number(value) > 0 ? undefined : 'must be above 0.');
export const notNegative: Rule = (value) =>
  Number(value) >= 0 ? undefined : 'must not be negative.';
export const whole = pattern(/^[1-9]\d*$/, 'must be a whole number.');
export const eleven = pattern(/^\d{11}$/, 'must be 11 digits.');
export const gender = pattern(/^(fe)?male$/i, 'must be female or male.');
export const link = pattern(/^https?:\/\/\S+$/, 'must be a URL.');
export const oneOf =
  (...values: unknown[]): Rule =>
  (value) =>
    values.map(String).includes(textOf(value)) ? undefined : 'is not known.';

/** Rules of every field, for the forms that the specification has. */
export const formRules = (own: {
  phone: Rule;
  frequency: Rule;
  image: Rule;
  nin: Rule;
  idUrl: Rule;
  health: Rule;
  motor: Rule;
  group: Rule;
}) => ({
  quote: {
    no_of_users: required(whole),
    subscription_type: required(own.frequency),
    product_id: required(own.health),
  },
  initiate: {
    first_name: required(text),
    surname: required(text),
    email: required(email),
    phone_no: required(own.phone),
    date_of_birth: required(birth),
    product_id: required(own.health),
    subscription_type: required(own.frequency),
    amount: required(above),
    nin_number: own.nin,
    ...Object.fromEntries(BENEFICIARIES.map((name) => [name, optional(text)])),
    id_url: own.idUrl,
    profile_url: optional(text),
  },
  topUp: {
    subscription_type: required(own.frequency),
    amount: required(above),
    policy_no: required(text),
  },
  motor: {
    ...Object.fromEntries(['first_name', 'last_name'].map((name) => [name, required(text)])),
    phone_number: required(eleven),
    email: required(email),
    gender: required(gender),
    product_id: required(own.motor),
    ...Object.fromEntries(
      MOTOR_FIELDS.map((name) => [name, required(name.endsWith('_img') ? own.image : need)]),
    ),
    frequency_type: required(own.frequency),
    sum_insured: required(above),
    insurance_cover: required(text),
    tracker_value: required(notNegative),
    diagnostic_cost: required(notNegative),
    duration: required(whole),
    vehicle_type: required(text),
    start_date: required(day),
    year_make: required(pattern(/^(19|20)\d\d$/, 'must be a year.')),
    contact_person_phone_no: required(eleven),
    inspection_date: required(day),
  },
  motorQuote: { product_id: required(own.motor), vehicle_value: required(above) },
  group: {
    email: required(email),
    ...Object.fromEntries(['first_name', 'surname'].map((name) => [name, required(text)])),
    phone_no: required(own.phone),
    gender: required(gender),
    dob: required(birth),
    product_id: required(own.group),
    ...Object.fromEntries(
      ['group_name', 'group_type', 'group_contact_address', 'first_person_name'].map((name) => [
        name,
        required(text),
      ]),
    ),
    first_person_phone: required(own.phone),
    second_person_name: required(text),
    second_person_phone: optional(own.phone),
    start_date: optional(day),
    members: need,
  },
  member: {
    full_name: required(text),
    gender: required(gender),
    occupation: required(text),
    date_of_birth: required(birth),
    next_of_kiln: required(text),
    phone_number: required(text),
  },
});

/** What is wrong with each field, in the order of the rules. */
export function problemsOf(fields: Fields, rules: Record<string, Rule>, prefix = '') {
  const problems: [field: string, message: string][] = [];
  for (const [name, rule] of Object.entries(rules)) {
    const message = rule(fields[name]);
    if (message !== undefined) problems.push([prefix + name, message]);
  }
  return problems;
}

export function memberProblems(fields: Fields, rules: Record<string, Rule>) {
  const { members } = fields;
  if (isBlank(members)) return [];
  if (!Array.isArray(members) || members.length === 0)
    return [['members', 'must be an array.'] as [string, string]];
  return members.flatMap((member, index) => {
    const isObject = typeof member === 'object' && member !== null;
    return problemsOf(isObject ? (member as Fields) : {}, rules, `members.${index}.`);
  });
}
