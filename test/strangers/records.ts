/* The records of the specification as plain objects, for the strangers to change as they like. */
import {
  dayOf,
  type Fields,
  isBlank,
  isDay,
  type Merchant,
  MOTOR_FIELDS,
  pick,
  textOf,
} from './shared.ts';

/** How one stranger writes and counts. */
export interface Style {
  nextId: () => number;
  /** A timestamp. */
  time: (date: Date) => string;
  activeDate: (date: Date) => string;
  addMonths: (date: Date, months: number) => Date;
  healthNumber: () => string;
  motorNumber: () => string;
  groupNumber: () => string;
  names: Record<number, { name: string; max: number }>;
  priceOf: (product: number, users: number, months: number) => number;
}

export const MONTHS: Record<string, number> = {
  monthly: 1,
  quarterly: 3,
  annually: 12,
  yearly: 12,
};
export const monthsOf = (word: unknown) => MONTHS[textOf(word).toLowerCase()] ?? 1;
export const BENEFICIARIES = ['first', 'second', 'third'].map(
  (each) => `${each}_beneficiary_full_name`,
);
export const usersOf = (fields: Fields) =>
  1 + BENEFICIARIES.filter((name) => !isBlank(fields[name])).length;

export const productRecord = (style: Style, id: number, isGroup = false): Fields => ({
  id,
  name: style.names[id]?.name ?? 'Unknown',
  details: `<p>${style.names[id]?.name}: see "our" terms</p>`,
  beneficiaries: (style.names[id]?.max ?? 0) > 0,
  max_beneficiaries: style.names[id]?.max ?? 0,
  provider_id: 9,
  logo_url: null,
  enable: true,
  created_at: style.time(new Date('2024-11-02T08:15:30Z')),
  updated_at: style.time(new Date('2024-11-02T08:15:30Z')),
  ...(isGroup ? { service_id: 3, product_class_id: 2 } : {}),
});

export const transactionRecord = (
  style: Style,
  merchant: Merchant,
  subscription: Fields,
  amount: number,
  now: Date,
): Fields => ({
  id: style.nextId(),
  user_id: subscription.user_id,
  amount: amount.toFixed(2),
  product_id: subscription.product_id,
  status: 'successful',
  type: 'credit',
  subscriptions_id: subscription.id,
  merchant_user_id: merchant.id,
  created_at: style.time(now),
  updated_at: style.time(now),
  partner_commission: (amount * 0.05).toFixed(2),
  merchant_commission: (amount * 0.1).toFixed(2),
  total_commission: (amount * 0.15).toFixed(2),
});

/** A subscriber with subscription, beneficiaries and the first transaction. */
export function subscriberRecord(
  style: Style,
  merchant: Merchant,
  fields: Fields,
  now: Date,
): Fields {
  const at = style.time(now);
  const id = style.nextId();
  const policyNo = style.healthNumber();
  const months = monthsOf(fields.subscription_type);
  const product = Number(fields.product_id);
  const subscription: Fields = {
    id: style.nextId(),
    user_id: id,
    product_id: product,
    recurring: months < 12,
    subscriptions_type: months === 12 ? 'annually' : months === 3 ? 'quarterly' : 'monthly',
    subscriptions_no: 1,
    start_date: at,
    end_date: style.time(style.addMonths(now, months)),
    enable: 1,
    policy_no: policyNo,
    merchant_user_id: merchant.id,
    created_at: at,
    updated_at: at,
    active_date: style.activeDate(now),
  };
  const nulls = [
    'surname',
    'email',
    'phone_no',
    'address',
    'gender',
    'date_of_birth',
    'product_id',
  ];
  const beneficiary = BENEFICIARIES.filter((name) => !isBlank(fields[name])).map((name) => ({
    id: style.nextId(),
    full_name: fields[name],
    ...pick({}, nulls),
    user_id: id,
    created_at: at,
    updated_at: at,
  }));
  const amount = Number(fields.amount ?? style.priceOf(product, beneficiary.length + 1, months));
  return {
    id,
    ...pick(fields, ['first_name', 'middle_name', 'surname', 'phone_no', 'email', 'address']),
    gender: null,
    date_of_birth: style.time(new Date(textOf(fields.date_of_birth) || 0)),
    password: null,
    policy_no: policyNo,
    have_beneficiaries: beneficiary.length > 0,
    enable: true,
    next_of_kin_full_name: null,
    merchant_user_id: merchant.id,
    user_type: 'principal',
    created_at: at,
    updated_at: at,
    beneficiary,
    subscriptions: subscription,
    transactions: [transactionRecord(style, merchant, subscription, amount, now)],
  };
}

/** What a motor initiate answers. */
export function motorRecord(style: Style, merchant: Merchant, fields: Fields): Fields {
  const word = textOf(fields.frequency_type).toLowerCase();
  const day = isDay(fields.start_date) ? fields.start_date : '2026-01-01';
  const start = new Date(`${day}T00:00:00Z`);
  const number = style.motorNumber();
  const months = (MONTHS[word] ?? 12) * Number(fields.duration ?? 1);
  return {
    slug: `comprehensive-${number.toLowerCase()}`,
    product_id: Number(fields.product_id),
    merchant_user_id: merchant.id,
    frequency_type: word === 'annually' ? 'yearly' : word,
    vehicle_value: Number(fields.sum_insured),
    insurance_cover: fields.insurance_cover,
    duration: Number(fields.duration),
    vehicle_type: fields.vehicle_type,
    start_date: dayOf(start),
    end_date: dayOf(style.addMonths(start, months || 12)),
    ...pick(fields, MOTOR_FIELDS),
    vehicle_make: textOf(fields.vehicle_make),
    vehicle_model: textOf(fields.vehicle_model),
    year_make: textOf(fields.year_make),
    policy_number: number,
    contact_person_phone_no: textOf(fields.contact_person_phone_no),
    inspection_date: fields.inspection_date,
  };
}

/** What a motor verify answers, from what its initiate did. */
export function verifiedMotor(style: Style, merchant: Merchant, policy: Fields, now: Date): Fields {
  const { merchant_user_id: _id, ...rest } = policy;
  const midnight = (value: unknown) => style.time(new Date(`${value}T00:00:00Z`));
  return {
    id: style.nextId(),
    user_id: style.nextId(),
    ...rest,
    merchant_id: merchant.id,
    start_date: midnight(policy.start_date),
    end_date: midnight(policy.end_date),
    status: true,
    created_at: style.time(now),
    updated_at: style.time(now),
  };
}

const LISTED = ['slug', 'frequency_type', 'duration', 'vehicle_type', 'start_date', 'end_date'];
export const listedMotor = (policy: Fields): Fields => ({
  ...pick(policy, [...LISTED, 'vehicle_value', 'insurance_cover', 'policy_number']),
  status: 'activated',
});

const GROUP_NULLS = [
  ...['middle_name', 'address', 'next_of_kin_full_name', 'principal_policy_no', 'nin_number'],
  ...['id_url', 'profile_url', 'company_id', 'town', 'state_of_residence', 'transaction_pin'],
  'occupation',
];

/** A group life policy with user, product and members. */
export function groupRecord(style: Style, merchant: Merchant, fields: Fields, now: Date): Fields {
  const at = style.time(now);
  const id = style.nextId();
  const userId = style.nextId();
  const day = isDay(fields.start_date) ? fields.start_date : dayOf(now);
  const start = new Date(`${day}T00:00:00Z`);
  const members = typeof fields.members === 'string' ? JSON.parse(fields.members) : fields.members;
  return {
    id,
    user_id: userId,
    product_id: Number(fields.product_id),
    merchant_id: merchant.id,
    policy_number: style.groupNumber(),
    ...pick(fields, ['group_name', 'group_type', 'group_contact_address', 'first_person_name']),
    ...pick(fields, ['first_person_phone', 'second_person_name', 'second_person_phone']),
    start_date: style.time(start),
    end_date: style.time(style.addMonths(start, 12)),
    status: true,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    user: {
      id: userId,
      ...pick(fields, ['first_name', 'surname', 'phone_no', 'email', 'gender']),
      ...pick({}, GROUP_NULLS),
      date_of_birth: style.time(new Date(textOf(fields.dob ?? fields.date_of_birth) || 0)),
      password: null,
      policy_no: style.healthNumber(),
      have_beneficiaries: false,
      enable: true,
      merchant_user_id: merchant.id,
      user_type: 'principal',
      verify_phone: 0,
      verify_email: 0,
      created_at: at,
      updated_at: at,
    },
    product: productRecord(style, Number(fields.product_id), true),
    group_life_members: (Array.isArray(members) ? (members as Fields[]) : []).map((member) => ({
      id: style.nextId(),
      policy_id: id,
      ...pick(member, ['full_name', 'gender', 'occupation', 'next_of_kiln', 'phone_number']),
      date_of_birth: style.time(new Date(textOf(member.date_of_birth) || 0)),
      policy_type: 'group-life',
      deleted_at: null,
      created_at: at,
      updated_at: at,
    })),
  };
}

const SHORT_USER = [
  ...['id', 'first_name', 'middle_name', 'surname', 'phone_no', 'email', 'address', 'gender'],
  ...['created_at', 'updated_at'],
];
export const listedGroup = (group: Fields): Fields => ({
  ...group,
  user: pick(group.user as Fields, SHORT_USER),
});

/** A page of a list, with every field that the specification names. */
export function pageRecord(
  items: Fields[],
  page: number,
  per: number,
  path: string,
  url: (page: number) => string,
): Fields {
  const last = Math.max(1, Math.ceil(items.length / per));
  const data = items.slice((page - 1) * per, page * per);
  return {
    current_page: page,
    data,
    first_page_url: url(1),
    from: data.length === 0 ? null : (page - 1) * per + 1,
    last_page: last,
    last_page_url: url(last),
    next_page_url: page < last ? url(page + 1) : null,
    path,
    per_page: per,
    prev_page_url: page > 1 ? url(page - 1) : null,
    to: data.length === 0 ? null : (page - 1) * per + data.length,
    total: items.length,
  };
}
