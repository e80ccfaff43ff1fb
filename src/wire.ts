/*
 * Written by `npm run docs` from the published document, openapi/merchant-api.json. To change something here,
 * change the schemas of the routes.
 *
 * What the merchant API takes and answers unless a profile says otherwise. An id behind "Assumptions" names a
 * decision of docs/decisions.md that a field rests on.
 */

/** A refusal by a call whose success has a text as its code. Assumptions: error-envelope. */
export interface CodedFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  response_message: string;
  /** The HTTP status, as a text. Example: `'400'`. Assumptions: error-code-type. */
  response_code: string;
  /** What was wrong. */
  data: FailureData;
}

/** What was wrong. Assumptions: error-envelope. */
export interface FailureData {
  /** One sentence per problem. Assumptions: error-envelope. */
  error: string[];
}

/** The policy to look up. Assumptions: group-life-details-field. */
export interface GroupLifeDetailsRequest {
  /**
   * The policy number; Policy_number and policyNumber are accepted too. Must not be blank. Example:
   * `'IN40173958'`. Assumptions: group-life-details-field.
   */
  policy_number: string;
}

/** A success of `getGroupLifePolicyDetails`. */
export interface GroupLifeDetailsResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** A group-life policy with its purchaser, its product and its members. */
  data: GroupLifePolicy;
}

/** A policy for a group of people. Assumptions: group-life-initiate-body. */
export interface GroupLifeInitiateRequest {
  /**
   * E-mail address of the purchaser. Must be ASCII, with a domain such as example.com. Example:
   * `'ada@example.com'`. Assumptions: email.
   */
  email: string;
  /**
   * First name of the purchaser. Must not be blank or contain control characters. Example: `'Ada'`.
   * Assumptions: encoding, text-and-numbers.
   */
  first_name: string;
  /**
   * Surname of the purchaser. Must not be blank or contain control characters. Example: `'Obi'`.
   * Assumptions: encoding, text-and-numbers.
   */
  surname: string;
  /** 11 digits. Example: `'08031234567'`. Assumptions: phone-digits. */
  phone_no: string;
  /** female or male. Assumptions: text-and-numbers. */
  gender: string;
  /**
   * Date of birth of the purchaser, Y-m-d, not after today. Must be 1900-01-01 or later. Example:
   * `'1990-04-12'`. Assumptions: text-and-numbers, date-limits, time-zone.
   */
  dob: string;
  /** A group-life product. Example: `2`. Assumptions: product-id-type, catalogue. */
  product_id: number | string;
  /**
   * Name of the group. Must not be blank or contain control characters. Example: `'Balogun
   * Traders'`. Assumptions: encoding, text-and-numbers.
   */
  group_name: string;
  /**
   * Kind of group. Must not be blank or contain control characters. Example: `'Trade association'`.
   * Assumptions: encoding, text-and-numbers.
   */
  group_type: string;
  /**
   * Address of the group. Must not be blank or contain control characters other than line breaks
   * and tabs. Example: `'14 Balogun Street, Lagos'`. Assumptions: encoding, text-and-numbers.
   */
  group_contact_address: string;
  /**
   * First person to ask for in the group. Must not be blank or contain control characters. Example:
   * `'Ada Obi'`. Assumptions: encoding, text-and-numbers.
   */
  first_person_name: string;
  /** 11 digits. Example: `'08031234567'`. Assumptions: phone-digits. */
  first_person_phone: string;
  /**
   * Second person to ask for in the group. Must not be blank or contain control characters.
   * Example: `'Tunde Bello'`. Assumptions: encoding, text-and-numbers.
   */
  second_person_name: string;
  /**
   * The people to insure: an array of 1 to 5000, or a JSON text of one. Assumptions:
   * group-life-members.
   */
  members: GroupLifeMemberRequest[] | string;
  /** 11 digits. Example: `'08059876543'`. Assumptions: phone-digits. */
  second_person_phone?: string | null | undefined;
  /** Accepted and ignored. Assumptions: group-life-initiate-body. */
  status?: unknown;
  /**
   * First day of cover, Y-m-d; the day of verify in UTC unless given. Must be 1900-01-01 or later.
   * Example: `'2026-02-01'`. Assumptions: text-and-numbers, group-life-initiate-body,
   * group-life-dates, date-limits, time-zone.
   */
  start_date?: string | null | undefined;
}

/** A success of `initiateGroupLifePolicy`. */
export interface GroupLifeInitiateResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** The token of a pending purchase. */
  data: GroupLifePurchaseToken;
}

/**
 * A group-life policy of the list: its purchaser has fewer fields than in details. Assumptions:
 * group-life-items.
 */
export interface GroupLifeListedPolicy {
  /** Its id. */
  id: number;
  /** The purchaser. */
  user_id: number;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** The merchant. */
  merchant_id: number;
  /** IN and 8 digits. Example: `'IN40173958'`. Assumptions: group-life-policy-number. */
  policy_number: string;
  /** Name of the group. */
  group_name: string;
  /** Kind of group. */
  group_type: string;
  /** Address of the group. */
  group_contact_address: string;
  /** First person to ask for in the group. */
  first_person_name: string;
  /** Phone number of the first, 11 digits. */
  first_person_phone: string;
  /** Second person to ask for in the group. */
  second_person_name: string;
  /** Phone number of the second, 11 digits; null where none was named. */
  second_person_phone: string | null;
  /**
   * Midnight UTC of the first day of cover. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * group-life-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * One year after start_date. As `2026-01-31T10:00:57.000000Z`. Assumptions: group-life-dates,
   * timestamp-precision, time-zone.
   */
  end_date: string | null;
  /** True: no other is named. */
  status: boolean;
  /**
   * Null for everybody who buys: no request sets it. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** The purchaser of a policy of the list: fewer fields than details answers. */
  user: GroupLifeListedUser;
  /** A product as group life answers it, with its service and class. */
  product: GroupLifeProduct;
  /** The insured members. */
  group_life_members: GroupLifeMember[];
}

/** The purchaser of a policy of the list: fewer fields than details answers. */
export interface GroupLifeListedUser {
  /** Its id. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  address: string | null;
  /** As the request named it; null where it names none. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
}

/** A success of `listGroupLifePolicies`. */
export interface GroupLifeListResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** One page of group-life policies. */
  data: GroupLifePolicyPage;
}

/** A person whose life a policy insures. */
export interface GroupLifeMember {
  /** Its id. */
  id: number;
  /** The policy. */
  policy_id: number;
  /** Full name. */
  full_name: string;
  /** As the request named it. */
  gender: string;
  /** Occupation. */
  occupation: string;
  /**
   * Midnight UTC of the day of birth. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** The next of kin; spelt so. */
  next_of_kiln: string;
  /** Phone number, 11 digits. */
  phone_number: string;
  /** group-life: no other is named. */
  policy_type: string;
  /**
   * Null for everybody who buys: no request sets it. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
}

/** A person to insure. Assumptions: group-life-members. */
export interface GroupLifeMemberRequest {
  /**
   * Full name of the member. Must not be blank or contain control characters. Example: `'Bola
   * Ade'`. Assumptions: encoding, text-and-numbers.
   */
  full_name: string;
  /** female or male. Assumptions: text-and-numbers. */
  gender: string;
  /**
   * What the member works as. Must not be blank or contain control characters. Example: `'Tailor'`.
   * Assumptions: encoding, text-and-numbers.
   */
  occupation: string;
  /**
   * Y-m-d, not after today. Must be 1900-01-01 or later. Example: `'1992-08-03'`. Assumptions:
   * text-and-numbers, date-limits, time-zone.
   */
  date_of_birth: string;
  /**
   * Full name of the next of kin. Required, unless next_of_kin is sent. Must not be blank or
   * contain control characters. Example: `'Sade Ade'`. Assumptions: encoding, text-and-numbers.
   */
  next_of_kiln?: string | undefined;
  /**
   * Taken for next_of_kiln where that is not sent. Must not be blank or contain control characters.
   * Example: `'Sade Ade'`. Assumptions: encoding, text-and-numbers.
   */
  next_of_kin?: string | undefined;
  /** 11 digits. Example: `'08067654321'`. Assumptions: phone-digits. */
  phone_number: string;
}

/** A group-life policy with its purchaser, its product and its members. */
export interface GroupLifePolicy {
  /** Its id. */
  id: number;
  /** The purchaser. */
  user_id: number;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** The merchant. */
  merchant_id: number;
  /** IN and 8 digits. Example: `'IN40173958'`. Assumptions: group-life-policy-number. */
  policy_number: string;
  /** Name of the group. */
  group_name: string;
  /** Kind of group. */
  group_type: string;
  /** Address of the group. */
  group_contact_address: string;
  /** First person to ask for in the group. */
  first_person_name: string;
  /** Phone number of the first, 11 digits. */
  first_person_phone: string;
  /** Second person to ask for in the group. */
  second_person_name: string;
  /** Phone number of the second, 11 digits; null where none was named. */
  second_person_phone: string | null;
  /**
   * Midnight UTC of the first day of cover. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * group-life-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * One year after start_date. As `2026-01-31T10:00:57.000000Z`. Assumptions: group-life-dates,
   * timestamp-precision, time-zone.
   */
  end_date: string | null;
  /** True: no other is named. */
  status: boolean;
  /**
   * Null for everybody who buys: no request sets it. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** The purchaser of a group-life policy. */
  user: GroupLifeUser;
  /** A product as group life answers it, with its service and class. */
  product: GroupLifeProduct;
  /** The insured members. */
  group_life_members: GroupLifeMember[];
}

/** One page of group-life policies. */
export interface GroupLifePolicyPage {
  /** The page asked for. Assumptions: page-out-of-range. */
  current_page: number;
  /** The elements on the page, oldest first. Assumptions: list-order. */
  data: GroupLifeListedPolicy[];
  /** Address of the first page; it keeps per_page and selection. Assumptions: page-urls. */
  first_page_url: string;
  /** Address of the last page; it keeps per_page and selection. Assumptions: page-urls. */
  last_page_url: string;
  /**
   * Address of the next page, null on the last; it keeps per_page and selection. Assumptions:
   * page-urls.
   */
  next_page_url: string | null;
  /**
   * Address of the page before, null on the first; it keeps per_page and selection. Assumptions:
   * page-urls.
   */
  prev_page_url: string | null;
  /** Address of the list itself, without a query. */
  path: string;
  /**
   * Place in the whole list of the first element on the page; null on an empty one. Assumptions:
   * page-out-of-range.
   */
  from: number | null;
  /**
   * Place in the whole list of the last element on the page; null on an empty one. Assumptions:
   * page-out-of-range.
   */
  to: number | null;
  /** How many pages there are; 1 for an empty list. Assumptions: page-out-of-range. */
  last_page: number;
  /** How many elements there are on all pages. */
  total: number;
  /** How many elements a page holds at most. Assumptions: list-selection. */
  per_page: number;
}

/** A product as group life answers it, with its service and class. */
export interface GroupLifeProduct {
  /** The product. Example: `1`. */
  id: number;
  /** Its name. */
  name: string;
  /** What it covers; may contain HTML. */
  details: string;
  /** Whether it covers beneficiaries. Assumptions: users-count. */
  beneficiaries: boolean;
  /** How many beneficiaries a purchase may name. Assumptions: users-count. */
  max_beneficiaries: number;
  /** Who provides it. */
  provider_id: number;
  /** URL of its logo, if it has one. */
  logo_url: string | null;
  /** Whether it can be bought. Assumptions: catalogue. */
  enable: boolean;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** The service it belongs to. */
  service_id: number;
  /** The class of products it belongs to. */
  product_class_id: number;
}

/** The token of a pending purchase. */
export interface GroupLifePurchaseToken {
  /**
   * Completes the purchase within 15 minutes; at 15:00.000 it has expired. Example:
   * `'GLP176985360040173958'`. Assumptions: token-format, token-boundary.
   */
  token: string;
}

/** The purchaser of a group-life policy. */
export interface GroupLifeUser {
  /** Its id. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  address: string | null;
  /** As the request named it; null where it names none. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * Midnight UTC of the day of birth. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** Always null. */
  password: null;
  /**
   * A number of its own, 10 digits; the policy has its policy_number. Example: `'4076182953'`.
   * Assumptions: group-life-user.
   */
  policy_no: string;
  /** Whether the purchase named any. */
  have_beneficiaries: boolean;
  /** True for everybody who buys. */
  enable: boolean;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  next_of_kin_full_name: string | null;
  /** The merchant. */
  merchant_user_id: number | null;
  /** principal for everybody who buys. Assumptions: subscriber-defaults. */
  user_type: string;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  principal_policy_no: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  nin_number: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  id_url: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  profile_url: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  company_id: number | null;
  /** 0 for everybody who buys. Assumptions: subscriber-defaults. */
  verify_phone: number | null;
  /** 0 for everybody who buys. Assumptions: subscriber-defaults. */
  verify_email: number | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  town: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  state_of_residence: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  transaction_pin: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  occupation: string | null;
}

/** The purchase to complete. */
export interface GroupLifeVerifyRequest {
  /**
   * The token that initiate answered. Must not be blank. Example: `'GLP176985360040173958'`.
   * Assumptions: group-life-verify-body, token-unknown.
   */
  token: string;
}

/** A success of `verifyGroupLifePolicy`. */
export interface GroupLifeVerifyResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** A group-life policy with its purchaser, its product and its members. */
  data: GroupLifePolicy;
}

/** A refusal by a call whose success says `message`. Assumptions: error-envelope. */
export interface MessageFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  message: string;
  /** The HTTP status, as a text. Example: `'400'`. Assumptions: error-code-type. */
  response_code: string;
  /** What was wrong. */
  data: FailureData;
}

/** Somebody covered besides the principal. */
export interface MicroHealthBeneficiary {
  /** Its id. */
  id: number;
  /** Full name. */
  full_name: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  surname: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  email: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  phone_no: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  address: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  gender: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  date_of_birth: string | null;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  product_id: number | null;
  /** The subscriber. */
  user_id: number;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
}

/** A first-time subscription. Assumptions: micro-health-required. */
export interface MicroHealthInitiateRequest {
  /**
   * First name of the principal. Must not be blank or contain control characters. Example: `'Ada'`.
   * Assumptions: encoding, text-and-numbers.
   */
  first_name: string;
  /**
   * Surname of the principal. Must not be blank or contain control characters. Example: `'Obi'`.
   * Assumptions: encoding, text-and-numbers.
   */
  surname: string;
  /**
   * E-mail address of the principal. Must be ASCII, with a domain such as example.com. Example:
   * `'ada@example.com'`. Assumptions: email.
   */
  email: string;
  /** 11 digits. Example: `'08031234567'`. Assumptions: phone-digits. */
  phone_no: string;
  /**
   * Y-m-d, not after today. Must be 1900-01-01 or later. Example: `'1990-04-12'`. Assumptions:
   * text-and-numbers, date-limits, time-zone.
   */
  date_of_birth: string;
  /** A micro-health product. Example: `1`. Assumptions: product-id-type, catalogue. */
  product_id: number | string;
  /**
   * How often the premium is paid; yearly means annually. Example: `'monthly'`. Assumptions:
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /**
   * The premium in naira for this number of users and frequency; another amount is refused. At most
   * two decimal places. Example: `700`. Assumptions: text-and-numbers, amount-check, currency.
   */
  amount: number | string;
  /** National identity number, 11 digits. Example: `12345678901`. Assumptions: nin-number. */
  nin_number: number | string;
  /**
   * Full name of the first beneficiary. Must not contain control characters. Example: `'Bola Ade'`.
   * Assumptions: encoding, text-and-numbers.
   */
  first_beneficiary_full_name?: string | null | undefined;
  /**
   * Full name of the second beneficiary. Must not contain control characters. Example: `'Bola
   * Ade'`. Assumptions: encoding, text-and-numbers.
   */
  second_beneficiary_full_name?: string | null | undefined;
  /**
   * Full name of the third beneficiary. Must not contain control characters. Example: `'Bola Ade'`.
   * Assumptions: encoding, text-and-numbers.
   */
  third_beneficiary_full_name?: string | null | undefined;
  /**
   * URL of an image of an identity document. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/id.png'`. Assumptions: text-and-numbers.
   */
  id_url: string;
  /**
   * URL of a portrait; any text is accepted. Must not contain control characters. Example:
   * `'https://files.example.com/me.png'`. Assumptions: text-and-numbers, encoding.
   */
  profile_url?: string | null | undefined;
}

/** A success of `initiateMicroHealthSubscription`. */
export interface MicroHealthInitiateResponse {
  /** Always true. */
  success: true;
  /** The token of a pending purchase. */
  data: MicroHealthPurchaseToken;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always `FRT008`. */
  response_code: string;
}

/** A subscription inside a listed subscriber. Assumptions: subscriptions-key. */
export interface MicroHealthListedSubscription {
  /** Its id. */
  id: number;
  /** The subscriber. */
  user_id: number;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** Whether the premium is paid more often than once a year. Assumptions: recurring. */
  recurring: boolean;
  /** How often the premium is paid, as chosen at subscription. */
  subscriptions_type: 'monthly' | 'quarterly' | 'annually';
  /** Periods paid. Assumptions: subscriptions-no. */
  subscriptions_no: number;
  /**
   * When the subscription was verified. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * When the cover that was paid for ends. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, top-up-dates, timestamp-precision, time-zone.
   */
  end_date: string;
  /** 1 when enabled. Assumptions: no-expiry-transition. */
  enable: number;
  /** The policy number, 10 digits. Example: `'4017395826'`. Assumptions: policy-no. */
  policy_no: string;
  /** The merchant. */
  merchant_user_id: number;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /**
   * Y-m-d H:i:s in UTC: since when the cover has run without a gap. Assumptions:
   * subscription-dates, top-up-dates, time-zone.
   */
  active_date: string;
}

/** A success of `listMicroHealthSubscriptions`. */
export interface MicroHealthListResponse {
  /** Always true. */
  success: true;
  /** One page of subscribers. */
  data: MicroHealthSubscriberPage;
  /** What was done. Assumptions: success-messages. */
  message: string;
}

/** A product of the micro-health family. */
export interface MicroHealthProduct {
  /** The product. Example: `1`. */
  id: number;
  /** Its name. */
  name: string;
  /** What it covers; may contain HTML. */
  details: string;
  /** Whether it covers beneficiaries. Assumptions: users-count. */
  beneficiaries: boolean;
  /** How many beneficiaries a purchase may name. Assumptions: users-count. */
  max_beneficiaries: number;
  /** Who provides it. */
  provider_id: number;
  /** URL of its logo, if it has one. */
  logo_url: string | null;
  /** Whether it can be bought. Assumptions: catalogue. */
  enable: boolean;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
}

/** The token of a pending purchase. */
export interface MicroHealthPurchaseToken {
  /**
   * Completes the purchase within 15 minutes; at 15:00.000 it has expired. Example:
   * `'3f7a1c9be20d4586a7b1c3d5e7f90123456789ab'`. Assumptions: token-format, token-boundary.
   */
  token: string;
}

/** The price of a plan. */
export interface MicroHealthQuote {
  /** The premium in naira. Example: `700`. Assumptions: price-config, currency. */
  quote_price: number;
}

/** What to price. Assumptions: micro-health-required. */
export interface MicroHealthQuoteRequest {
  /**
   * The principal and the beneficiaries: one beneficiary makes 2 users. Assumptions:
   * text-and-numbers, users-count.
   */
  no_of_users: number | string;
  /**
   * How often the premium is paid; yearly means annually. Example: `'monthly'`. Assumptions:
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /** A micro-health product. Example: `'1'`. Assumptions: product-id-type, catalogue. */
  product_id: number | string;
}

/** A success of `getMicroHealthQuote`. */
export interface MicroHealthQuoteResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always `QOT101`. */
  response_code: string;
  /** The price of a plan. */
  data: MicroHealthQuote;
}

/** A subscriber with its beneficiaries, its subscription and what was paid. */
export interface MicroHealthSubscriber {
  /** Its id. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  address: string | null;
  /** As the request named it; null where it names none. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * Midnight UTC of the day of birth. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** Always null. */
  password: null;
  /** The policy number, 10 digits. Example: `'4017395826'`. Assumptions: policy-no. */
  policy_no: string;
  /** Whether the purchase named any. */
  have_beneficiaries: boolean;
  /** True for everybody who buys. */
  enable: boolean;
  /** Null for everybody who buys: no request sets it. Assumptions: subscriber-defaults. */
  next_of_kin_full_name: string | null;
  /** The merchant. */
  merchant_user_id: number | null;
  /** principal for everybody who buys. Assumptions: subscriber-defaults. */
  user_type: string;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** Those covered besides the principal. */
  beneficiary: MicroHealthBeneficiary[];
  /** A subscription inside a listed subscriber. */
  subscriptions: MicroHealthListedSubscription;
  /** The premiums paid. */
  transactions: MicroHealthTransaction[];
}

/** One page of subscribers. */
export interface MicroHealthSubscriberPage {
  /** The page asked for. Assumptions: page-out-of-range. */
  current_page: number;
  /** The elements on the page, oldest first. Assumptions: list-order. */
  data: MicroHealthSubscriber[];
  /** Address of the first page; it keeps per_page and selection. Assumptions: page-urls. */
  first_page_url: string;
  /** Address of the last page; it keeps per_page and selection. Assumptions: page-urls. */
  last_page_url: string;
  /**
   * Address of the next page, null on the last; it keeps per_page and selection. Assumptions:
   * page-urls.
   */
  next_page_url: string | null;
  /**
   * Address of the page before, null on the first; it keeps per_page and selection. Assumptions:
   * page-urls.
   */
  prev_page_url: string | null;
  /** Address of the list itself, without a query. */
  path: string;
  /**
   * Place in the whole list of the first element on the page; null on an empty one. Assumptions:
   * page-out-of-range.
   */
  from: number | null;
  /**
   * Place in the whole list of the last element on the page; null on an empty one. Assumptions:
   * page-out-of-range.
   */
  to: number | null;
  /** How many pages there are; 1 for an empty list. Assumptions: page-out-of-range. */
  last_page: number;
  /** How many elements there are on all pages. */
  total: number;
  /** How many elements a page holds at most. Assumptions: list-selection. */
  per_page: number;
}

/** A subscription with its product. */
export interface MicroHealthSubscription {
  /** Its id. */
  id: number;
  /** The subscriber. */
  user_id: number;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** Whether the premium is paid more often than once a year. Assumptions: recurring. */
  recurring: boolean;
  /** How often the premium is paid, as chosen at subscription. */
  subscriptions_type: 'monthly' | 'quarterly' | 'annually';
  /** Periods paid. Assumptions: subscriptions-no. */
  subscriptions_no: number;
  /**
   * When the subscription was verified. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * When the cover that was paid for ends. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, top-up-dates, timestamp-precision, time-zone.
   */
  end_date: string;
  /** 1 when enabled. Assumptions: no-expiry-transition. */
  enable: number;
  /** The policy number, 10 digits. Example: `'4017395826'`. Assumptions: policy-no. */
  policy_no: string;
  /** The merchant. */
  merchant_user_id: number;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /**
   * Y-m-d H:i:s in UTC: since when the cover has run without a gap. Assumptions:
   * subscription-dates, top-up-dates, time-zone.
   */
  active_date: string;
  /** A product of the micro-health family. */
  product: MicroHealthProduct;
}

/** The renewal of a subscription for one more period. Assumptions: micro-health-required. */
export interface MicroHealthTopUpRequest {
  /**
   * The frequency chosen at subscription. Example: `'monthly'`. Assumptions: top-up-frequency,
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /**
   * The premium in naira for one period; another amount is refused. At most two decimal places.
   * Example: `700`. Assumptions: text-and-numbers, amount-check, currency.
   */
  amount: number | string;
  /**
   * The policy number, 10 digits. Must not be blank. Example: `'4017395826'`. Assumptions:
   * policy-no.
   */
  policy_no: string;
}

/** A success of `topUpMicroHealthSubscription`. */
export interface MicroHealthTopUpResponse {
  /** Always true. */
  success: true;
  /** A subscription with its product. */
  data: MicroHealthSubscription;
  /** What was done. Assumptions: success-messages. */
  message: string;
}

/** A premium paid. */
export interface MicroHealthTransaction {
  /** Its id. */
  id: number;
  /** The subscriber. */
  user_id: number;
  /** The premium paid, naira. Example: `'700.00'`. Assumptions: currency. */
  amount: string;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** successful: no other is named. */
  status: string;
  /** credit: no other is named. */
  type: string;
  /** The subscription. */
  subscriptions_id: number;
  /** The merchant. */
  merchant_user_id: number;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
  /** The provider side's commission, naira. Assumptions: commissions, currency. */
  partner_commission: string;
  /** The merchant's commission, naira. Assumptions: commissions, currency. */
  merchant_commission: string;
  /** The sum of the two, naira. Assumptions: commissions, currency. */
  total_commission: string;
}

/** A success of `validateMicroHealthPolicy`. */
export interface MicroHealthValidateResponse {
  /** Always true. */
  success: true;
  /** A subscription with its product. */
  data: MicroHealthSubscription;
  /** What was done. Assumptions: success-messages. */
  message: string;
}

/** The purchase to complete. */
export interface MicroHealthVerifyRequest {
  /**
   * The token that initiate answered. Must not be blank. Example:
   * `'3f7a1c9be20d4586a7b1c3d5e7f90123456789ab'`. Assumptions: token-unknown.
   */
  token: string;
}

/** A success of `verifyMicroHealthSubscription`. */
export interface MicroHealthVerifyResponse {
  /** Always true. */
  success: true;
  /** A subscription with its product. */
  data: MicroHealthSubscription;
  /** What was done. Assumptions: success-messages. */
  message: string;
}

/** The policy asked for. Assumptions: motor-details-field. */
export interface MotorDetailsRequest {
  /**
   * The policy number; policyNumber and policy_number are accepted too. Must not be blank. Example:
   * `'INS4017395826114'`. Assumptions: motor-details-field.
   */
  Policy_number: string;
}

/** A success of `getMotorPolicyDetails`. */
export interface MotorDetailsResponse {
  /** Always true. */
  success: true;
  /** A comprehensive motor policy. */
  data: MotorPolicy;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always empty. */
  response_code: string;
}

/** A policy that waits to be verified, with its token. */
export interface MotorInitiatedPolicy {
  /**
   * comprehensive-motor- and the policy number in lower case. Example:
   * `'comprehensive-motor-ins4017395826114'`. Assumptions: motor-slug.
   */
  slug: string;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** The merchant. */
  merchant_user_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** The sum insured, naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** The type of cover, for example the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a
   * text of its digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** The type of vehicle. */
  vehicle_type: string;
  /** The first day of cover. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /** The day the cover ends: that many periods after the first. Y-m-d. Assumptions: motor-dates. */
  end_date: string;
  /** The number plate. */
  registration_no: string;
  /** The make. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** The model. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** The year it was made in, four digits. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** The colour. */
  vehicle_color: string;
  /** The chassis number. */
  chasis_no: string;
  /** The engine number. */
  engine_no: string;
  /**
   * URL of an image of the speedometer. Example:
   * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
   */
  speedometer_img: string;
  /**
   * URL of an image of the engine. Example: `'https://files.example.com/motor/engine.png'`.
   * Assumptions: motor-images.
   */
  engine_img: string;
  /**
   * URL of an image of the interior. Example: `'https://files.example.com/motor/interior.png'`.
   * Assumptions: motor-images.
   */
  interior_img: string;
  /**
   * URL of an image of the front. Example: `'https://files.example.com/motor/front.png'`.
   * Assumptions: motor-images.
   */
  front_view_img: string;
  /**
   * URL of an image of the rear. Example: `'https://files.example.com/motor/rear.png'`.
   * Assumptions: motor-images.
   */
  rear_view_img: string;
  /**
   * URL of an image of the left side. Example: `'https://files.example.com/motor/left.png'`.
   * Assumptions: motor-images.
   */
  left_side_view_img: string;
  /**
   * URL of an image of the right side. Example: `'https://files.example.com/motor/right.png'`.
   * Assumptions: motor-images.
   */
  right_side_view_img: string;
  /**
   * URL of an image of the vehicle licence. Example:
   * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
   */
  vehicle_license_img: string;
  /**
   * URL of an image of the proof of ownership. Example:
   * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
   */
  proof_of_ownership_img: string;
  /** INS and 13 digits. Example: `'INS4017395826114'`. Assumptions: motor-policy-number. */
  policy_number: string;
  /** Whom to ask about the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** The day of the inspection. Y-m-d. */
  inspection_date: string;
  /**
   * Completes the purchase within 15 minutes; at 15:00.000 it has expired. Example:
   * `'CMP169848000048213075'`. Assumptions: motor-initiate-token, token-format, token-boundary.
   */
  token: string;
}

/**
 * A motor purchase. Further fields are ignored, those of the documented sample among them: address,
 * relationship, variant_type, amount_insured, identity, nok_surname, nok_othernames,
 * nok_relationship, nok_gender, nok_phone_no, nok_email_address, id_url, id_number, id_type.
 * Assumptions: motor-sample-fields.
 */
export interface MotorInitiateRequest {
  /**
   * First name of the customer. Must not be blank or contain control characters. Example: `'Ada'`.
   * Assumptions: encoding, text-and-numbers.
   */
  first_name: string;
  /**
   * Last name of the customer. Must not be blank or contain control characters. Example: `'Obi'`.
   * Assumptions: encoding, text-and-numbers.
   */
  last_name: string;
  /**
   * Phone number of the customer, 11 digits. Example: `'08031234567'`. Assumptions:
   * text-and-numbers.
   */
  phone_number: number | string;
  /**
   * E-mail address of the customer. Must be ASCII, with a domain such as example.com. Example:
   * `'ada@example.com'`. Assumptions: email.
   */
  email: string;
  /** female or male. Assumptions: motor-gender. */
  gender: string;
  /** A motor product. Example: `'4'`. Assumptions: product-id-type, motor-product, catalogue. */
  product_id: number | string;
  /**
   * URL of an image of the speedometer. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
   */
  speedometer_img: string;
  /**
   * URL of an image of the engine. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/engine.png'`. Assumptions: motor-images.
   */
  engine_img: string;
  /**
   * URL of an image of the interior. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/interior.png'`. Assumptions: motor-images.
   */
  interior_img: string;
  /**
   * URL of an image of the front. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/front.png'`. Assumptions: motor-images.
   */
  front_view_img: string;
  /**
   * URL of an image of the rear. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/rear.png'`. Assumptions: motor-images.
   */
  rear_view_img: string;
  /**
   * URL of an image of the left side. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/left.png'`. Assumptions: motor-images.
   */
  left_side_view_img: string;
  /**
   * URL of an image of the right side. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/right.png'`. Assumptions: motor-images.
   */
  right_side_view_img: string;
  /**
   * URL of an image of the vehicle licence. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
   */
  vehicle_license_img: string;
  /**
   * URL of an image of the proof of ownership. Must be an absolute http or https URL. Example:
   * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
   */
  proof_of_ownership_img: string;
  /** How often the premium is paid; annually means yearly. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly' | 'annually';
  /**
   * The most that is paid after an accident, naira. At most two decimal places. Example: `5000000`.
   * Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  sum_insured: number | string;
  /**
   * The type of cover, for example the name of a tier. Must not be blank or contain control
   * characters. Example: `'bronze'`. Assumptions: encoding, text-and-numbers.
   */
  insurance_cover: string;
  /**
   * What the tracker of the car is worth, naira. At most two decimal places. Example: `60000`.
   * Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  tracker_value: number | string;
  /**
   * The estimated cost of a diagnostic test, naira. At most two decimal places. Example: `15000`.
   * Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  diagnostic_cost: number | string;
  /**
   * How many periods of the payment frequency the cover lasts. Example: `1`. Assumptions:
   * motor-duration.
   */
  duration: number | string;
  /**
   * The type of vehicle. Must not be blank or contain control characters. Example: `'saloon'`.
   * Assumptions: encoding, text-and-numbers.
   */
  vehicle_type: string;
  /**
   * The first day of cover, Y-m-d. Must be 1900-01-01 or later. Example: `'2026-02-01'`.
   * Assumptions: text-and-numbers, date-limits.
   */
  start_date: string;
  /**
   * The number plate. Must not be blank or contain control characters. Example: `'KJA-482GR'`.
   * Assumptions: encoding, text-and-numbers.
   */
  registration_no: string;
  /**
   * The make. Must not be blank or contain control characters. Example: `'Toyota'`. Assumptions:
   * motor-make-model.
   */
  vehicle_make: string | number;
  /**
   * The model. Must not be blank or contain control characters. Example: `'Corolla'`. Assumptions:
   * motor-make-model.
   */
  vehicle_model: string | number;
  /**
   * The year it was made in, four digits, 1900 to the next calendar year. Example: `'2015'`.
   * Assumptions: motor-year-make.
   */
  year_make: string | number;
  /**
   * The colour. Must not be blank or contain control characters. Example: `'silver'`. Assumptions:
   * encoding, text-and-numbers.
   */
  vehicle_color: string;
  /**
   * The engine number. Must not be blank or contain control characters. Example: `'2ZR4831907'`.
   * Assumptions: encoding, text-and-numbers.
   */
  engine_no: string;
  /**
   * The chassis number. Must not be blank or contain control characters. Example:
   * `'2T1BURHE5FC301482'`. Assumptions: encoding, text-and-numbers.
   */
  chasis_no: string;
  /**
   * Whom to ask about the vehicle. Must not be blank or contain control characters. Example: `'Bola
   * Ade'`. Assumptions: encoding, text-and-numbers.
   */
  contact_person_name: string;
  /**
   * Address of the contact person. Must not be blank or contain control characters other than line
   * breaks and tabs. Example: `'14 Allen Avenue, Ikeja, Lagos'`. Assumptions: encoding,
   * text-and-numbers.
   */
  contact_person_address: string;
  /**
   * Phone number of the contact person, 11 digits. Example: `'08059876543'`. Assumptions:
   * text-and-numbers.
   */
  contact_person_phone_no: number | string;
  /**
   * The day of the inspection, Y-m-d. Must be 1900-01-01 or later. Example: `'2026-01-30'`.
   * Assumptions: text-and-numbers, date-limits.
   */
  inspection_date: string;
}

/** A success of `initiateMotorPolicy`. */
export interface MotorInitiateResponse {
  /** Always true. */
  success: true;
  /** A policy that waits to be verified, with its token. */
  data: MotorInitiatedPolicy;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always empty. */
  response_code: string;
}

/** A listed motor policy. */
export interface MotorListedPolicy {
  /**
   * comprehensive-motor- and the policy number in lower case. Example:
   * `'comprehensive-motor-ins4017395826114'`. Assumptions: motor-slug.
   */
  slug: string;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /**
   * How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a
   * text of its digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** The type of vehicle. */
  vehicle_type: string;
  /** The first day of cover. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /** The day the cover ends: that many periods after the first. Y-m-d. Assumptions: motor-dates. */
  end_date: string;
  /** The sum insured, naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** The type of cover, for example the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /** activated: no other is named. */
  status: string;
  /** INS and 13 digits. Example: `'INS4017395826114'`. Assumptions: motor-policy-number. */
  policy_number: string;
}

/** A success of `listMotorPolicies`. */
export interface MotorListResponse {
  /** Always true. */
  success: true;
  /** The policies of the merchant, oldest first. */
  data: MotorPolicyList;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always empty. */
  response_code: string;
}

/** A comprehensive motor policy. */
export interface MotorPolicy {
  /**
   * comprehensive-motor- and the policy number in lower case. Example:
   * `'comprehensive-motor-ins4017395826114'`. Assumptions: motor-slug.
   */
  slug: string;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** The merchant. */
  merchant_user_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** The sum insured, naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** The type of cover, for example the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a
   * text of its digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** The type of vehicle. */
  vehicle_type: string;
  /** The first day of cover. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /** The day the cover ends: that many periods after the first. Y-m-d. Assumptions: motor-dates. */
  end_date: string;
  /** The number plate. */
  registration_no: string;
  /** The make. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** The model. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** The year it was made in, four digits. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** The colour. */
  vehicle_color: string;
  /** The chassis number. */
  chasis_no: string;
  /** The engine number. */
  engine_no: string;
  /**
   * URL of an image of the speedometer. Example:
   * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
   */
  speedometer_img: string;
  /**
   * URL of an image of the engine. Example: `'https://files.example.com/motor/engine.png'`.
   * Assumptions: motor-images.
   */
  engine_img: string;
  /**
   * URL of an image of the interior. Example: `'https://files.example.com/motor/interior.png'`.
   * Assumptions: motor-images.
   */
  interior_img: string;
  /**
   * URL of an image of the front. Example: `'https://files.example.com/motor/front.png'`.
   * Assumptions: motor-images.
   */
  front_view_img: string;
  /**
   * URL of an image of the rear. Example: `'https://files.example.com/motor/rear.png'`.
   * Assumptions: motor-images.
   */
  rear_view_img: string;
  /**
   * URL of an image of the left side. Example: `'https://files.example.com/motor/left.png'`.
   * Assumptions: motor-images.
   */
  left_side_view_img: string;
  /**
   * URL of an image of the right side. Example: `'https://files.example.com/motor/right.png'`.
   * Assumptions: motor-images.
   */
  right_side_view_img: string;
  /**
   * URL of an image of the vehicle licence. Example:
   * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
   */
  vehicle_license_img: string;
  /**
   * URL of an image of the proof of ownership. Example:
   * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
   */
  proof_of_ownership_img: string;
  /** INS and 13 digits. Example: `'INS4017395826114'`. Assumptions: motor-policy-number. */
  policy_number: string;
  /** Whom to ask about the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** The day of the inspection. Y-m-d. */
  inspection_date: string;
}

/** The policies of the merchant, oldest first. Assumptions: motor-list, list-order. */
export type MotorPolicyList = MotorListedPolicy[];

/** The price of a motor policy. */
export interface MotorQuote {
  /**
   * The premium in naira, two decimals at most. Example: `250000`. Assumptions: motor-quote,
   * currency.
   */
  premium: number;
  /** The value of the vehicle, naira. Example: `5000000`. Assumptions: motor-quote, currency. */
  amount_insured: number;
}

/** What to price. */
export interface MotorQuoteRequest {
  /** A motor product. Example: `4`. Assumptions: product-id-type, motor-product, catalogue. */
  product_id: number | string;
  /**
   * What the vehicle is worth, naira. At most two decimal places. Example: `5000000`. Assumptions:
   * text-and-numbers, currency.
   */
  vehicle_value: number | string;
}

/** A success of `getMotorQuote`. */
export interface MotorQuoteResponse {
  /** Always true. */
  success: true;
  /** The price of a motor policy. */
  data: MotorQuote;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always empty. */
  response_code: string;
}

/** A policy just bought. */
export interface MotorVerifiedPolicy {
  /**
   * comprehensive-motor- and the policy number in lower case. Example:
   * `'comprehensive-motor-ins4017395826114'`. Assumptions: motor-slug.
   */
  slug: string;
  /** The product. Assumptions: catalogue. */
  product_id: number;
  /** The merchant. */
  merchant_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** The sum insured, naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** The type of cover, for example the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a
   * text of its digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** The type of vehicle. */
  vehicle_type: string;
  /**
   * Midnight UTC of the first day of cover. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * motor-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * Midnight UTC of the day the cover ends. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * motor-dates, timestamp-precision, time-zone.
   */
  end_date: string;
  /** The number plate. */
  registration_no: string;
  /** The make. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** The model. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** The year it was made in, four digits. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** The colour. */
  vehicle_color: string;
  /** The chassis number. */
  chasis_no: string;
  /** The engine number. */
  engine_no: string;
  /**
   * URL of an image of the speedometer. Example:
   * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
   */
  speedometer_img: string;
  /**
   * URL of an image of the engine. Example: `'https://files.example.com/motor/engine.png'`.
   * Assumptions: motor-images.
   */
  engine_img: string;
  /**
   * URL of an image of the interior. Example: `'https://files.example.com/motor/interior.png'`.
   * Assumptions: motor-images.
   */
  interior_img: string;
  /**
   * URL of an image of the front. Example: `'https://files.example.com/motor/front.png'`.
   * Assumptions: motor-images.
   */
  front_view_img: string;
  /**
   * URL of an image of the rear. Example: `'https://files.example.com/motor/rear.png'`.
   * Assumptions: motor-images.
   */
  rear_view_img: string;
  /**
   * URL of an image of the left side. Example: `'https://files.example.com/motor/left.png'`.
   * Assumptions: motor-images.
   */
  left_side_view_img: string;
  /**
   * URL of an image of the right side. Example: `'https://files.example.com/motor/right.png'`.
   * Assumptions: motor-images.
   */
  right_side_view_img: string;
  /**
   * URL of an image of the vehicle licence. Example:
   * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
   */
  vehicle_license_img: string;
  /**
   * URL of an image of the proof of ownership. Example:
   * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
   */
  proof_of_ownership_img: string;
  /** INS and 13 digits. Example: `'INS4017395826114'`. Assumptions: motor-policy-number. */
  policy_number: string;
  /** Whom to ask about the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** The day of the inspection. Y-m-d. */
  inspection_date: string;
  /** Its id. */
  id: number;
  /** The customer. */
  user_id: number;
  /** True: no other is named. */
  status: boolean;
  /**
   * When it was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: motor-dates,
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When it was changed last. As `2026-01-31T10:00:57.000000Z`. Assumptions: timestamp-precision,
   * time-zone.
   */
  updated_at: string;
}

/** The purchase to complete. */
export interface MotorVerifyRequest {
  /**
   * The token that initiate answered. Must not be blank. Example: `'CMP169848000048213075'`.
   * Assumptions: token-unknown.
   */
  token: string;
}

/** A success of `verifyMotorPolicy`. */
export interface MotorVerifyResponse {
  /** Always true. */
  success: true;
  /** What was done. Assumptions: success-messages. */
  response_message: string;
  /** Always empty. */
  response_code: string;
  /** A policy just bought. */
  data: MotorVerifiedPolicy;
}

/** A refusal by a call whose success has an integer as its code. Assumptions: error-envelope. */
export interface StatusFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  response_message: string;
  /** The HTTP status, as an integer. Example: `400`. Assumptions: error-code-type. */
  response_code: number;
  /** What was wrong. */
  data: FailureData;
}

/** Every call of the merchant API by its operationId: what it takes, and what it answers. */
export interface Operations {
  /**
   * Price a micro-health plan. Answers the premium for a number of users and a payment frequency.
   * `POST /api/merchant/micro_health/get_quote`
   */
  getMicroHealthQuote: {
    body: MicroHealthQuoteRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthQuoteResponse;
    failure: CodedFailure;
  };
  /**
   * Initiate a micro-health subscription. Remembers a first-time subscription for 15 minutes and
   * answers the token that verify completes it with. `POST /api/merchant/micro_health/initiate`
   */
  initiateMicroHealthSubscription: {
    body: MicroHealthInitiateRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthInitiateResponse;
    failure: CodedFailure;
  };
  /**
   * Complete a micro-health subscription. Turns a pending subscription into a policy. The token is
   * valid for 15 minutes from initiate. `POST /api/merchant/micro_health/verify`
   */
  verifyMicroHealthSubscription: {
    body: MicroHealthVerifyRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthVerifyResponse;
    failure: MessageFailure;
  };
  /**
   * Renew a micro-health subscription. Pays one more period of a subscription, at the frequency
   * chosen at subscription. `POST /api/merchant/micro_health/top_up`
   */
  topUpMicroHealthSubscription: {
    body: MicroHealthTopUpRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthTopUpResponse;
    failure: MessageFailure;
  };
  /**
   * List the subscriptions made on the platform. Answers the subscribers of the merchant page by
   * page, each with beneficiaries, subscription and transactions; selected by period or by dates.
   * `GET /api/merchant/micro_health/all_subscriptions`
   */
  listMicroHealthSubscriptions: {
    body: undefined;
    query: {
      /**
       * Page to answer, from 1; what is no positive whole number counts as 1. Assumptions:
       * list-selection, page-out-of-range.
       */
      page?: number | undefined;
      /** Elements on a page, 1 to 100; 15 unless given. Assumptions: list-selection. */
      per_page?: number | undefined;
      /**
       * Only subscriptions of the current day, week (from Monday), month, quarter or year, UTC.
       * Assumptions: list-selection, time-zone.
       */
      period?: 'day' | 'week' | 'month' | 'quarter' | 'year' | undefined;
      /**
       * Only subscriptions from this day on, UTC. Must be 1900-01-01 or later. Example:
       * `'2023-09-01'`. Assumptions: list-selection, date-limits, time-zone.
       */
      start_date?: string | undefined;
      /**
       * Only subscriptions up to and including this day, UTC. Must be 1900-01-01 or later. Example:
       * `'2023-11-30'`. Assumptions: list-selection, date-limits, time-zone.
       */
      end_date?: string | undefined;
    };
    params: undefined;
    response: MicroHealthListResponse;
    failure: MessageFailure;
  };
  /**
   * Look a subscription up by its policy number. Answers the subscription of one policy number; its
   * end_date tells whether it lapsed. `GET /api/merchant/micro_health/validate_policy/{policy_no}`
   */
  validateMicroHealthPolicy: {
    body: undefined;
    query: undefined;
    params: {
      /** The policy number, 10 digits. Example: `'4017395826'`. Assumptions: policy-no. */
      policy_no: string;
    };
    response: MicroHealthValidateResponse;
    failure: MessageFailure;
  };
  /**
   * Initiate a motor policy. Remembers a purchase for 15 minutes and answers the policy to come,
   * with the token that verify completes it with. `POST
   * /api/merchant/comprehensive_motor_initiate_policy`
   */
  initiateMotorPolicy: {
    body: MotorInitiateRequest;
    query: undefined;
    params: undefined;
    response: MotorInitiateResponse;
    failure: CodedFailure;
  };
  /**
   * Complete a motor purchase. Turns a pending purchase into a policy. The token is valid for 15
   * minutes from initiate. `POST /api/merchant/comprehensive_motor_verify_policy`
   */
  verifyMotorPolicy: {
    body: MotorVerifyRequest;
    query: undefined;
    params: undefined;
    response: MotorVerifyResponse;
    failure: CodedFailure;
  };
  /**
   * List the motor policies of the merchant. Answers every verified motor policy of the merchant,
   * in one array. `GET /api/merchant/get_comprehensive_motor_policies`
   */
  listMotorPolicies: {
    body: undefined;
    query: undefined;
    params: undefined;
    response: MotorListResponse;
    failure: CodedFailure;
  };
  /**
   * Look a motor policy up by its policy number. Answers one verified policy of the merchant. The
   * policy number may be sent as Policy_number, policyNumber or policy_number; the first of these
   * that is present counts. `POST /api/merchant/get_comprehensive_motor_policy_details`
   */
  getMotorPolicyDetails: {
    body: MotorDetailsRequest;
    query: undefined;
    params: undefined;
    response: MotorDetailsResponse;
    failure: CodedFailure;
  };
  /**
   * Price a motor policy. Answers the premium for a vehicle of a given value. `POST
   * /api/merchant/get_comprehensive_motor_policy_quote`
   */
  getMotorQuote: {
    body: MotorQuoteRequest;
    query: undefined;
    params: undefined;
    response: MotorQuoteResponse;
    failure: CodedFailure;
  };
  /**
   * Initiate a group-life policy. Remembers a policy for 15 minutes and answers the token that
   * verify completes it with. `POST /api/merchant/group-life/policy/initiate-group-life-policy`
   */
  initiateGroupLifePolicy: {
    body: GroupLifeInitiateRequest;
    query: undefined;
    params: undefined;
    response: GroupLifeInitiateResponse;
    failure: StatusFailure;
  };
  /**
   * Complete a group-life purchase. Turns a pending purchase into a policy. The token is valid for
   * 15 minutes from initiate. `POST /api/merchant/group-life/policy/verify-group-life-policy`
   */
  verifyGroupLifePolicy: {
    body: GroupLifeVerifyRequest;
    query: undefined;
    params: undefined;
    response: GroupLifeVerifyResponse;
    failure: StatusFailure;
  };
  /**
   * List the merchant's group-life policies. Answers the policies of the merchant, 15 a page, each
   * with product and members. `GET /api/merchant/group-life/policy/merchant-group-life-policies`
   */
  listGroupLifePolicies: {
    body: undefined;
    query: {
      /**
       * Page to answer, from 1; what is no positive whole number counts as 1. Assumptions:
       * list-selection, page-out-of-range.
       */
      page?: number | undefined;
      /** Elements on a page, 1 to 100; 15 unless given. Assumptions: list-selection. */
      per_page?: number | undefined;
    };
    params: undefined;
    response: GroupLifeListResponse;
    failure: StatusFailure;
  };
  /**
   * Look a group-life policy up by its policy number. Answers one policy with its purchaser, its
   * product and its members. `POST /api/merchant/group-life/policy/group-life-policy-details`
   */
  getGroupLifePolicyDetails: {
    body: GroupLifeDetailsRequest;
    query: undefined;
    params: undefined;
    response: GroupLifeDetailsResponse;
    failure: StatusFailure;
  };
}

/** The name of a call, as faults and the journal know it. */
export type OperationId =
  | 'getMicroHealthQuote'
  | 'initiateMicroHealthSubscription'
  | 'verifyMicroHealthSubscription'
  | 'topUpMicroHealthSubscription'
  | 'listMicroHealthSubscriptions'
  | 'validateMicroHealthPolicy'
  | 'initiateMotorPolicy'
  | 'verifyMotorPolicy'
  | 'listMotorPolicies'
  | 'getMotorPolicyDetails'
  | 'getMotorQuote'
  | 'initiateGroupLifePolicy'
  | 'verifyGroupLifePolicy'
  | 'listGroupLifePolicies'
  | 'getGroupLifePolicyDetails';

/** A product family. */
export type Family = 'micro_health' | 'motor' | 'group_life';
