/*
 * Written by `npm run docs` from the published document, openapi/merchant-api.json. To change something here,
 * change the schemas of the routes.
 *
 * What the merchant API takes and returns without a profile. The ids after "Assumptions" are explained in
 * docs/decisions.md.
 */

/**
 * Failure of an operation whose success has a string as `response_code`. Assumptions:
 * error-envelope.
 */
export interface CodedFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  response_message: string;
  /** The HTTP status, as a string. Example: `'400'`. Assumptions: error-code-type. */
  response_code: string;
  /** The problems with the request. */
  data: FailureData;
}

/** The problems with the request. Assumptions: error-envelope. */
export interface FailureData {
  /** One message per problem. Assumptions: error-envelope. */
  error: string[];
}

/** The policy to look up. Assumptions: group-life-details-field. */
export interface GroupLifeDetailsRequest {
  /**
   * Policy number. Required unless it is sent as `Policy_number` or `policyNumber`. Must not be
   * blank. Example: `'IN59810802'`. Assumptions: group-life-details-field.
   */
  policy_number?: string | undefined;
  /**
   * The same as `policy_number`, which is used if both are sent. Must not be blank. Example:
   * `'IN59810802'`. Assumptions: group-life-details-field.
   */
  Policy_number?: string | undefined;
  /**
   * The same as `policy_number`, which is used if both are sent. Must not be blank. Example:
   * `'IN59810802'`. Assumptions: group-life-details-field.
   */
  policyNumber?: string | undefined;
}

/** Success response of `getGroupLifePolicyDetails`. */
export interface GroupLifeDetailsResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** A group-life policy with its purchaser, product and members. */
  data: GroupLifePolicy;
}

/** The details of a new policy. Assumptions: group-life-initiate-body. */
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
  /**
   * Phone number of the purchaser, 11 digits. Example: `'08031234567'`. Assumptions: phone-digits.
   */
  phone_no: string;
  /** Gender of the purchaser, `female` or `male` in any case. Assumptions: text-and-numbers. */
  gender: string;
  /**
   * Date of birth of the purchaser, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
   * Example: `'1990-04-12'`. Assumptions: text-and-numbers, date-limits, time-zone.
   */
  dob: string;
  /** Id of a group-life product. Example: `2`. Assumptions: product-id-type, catalogue. */
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
   * Name of the first contact person in the group. Must not be blank or contain control characters.
   * Example: `'Ada Obi'`. Assumptions: encoding, text-and-numbers.
   */
  first_person_name: string;
  /**
   * Phone number of the first contact person, 11 digits. Example: `'08031234567'`. Assumptions:
   * phone-digits.
   */
  first_person_phone: string;
  /**
   * Name of the second contact person in the group. Must not be blank or contain control
   * characters. Example: `'Tunde Bello'`. Assumptions: encoding, text-and-numbers.
   */
  second_person_name: string;
  /**
   * The people to insure: an array of 1 to 5000 members, or the same array as a JSON string.
   * Assumptions: group-life-members.
   */
  members: GroupLifeMemberRequest[] | string;
  /**
   * Phone number of the second contact person, 11 digits. Example: `'08059876543'`. Assumptions:
   * phone-digits.
   */
  second_person_phone?: string | null | undefined;
  /**
   * First day of cover, YYYY-MM-DD. The default is the day of verify in UTC. Must be 1900-01-01 or
   * later. Example: `'2026-02-01'`. Assumptions: text-and-numbers, group-life-initiate-body,
   * group-life-dates, date-limits, time-zone.
   */
  start_date?: string | null | undefined;
  /** Status. Accepted and ignored. Assumptions: group-life-initiate-body. */
  status?: boolean | string | number | null | undefined;
}

/** Success response of `initiateGroupLifePolicy`. */
export interface GroupLifeInitiateResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** The token of a pending purchase. */
  data: GroupLifePurchaseToken;
}

/**
 * A group-life policy in the list. Its purchaser has fewer fields than in details. Assumptions:
 * group-life-items.
 */
export interface GroupLifeListedPolicy {
  /** Id of this record. */
  id: number;
  /** Id of the purchaser. */
  user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Id of the merchant. */
  merchant_id: number;
  /**
   * Policy number: IN followed by 8 digits. Example: `'IN59810802'`. Assumptions:
   * group-life-policy-number.
   */
  policy_number: string;
  /** Name of the group. */
  group_name: string;
  /** Kind of group. */
  group_type: string;
  /** Address of the group. */
  group_contact_address: string;
  /** Name of the first contact person in the group. */
  first_person_name: string;
  /** Phone number of the first contact person, 11 digits. */
  first_person_phone: string;
  /** Name of the second contact person in the group. */
  second_person_name: string;
  /** Phone number of the second contact person, 11 digits. Null if none was sent. */
  second_person_phone: string | null;
  /**
   * First day of cover, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * group-life-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * One year after start_date. As `2026-01-31T10:00:57.000000Z`. Assumptions: group-life-dates,
   * month-end, timestamp-precision, time-zone.
   */
  end_date: string | null;
  /** The only documented value is true. */
  status: boolean;
  /**
   * Null for new customers. No request sets this field. As `2026-01-31T10:00:57.000000Z`.
   * Assumptions: subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** The purchaser of a listed policy. Details returns more fields. */
  user: GroupLifeListedUser;
  /** A group-life product with its service and class. */
  product: GroupLifeProduct;
  /** The insured members. */
  group_life_members: GroupLifeMember[];
}

/** The purchaser of a listed policy. Details returns more fields. */
export interface GroupLifeListedUser {
  /** Id of this record. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  address: string | null;
  /** Gender as sent in the request. Null if none was sent. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
}

/** Success response of `listGroupLifePolicies`. */
export interface GroupLifeListResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** One page of group-life policies. */
  data: GroupLifePolicyPage;
}

/** An insured person. */
export interface GroupLifeMember {
  /** Id of this record. */
  id: number;
  /** Id of the policy. */
  policy_id: number;
  /** Full name. */
  full_name: string;
  /** Gender as sent in the request. */
  gender: string;
  /** Occupation. */
  occupation: string;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** Full name of the next of kin. */
  next_of_kiln: string;
  /** Phone number, 11 digits. */
  phone_number: string;
  /** The only documented value is `group-life`. */
  policy_type: string;
  /**
   * Null for new customers. No request sets this field. As `2026-01-31T10:00:57.000000Z`.
   * Assumptions: subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
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
  /** Gender of the member, `female` or `male` in any case. Assumptions: text-and-numbers. */
  gender: string;
  /**
   * Occupation of the member. Must not be blank or contain control characters. Example: `'Tailor'`.
   * Assumptions: encoding, text-and-numbers.
   */
  occupation: string;
  /**
   * Date of birth of the member, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
   * Example: `'1992-08-03'`. Assumptions: text-and-numbers, date-limits, time-zone.
   */
  date_of_birth: string;
  /**
   * Full name of the next of kin. Required unless `next_of_kin` is sent. The spelling of the field
   * is part of the API. Must not be blank or contain control characters. Example: `'Sade Ade'`.
   * Assumptions: encoding, text-and-numbers.
   */
  next_of_kiln?: string | undefined;
  /**
   * Used if `next_of_kiln` is not sent. Must not be blank or contain control characters. Example:
   * `'Sade Ade'`. Assumptions: encoding, text-and-numbers.
   */
  next_of_kin?: string | undefined;
  /** Phone number of the member, 11 digits. Example: `'08067654321'`. Assumptions: phone-digits. */
  phone_number: string;
}

/** A group-life policy with its purchaser, product and members. */
export interface GroupLifePolicy {
  /** Id of this record. */
  id: number;
  /** Id of the purchaser. */
  user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Id of the merchant. */
  merchant_id: number;
  /**
   * Policy number: IN followed by 8 digits. Example: `'IN59810802'`. Assumptions:
   * group-life-policy-number.
   */
  policy_number: string;
  /** Name of the group. */
  group_name: string;
  /** Kind of group. */
  group_type: string;
  /** Address of the group. */
  group_contact_address: string;
  /** Name of the first contact person in the group. */
  first_person_name: string;
  /** Phone number of the first contact person, 11 digits. */
  first_person_phone: string;
  /** Name of the second contact person in the group. */
  second_person_name: string;
  /** Phone number of the second contact person, 11 digits. Null if none was sent. */
  second_person_phone: string | null;
  /**
   * First day of cover, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * group-life-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * One year after start_date. As `2026-01-31T10:00:57.000000Z`. Assumptions: group-life-dates,
   * month-end, timestamp-precision, time-zone.
   */
  end_date: string | null;
  /** The only documented value is true. */
  status: boolean;
  /**
   * Null for new customers. No request sets this field. As `2026-01-31T10:00:57.000000Z`.
   * Assumptions: subscriber-defaults, timestamp-precision, time-zone.
   */
  deleted_at: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** The purchaser of a group-life policy. */
  user: GroupLifeUser;
  /** A group-life product with its service and class. */
  product: GroupLifeProduct;
  /** The insured members. */
  group_life_members: GroupLifeMember[];
}

/** One page of group-life policies. */
export interface GroupLifePolicyPage {
  /** Number of this page. Assumptions: page-out-of-range. */
  current_page: number;
  /** The items on this page, oldest first. Assumptions: list-order. */
  data: GroupLifeListedPolicy[];
  /** URL of the first page. It keeps `per_page` and the filters. Assumptions: page-urls. */
  first_page_url: string;
  /** URL of the last page. It keeps `per_page` and the filters. Assumptions: page-urls. */
  last_page_url: string;
  /**
   * URL of the next page, or null on the last page. It keeps `per_page` and the filters.
   * Assumptions: page-urls.
   */
  next_page_url: string | null;
  /**
   * URL of the previous page, or null on the first page. It keeps `per_page` and the filters.
   * Assumptions: page-urls.
   */
  prev_page_url: string | null;
  /** URL of the list without query parameters. */
  path: string;
  /**
   * Position in the whole list of the first item on this page, from 1. Null if the page is empty.
   * Assumptions: page-out-of-range.
   */
  from: number | null;
  /**
   * Position in the whole list of the last item on this page, from 1. Null if the page is empty.
   * Assumptions: page-out-of-range.
   */
  to: number | null;
  /** Number of the last page. 1 if the list is empty. Assumptions: page-out-of-range. */
  last_page: number;
  /** Number of items on all pages. */
  total: number;
  /** Maximum number of items on a page. Assumptions: list-selection. */
  per_page: number;
}

/** A group-life product with its service and class. */
export interface GroupLifeProduct {
  /** Id of the product. */
  id: number;
  /** Name of the product. */
  name: string;
  /** Description of the cover. It may contain HTML. */
  details: string;
  /** Whether the product covers beneficiaries. Assumptions: users-count. */
  beneficiaries: boolean;
  /** Maximum number of beneficiaries in a purchase. Assumptions: users-count. */
  max_beneficiaries: number;
  /** Id of the provider. */
  provider_id: number;
  /** URL of the logo. Null if there is none. */
  logo_url: string | null;
  /** Whether the product can be bought. Assumptions: catalogue. */
  enable: boolean;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** Id of the service of the product. */
  service_id: number;
  /** Id of the product class. */
  product_class_id: number;
}

/** The token of a pending purchase. */
export interface GroupLifePurchaseToken {
  /**
   * Purchase token. Send it to verify within 15 minutes. At exactly 15:00.000 it has expired.
   * Example: `'GLP176985360040173958'`. Assumptions: token-format, token-boundary.
   */
  token: string;
}

/** The purchaser of a group-life policy. */
export interface GroupLifeUser {
  /** Id of this record. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  address: string | null;
  /** Gender as sent in the request. Null if none was sent. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** Always null. */
  password: null;
  /**
   * Number of the purchaser, 10 digits. It is not the `policy_number` of the policy. Example:
   * `'4898671855'`. Assumptions: group-life-user.
   */
  policy_no: string;
  /** Whether the purchase named beneficiaries. */
  have_beneficiaries: boolean;
  /** True for new customers. */
  enable: boolean;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  next_of_kin_full_name: string | null;
  /** Id of the merchant. */
  merchant_user_id: number | null;
  /** `principal` for new customers. Assumptions: subscriber-defaults. */
  user_type: string;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  principal_policy_no: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  nin_number: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  id_url: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  profile_url: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  company_id: number | null;
  /** 0 for new customers. Assumptions: subscriber-defaults. */
  verify_phone: number | null;
  /** 0 for new customers. Assumptions: subscriber-defaults. */
  verify_email: number | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  town: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  state_of_residence: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  transaction_pin: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  occupation: string | null;
}

/** The purchase to complete. */
export interface GroupLifeVerifyRequest {
  /**
   * Purchase token that initiate returned. Must not be blank. Example: `'GLP176985360040173958'`.
   * Assumptions: group-life-verify-body, token-unknown.
   */
  token: string;
}

/** Success response of `verifyGroupLifePolicy`. */
export interface GroupLifeVerifyResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always 200. */
  response_code: number;
  /** A group-life policy with its purchaser, product and members. */
  data: GroupLifePolicy;
}

/** Failure of an operation whose success has `message`. Assumptions: error-envelope. */
export interface MessageFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  message: string;
  /** The HTTP status, as a string. Example: `'400'`. Assumptions: error-code-type. */
  response_code: string;
  /** The problems with the request. */
  data: FailureData;
}

/** A person covered besides the principal. */
export interface MicroHealthBeneficiary {
  /** Id of this record. */
  id: number;
  /** Full name. */
  full_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  surname: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  email: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  phone_no: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  address: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  gender: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  date_of_birth: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  product_id: number | null;
  /** Id of the subscriber. */
  user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
}

/** The details of a new policy. Assumptions: micro-health-required. */
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
  /**
   * Phone number of the principal, 11 digits. Example: `'08031234567'`. Assumptions: phone-digits.
   */
  phone_no: string;
  /**
   * Date of birth of the principal, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
   * Example: `'1990-04-12'`. Assumptions: text-and-numbers, date-limits, time-zone.
   */
  date_of_birth: string;
  /** Id of a micro-health product. Example: `1`. Assumptions: product-id-type, catalogue. */
  product_id: number | string;
  /**
   * How often the premium is paid. `yearly` means `annually`. Example: `'monthly'`. Assumptions:
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /**
   * The premium for this number of users and payment frequency, in naira. Any other amount is
   * refused. At most two decimal places. Example: `700`. Assumptions: text-and-numbers,
   * amount-check, currency.
   */
  amount: number | string;
  /**
   * National identification number of the principal, 11 digits. Example: `'12345678901'`.
   * Assumptions: nin-number.
   */
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
   * `'https://files.example.com/id.png'`. Assumptions: text-and-numbers, id-url.
   */
  id_url: string;
  /**
   * Photo of the principal: a URL or any other text. Must not contain control characters. Example:
   * `'https://files.example.com/me.png'`. Assumptions: text-and-numbers, encoding.
   */
  profile_url?: string | null | undefined;
}

/** Success response of `initiateMicroHealthSubscription`. */
export interface MicroHealthInitiateResponse {
  /** Always true. */
  success: true;
  /** The token of a pending purchase. */
  data: MicroHealthPurchaseToken;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always `FRT008`. */
  response_code: string;
}

/** The subscription of a listed subscriber. Assumptions: subscriptions-key. */
export interface MicroHealthListedSubscription {
  /** Id of this record. */
  id: number;
  /** Id of the subscriber. */
  user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Whether the premium is paid more often than once a year. Assumptions: recurring. */
  recurring: boolean;
  /** How often the premium is paid, as chosen at purchase. */
  subscriptions_type: 'monthly' | 'quarterly' | 'annually';
  /** Number of periods paid. Assumptions: subscriptions-no. */
  subscriptions_no: number;
  /**
   * When the purchase was completed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * When the paid cover ends. As `2026-01-31T10:00:57.000000Z`. Assumptions: subscription-dates,
   * top-up-dates, top-up-anchor, month-end, timestamp-precision, time-zone.
   */
  end_date: string;
  /** 1 if enabled. It stays 1 after a lapse. Assumptions: no-expiry-transition. */
  enable: number;
  /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
  policy_no: string;
  /** Id of the merchant. */
  merchant_user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /**
   * Start of the uninterrupted cover, YYYY-MM-DD HH:MM:SS in UTC. Assumptions: subscription-dates,
   * top-up-dates, time-zone.
   */
  active_date: string;
}

/** Success response of `listMicroHealthSubscriptions`. */
export interface MicroHealthListResponse {
  /** Always true. */
  success: true;
  /** One page of subscribers. */
  data: MicroHealthSubscriberPage;
  /** Success message. Assumptions: success-messages. */
  message: string;
}

/** A micro-health product. */
export interface MicroHealthProduct {
  /** Id of the product. */
  id: number;
  /** Name of the product. */
  name: string;
  /** Description of the cover. It may contain HTML. */
  details: string;
  /** Whether the product covers beneficiaries. Assumptions: users-count. */
  beneficiaries: boolean;
  /** Maximum number of beneficiaries in a purchase. Assumptions: users-count. */
  max_beneficiaries: number;
  /** Id of the provider. */
  provider_id: number;
  /** URL of the logo. Null if there is none. */
  logo_url: string | null;
  /** Whether the product can be bought. Assumptions: catalogue. */
  enable: boolean;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
}

/** The token of a pending purchase. */
export interface MicroHealthPurchaseToken {
  /**
   * Purchase token. Send it to verify within 15 minutes. At exactly 15:00.000 it has expired.
   * Example: `'3f7a1c9be20d4586a7b1c3d5e7f90123456789ab'`. Assumptions: token-format,
   * token-boundary.
   */
  token: string;
}

/** A quote for a micro-health plan. */
export interface MicroHealthQuote {
  /** The premium for one period, in naira. Example: `700`. Assumptions: price-config, currency. */
  quote_price: number;
}

/** The plan to quote. Assumptions: micro-health-required. */
export interface MicroHealthQuoteRequest {
  /**
   * Number of people covered: the principal and the beneficiaries. With one beneficiary it is 2.
   * Assumptions: text-and-numbers, users-count.
   */
  no_of_users: number | string;
  /**
   * How often the premium is paid. `yearly` means `annually`. Example: `'monthly'`. Assumptions:
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /** Id of a micro-health product. Example: `1`. Assumptions: product-id-type, catalogue. */
  product_id: number | string;
}

/** Success response of `getMicroHealthQuote`. */
export interface MicroHealthQuoteResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always `QOT101`. */
  response_code: string;
  /** A quote for a micro-health plan. */
  data: MicroHealthQuote;
}

/** A subscriber with the subscription, the beneficiaries and the premiums paid. */
export interface MicroHealthSubscriber {
  /** Id of this record. */
  id: number;
  /** First name. */
  first_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  middle_name: string | null;
  /** Surname. */
  surname: string;
  /** Phone number, 11 digits. */
  phone_no: string;
  /** E-mail address. */
  email: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  address: string | null;
  /** Gender as sent in the request. Null if none was sent. Assumptions: subscriber-defaults. */
  gender: string | null;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  date_of_birth: string;
  /** Always null. */
  password: null;
  /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
  policy_no: string;
  /** Whether the purchase named beneficiaries. */
  have_beneficiaries: boolean;
  /** True for new customers. */
  enable: boolean;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  next_of_kin_full_name: string | null;
  /** Id of the merchant. */
  merchant_user_id: number | null;
  /** `principal` for new customers. Assumptions: subscriber-defaults. */
  user_type: string;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** The people covered besides the principal. */
  beneficiary: MicroHealthBeneficiary[];
  /** The subscription of a listed subscriber. */
  subscriptions: MicroHealthListedSubscription;
  /** The premiums paid. */
  transactions: MicroHealthTransaction[];
}

/** One page of subscribers. */
export interface MicroHealthSubscriberPage {
  /** Number of this page. Assumptions: page-out-of-range. */
  current_page: number;
  /** The items on this page, oldest first. Assumptions: list-order. */
  data: MicroHealthSubscriber[];
  /** URL of the first page. It keeps `per_page` and the filters. Assumptions: page-urls. */
  first_page_url: string;
  /** URL of the last page. It keeps `per_page` and the filters. Assumptions: page-urls. */
  last_page_url: string;
  /**
   * URL of the next page, or null on the last page. It keeps `per_page` and the filters.
   * Assumptions: page-urls.
   */
  next_page_url: string | null;
  /**
   * URL of the previous page, or null on the first page. It keeps `per_page` and the filters.
   * Assumptions: page-urls.
   */
  prev_page_url: string | null;
  /** URL of the list without query parameters. */
  path: string;
  /**
   * Position in the whole list of the first item on this page, from 1. Null if the page is empty.
   * Assumptions: page-out-of-range.
   */
  from: number | null;
  /**
   * Position in the whole list of the last item on this page, from 1. Null if the page is empty.
   * Assumptions: page-out-of-range.
   */
  to: number | null;
  /** Number of the last page. 1 if the list is empty. Assumptions: page-out-of-range. */
  last_page: number;
  /** Number of items on all pages. */
  total: number;
  /** Maximum number of items on a page. Assumptions: list-selection. */
  per_page: number;
}

/** A micro-health policy with its product. */
export interface MicroHealthSubscription {
  /** Id of this record. */
  id: number;
  /** Id of the subscriber. */
  user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Whether the premium is paid more often than once a year. Assumptions: recurring. */
  recurring: boolean;
  /** How often the premium is paid, as chosen at purchase. */
  subscriptions_type: 'monthly' | 'quarterly' | 'annually';
  /** Number of periods paid. Assumptions: subscriptions-no. */
  subscriptions_no: number;
  /**
   * When the purchase was completed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * When the paid cover ends. As `2026-01-31T10:00:57.000000Z`. Assumptions: subscription-dates,
   * top-up-dates, top-up-anchor, month-end, timestamp-precision, time-zone.
   */
  end_date: string;
  /** 1 if enabled. It stays 1 after a lapse. Assumptions: no-expiry-transition. */
  enable: number;
  /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
  policy_no: string;
  /** Id of the merchant. */
  merchant_user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /**
   * Start of the uninterrupted cover, YYYY-MM-DD HH:MM:SS in UTC. Assumptions: subscription-dates,
   * top-up-dates, time-zone.
   */
  active_date: string;
  /** A micro-health product. */
  product: MicroHealthProduct;
}

/** The policy to renew. Assumptions: micro-health-required. */
export interface MicroHealthTopUpRequest {
  /**
   * The payment frequency chosen at purchase. Example: `'monthly'`. Assumptions: top-up-frequency,
   * frequency-words.
   */
  subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly';
  /**
   * The premium for one period, in naira. Any other amount is refused. At most two decimal places.
   * Example: `700`. Assumptions: text-and-numbers, amount-check, currency.
   */
  amount: number | string;
  /**
   * Policy number, 10 digits. Must not be blank. Example: `'1460282547'`. Assumptions: policy-no.
   */
  policy_no: string;
}

/** Success response of `topUpMicroHealthSubscription`. */
export interface MicroHealthTopUpResponse {
  /** Always true. */
  success: true;
  /** A micro-health policy with its product. */
  data: MicroHealthSubscription;
  /** Success message. Assumptions: success-messages. */
  message: string;
}

/** A payment of a premium. */
export interface MicroHealthTransaction {
  /** Id of this record. */
  id: number;
  /** Id of the subscriber. */
  user_id: number;
  /** The premium paid, in naira with two decimals. Example: `'700.00'`. Assumptions: currency. */
  amount: string;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** The only documented value is `successful`. */
  status: string;
  /** The only documented value is `credit`. */
  type: string;
  /** Id of the subscription. */
  subscriptions_id: number;
  /** Id of the merchant. */
  merchant_user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
  /** The provider's commission, in naira with two decimals. Assumptions: commissions, currency. */
  partner_commission: string;
  /** The merchant's commission, in naira with two decimals. Assumptions: commissions, currency. */
  merchant_commission: string;
  /** Sum of both commissions, in naira with two decimals. Assumptions: commissions, currency. */
  total_commission: string;
}

/** Success response of `validateMicroHealthPolicy`. */
export interface MicroHealthValidateResponse {
  /** Always true. */
  success: true;
  /** A micro-health policy with its product. */
  data: MicroHealthSubscription;
  /** Success message. Assumptions: success-messages. */
  message: string;
}

/** The purchase to complete. */
export interface MicroHealthVerifyRequest {
  /**
   * Purchase token that initiate returned. Must not be blank. Example:
   * `'3f7a1c9be20d4586a7b1c3d5e7f90123456789ab'`. Assumptions: token-unknown.
   */
  token: string;
}

/** Success response of `verifyMicroHealthSubscription`. */
export interface MicroHealthVerifyResponse {
  /** Always true. */
  success: true;
  /** A micro-health policy with its product. */
  data: MicroHealthSubscription;
  /** Success message. Assumptions: success-messages. */
  message: string;
}

/** The policy to look up. Assumptions: motor-details-field. */
export interface MotorDetailsRequest {
  /**
   * Policy number. Required unless it is sent as `policyNumber` or `policy_number`. Must not be
   * blank. Example: `'INS6120483957714'`. Assumptions: motor-details-field.
   */
  Policy_number?: string | undefined;
  /**
   * The same as `Policy_number`, which is used if both are sent. Must not be blank. Example:
   * `'INS6120483957714'`. Assumptions: motor-details-field.
   */
  policyNumber?: string | undefined;
  /**
   * The same as `Policy_number`, which is used if both are sent. Must not be blank. Example:
   * `'INS6120483957714'`. Assumptions: motor-details-field.
   */
  policy_number?: string | undefined;
}

/** Success response of `getMotorPolicyDetails`. */
export interface MotorDetailsResponse {
  /** Always true. */
  success: true;
  /** A comprehensive motor policy. */
  data: MotorPolicy;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always an empty string. */
  response_code: string;
}

/** The policy as it will be after verify, with the purchase token. */
export interface MotorInitiatedPolicy {
  /**
   * `comprehensive-motor-` followed by the policy number in lower case. Example:
   * `'comprehensive-motor-ins6120483957714'`. Assumptions: motor-slug.
   */
  slug: string;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Id of the merchant. */
  merchant_user_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** Sum insured, in naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** Type of cover, such as the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * Length of the cover, as a number of payment periods. It has the type of the request: an integer
   * or a string of digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** Type of vehicle. */
  vehicle_type: string;
  /** First day of cover, YYYY-MM-DD. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /**
   * Day on which the cover ends, YYYY-MM-DD: `start_date` plus `duration` payment periods. Y-m-d.
   * Assumptions: motor-dates, month-end.
   */
  end_date: string;
  /** Number plate. */
  registration_no: string;
  /** Make of the vehicle. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** Model of the vehicle. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** Year of manufacture, YYYY. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** Colour of the vehicle. */
  vehicle_color: string;
  /** Chassis number. */
  chasis_no: string;
  /** Engine number. */
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
  /**
   * Policy number: INS followed by 13 digits. Example: `'INS6120483957714'`. Assumptions:
   * motor-policy-number.
   */
  policy_number: string;
  /** Name of the contact person for the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** Day of the inspection, YYYY-MM-DD. Y-m-d. */
  inspection_date: string;
  /**
   * Purchase token. Send it to verify within 15 minutes. At exactly 15:00.000 it has expired.
   * Example: `'CMP169848000048213075'`. Assumptions: motor-initiate-token, token-format,
   * token-boundary.
   */
  token: string;
}

/** The details of a new policy. */
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
  /** Gender of the customer, `female` or `male` in any case. Assumptions: motor-gender. */
  gender: string;
  /**
   * Id of a motor product. Example: `4`. Assumptions: product-id-type, catalogue, motor-product.
   */
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
  /** How often the premium is paid. `annually` means `yearly`. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly' | 'annually';
  /**
   * Sum insured: the most that is paid after an accident, in naira. At most two decimal places.
   * Example: `5000000`. Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  sum_insured: number | string;
  /**
   * Type of cover, such as the name of a tier. Must not be blank or contain control characters.
   * Example: `'bronze'`. Assumptions: encoding, text-and-numbers.
   */
  insurance_cover: string;
  /**
   * Value of the tracker in the car, in naira. At most two decimal places. Example: `60000`.
   * Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  tracker_value: number | string;
  /**
   * Estimated cost of a diagnostic test, in naira. At most two decimal places. Example: `15000`.
   * Assumptions: text-and-numbers, motor-vehicle-value, currency.
   */
  diagnostic_cost: number | string;
  /**
   * Length of the cover, as a number of payment periods. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /**
   * Type of vehicle. Must not be blank or contain control characters. Example: `'saloon'`.
   * Assumptions: encoding, text-and-numbers.
   */
  vehicle_type: string;
  /**
   * First day of cover, YYYY-MM-DD. Must be 1900-01-01 or later. Example: `'2026-02-01'`.
   * Assumptions: text-and-numbers, date-limits.
   */
  start_date: string;
  /**
   * Number plate. Must not be blank or contain control characters. Example: `'KJA-482GR'`.
   * Assumptions: encoding, text-and-numbers.
   */
  registration_no: string;
  /**
   * Make of the vehicle. Must not be blank or contain control characters. Example: `'Toyota'`.
   * Assumptions: motor-make-model, encoding.
   */
  vehicle_make: string | number;
  /**
   * Model of the vehicle. Must not be blank or contain control characters. Example: `'Corolla'`.
   * Assumptions: motor-make-model, encoding.
   */
  vehicle_model: string | number;
  /**
   * Year of manufacture, YYYY. From 1900 to the next calendar year. Example: `'2015'`. Assumptions:
   * motor-year-make.
   */
  year_make: string | number;
  /**
   * Colour of the vehicle. Must not be blank or contain control characters. Example: `'silver'`.
   * Assumptions: encoding, text-and-numbers.
   */
  vehicle_color: string;
  /**
   * Engine number. Must not be blank or contain control characters. Example: `'2ZR4831907'`.
   * Assumptions: encoding, text-and-numbers.
   */
  engine_no: string;
  /**
   * Chassis number. Must not be blank or contain control characters. Example:
   * `'2T1BURHE5FC301482'`. Assumptions: encoding, text-and-numbers.
   */
  chasis_no: string;
  /**
   * Name of the contact person for the vehicle. Must not be blank or contain control characters.
   * Example: `'Bola Ade'`. Assumptions: encoding, text-and-numbers.
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
   * Day of the inspection, YYYY-MM-DD. Must be 1900-01-01 or later. Example: `'2026-01-30'`.
   * Assumptions: text-and-numbers, date-limits.
   */
  inspection_date: string;
  /** Address of the customer. Accepted and ignored. Assumptions: motor-sample-fields. */
  address?: string | null | undefined;
  /** Relationship. Accepted and ignored. Assumptions: motor-sample-fields. */
  relationship?: string | null | undefined;
  /** Variant of the vehicle. Accepted and ignored. Assumptions: motor-sample-fields. */
  variant_type?: string | null | undefined;
  /** Amount insured, in naira. Accepted and ignored. Assumptions: motor-sample-fields. */
  amount_insured?: number | string | null | undefined;
  /** Identity of the customer. Accepted and ignored. Assumptions: motor-sample-fields. */
  identity?: string | null | undefined;
  /** Surname of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
  nok_surname?: string | null | undefined;
  /** Other names of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
  nok_othernames?: string | null | undefined;
  /**
   * Relationship of the next of kin to the customer. Accepted and ignored. Assumptions:
   * motor-sample-fields.
   */
  nok_relationship?: string | null | undefined;
  /** Gender of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
  nok_gender?: string | null | undefined;
  /** Phone number of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
  nok_phone_no?: string | number | null | undefined;
  /** E-mail address of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
  nok_email_address?: string | null | undefined;
  /** URL of an identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
  id_url?: string | null | undefined;
  /** Number of the identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
  id_number?: string | number | null | undefined;
  /** Type of the identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
  id_type?: string | null | undefined;
}

/** Success response of `initiateMotorPolicy`. */
export interface MotorInitiateResponse {
  /** Always true. */
  success: true;
  /** The policy as it will be after verify, with the purchase token. */
  data: MotorInitiatedPolicy;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always an empty string. */
  response_code: string;
}

/** A motor policy in the list. */
export interface MotorListedPolicy {
  /**
   * `comprehensive-motor-` followed by the policy number in lower case. Example:
   * `'comprehensive-motor-ins6120483957714'`. Assumptions: motor-slug.
   */
  slug: string;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /**
   * Length of the cover, as a number of payment periods. It has the type of the request: an integer
   * or a string of digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** Type of vehicle. */
  vehicle_type: string;
  /** First day of cover, YYYY-MM-DD. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /**
   * Day on which the cover ends, YYYY-MM-DD: `start_date` plus `duration` payment periods. Y-m-d.
   * Assumptions: motor-dates, month-end.
   */
  end_date: string;
  /** Sum insured, in naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** Type of cover, such as the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /** The only documented value is `activated`. */
  status: string;
  /**
   * Policy number: INS followed by 13 digits. Example: `'INS6120483957714'`. Assumptions:
   * motor-policy-number.
   */
  policy_number: string;
}

/** Success response of `listMotorPolicies`. */
export interface MotorListResponse {
  /** Always true. */
  success: true;
  /** The policies of the merchant, oldest first. */
  data: MotorPolicyList;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always an empty string. */
  response_code: string;
}

/** A comprehensive motor policy. */
export interface MotorPolicy {
  /**
   * `comprehensive-motor-` followed by the policy number in lower case. Example:
   * `'comprehensive-motor-ins6120483957714'`. Assumptions: motor-slug.
   */
  slug: string;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Id of the merchant. */
  merchant_user_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** Sum insured, in naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** Type of cover, such as the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * Length of the cover, as a number of payment periods. It has the type of the request: an integer
   * or a string of digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** Type of vehicle. */
  vehicle_type: string;
  /** First day of cover, YYYY-MM-DD. Y-m-d. Assumptions: motor-dates. */
  start_date: string;
  /**
   * Day on which the cover ends, YYYY-MM-DD: `start_date` plus `duration` payment periods. Y-m-d.
   * Assumptions: motor-dates, month-end.
   */
  end_date: string;
  /** Number plate. */
  registration_no: string;
  /** Make of the vehicle. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** Model of the vehicle. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** Year of manufacture, YYYY. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** Colour of the vehicle. */
  vehicle_color: string;
  /** Chassis number. */
  chasis_no: string;
  /** Engine number. */
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
  /**
   * Policy number: INS followed by 13 digits. Example: `'INS6120483957714'`. Assumptions:
   * motor-policy-number.
   */
  policy_number: string;
  /** Name of the contact person for the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** Day of the inspection, YYYY-MM-DD. Y-m-d. */
  inspection_date: string;
}

/** The policies of the merchant, oldest first. Assumptions: motor-list, list-order. */
export type MotorPolicyList = MotorListedPolicy[];

/** A quote for a motor policy. */
export interface MotorQuote {
  /**
   * The premium, in naira with at most two decimals. Example: `250000`. Assumptions: motor-quote,
   * currency.
   */
  premium: number;
  /** Value of the vehicle, in naira. Example: `5000000`. Assumptions: motor-quote, currency. */
  amount_insured: number;
}

/** The vehicle to quote. */
export interface MotorQuoteRequest {
  /**
   * Id of a motor product. Example: `4`. Assumptions: product-id-type, catalogue, motor-product.
   */
  product_id: number | string;
  /**
   * Value of the vehicle, in naira. At most two decimal places. Example: `5000000`. Assumptions:
   * text-and-numbers, currency.
   */
  vehicle_value: number | string;
}

/** Success response of `getMotorQuote`. */
export interface MotorQuoteResponse {
  /** Always true. */
  success: true;
  /** A quote for a motor policy. */
  data: MotorQuote;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always an empty string. */
  response_code: string;
}

/** The new policy. */
export interface MotorVerifiedPolicy {
  /**
   * `comprehensive-motor-` followed by the policy number in lower case. Example:
   * `'comprehensive-motor-ins6120483957714'`. Assumptions: motor-slug.
   */
  slug: string;
  /** Id of the product. Assumptions: catalogue. */
  product_id: number;
  /** Id of the merchant. */
  merchant_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  frequency_type: 'monthly' | 'quarterly' | 'yearly';
  /** Sum insured, in naira. Example: `5000000`. Assumptions: motor-vehicle-value, currency. */
  vehicle_value: number;
  /** Type of cover, such as the name of a tier. Example: `'bronze'`. */
  insurance_cover: string;
  /**
   * Length of the cover, as a number of payment periods. It has the type of the request: an integer
   * or a string of digits. Example: `1`. Assumptions: motor-duration.
   */
  duration: number | string;
  /** Type of vehicle. */
  vehicle_type: string;
  /**
   * First day of cover, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * motor-dates, timestamp-precision, time-zone.
   */
  start_date: string;
  /**
   * Day on which the cover ends, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * motor-dates, timestamp-precision, time-zone.
   */
  end_date: string;
  /** Number plate. */
  registration_no: string;
  /** Make of the vehicle. Assumptions: motor-make-model. */
  vehicle_make: string;
  /** Model of the vehicle. Assumptions: motor-make-model. */
  vehicle_model: string;
  /** Year of manufacture, YYYY. Example: `'2015'`. Assumptions: motor-year-make. */
  year_make: string;
  /** Colour of the vehicle. */
  vehicle_color: string;
  /** Chassis number. */
  chasis_no: string;
  /** Engine number. */
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
  /**
   * Policy number: INS followed by 13 digits. Example: `'INS6120483957714'`. Assumptions:
   * motor-policy-number.
   */
  policy_number: string;
  /** Name of the contact person for the vehicle. */
  contact_person_name: string;
  /** Address of the contact person. */
  contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  contact_person_phone_no: string;
  /** Day of the inspection, YYYY-MM-DD. Y-m-d. */
  inspection_date: string;
  /** Id of this record. */
  id: number;
  /** Id of the customer. */
  user_id: number;
  /** The only documented value is true. */
  status: boolean;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: motor-dates,
   * timestamp-precision, time-zone.
   */
  created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision, time-zone.
   */
  updated_at: string;
}

/** The purchase to complete. */
export interface MotorVerifyRequest {
  /**
   * Purchase token that initiate returned. Must not be blank. Example: `'CMP169848000048213075'`.
   * Assumptions: token-unknown.
   */
  token: string;
}

/** Success response of `verifyMotorPolicy`. */
export interface MotorVerifyResponse {
  /** Always true. */
  success: true;
  /** Success message. Assumptions: success-messages. */
  response_message: string;
  /** Always an empty string. */
  response_code: string;
  /** The new policy. */
  data: MotorVerifiedPolicy;
}

/**
 * Failure of an operation whose success has an integer as `response_code`. Assumptions:
 * error-envelope.
 */
export interface StatusFailure {
  /** Always false. */
  success: false;
  /** The first problem. Assumptions: error-envelope. */
  response_message: string;
  /** The HTTP status, as an integer. Example: `400`. Assumptions: error-code-type. */
  response_code: number;
  /** The problems with the request. */
  data: FailureData;
}

/** Every call of the merchant API by its operationId: what it takes, and what it answers. */
export interface Operations {
  /**
   * Get a micro-health quote. Returns the premium for a product, a number of users and a payment
   * frequency. Send this premium as the `amount` of the purchase. `POST
   * /api/merchant/micro_health/get_quote`
   */
  getMicroHealthQuote: {
    body: MicroHealthQuoteRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthQuoteResponse;
    failure: CodedFailure;
  };
  /**
   * Start a micro-health purchase. Saves the purchase details for 15 minutes and returns the token
   * for verify. There is no policy until verify succeeds. `POST
   * /api/merchant/micro_health/initiate`
   */
  initiateMicroHealthSubscription: {
    body: MicroHealthInitiateRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthInitiateResponse;
    failure: CodedFailure;
  };
  /**
   * Complete a micro-health purchase. Turns the pending purchase into a policy and returns it. Send
   * the purchase token within 15 minutes of initiate. Each token works once. `POST
   * /api/merchant/micro_health/verify`
   */
  verifyMicroHealthSubscription: {
    body: MicroHealthVerifyRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthVerifyResponse;
    failure: MessageFailure;
  };
  /**
   * Renew a micro-health policy. Pays for one more period and returns the renewed policy. The new
   * period starts when the current one ends, or now if the policy has lapsed. The payment
   * frequency stays the same. `POST /api/merchant/micro_health/top_up`
   */
  topUpMicroHealthSubscription: {
    body: MicroHealthTopUpRequest;
    query: undefined;
    params: undefined;
    response: MicroHealthTopUpResponse;
    failure: MessageFailure;
  };
  /**
   * List micro-health policies. Returns the policies of the merchant page by page. Each item is a
   * subscriber with the subscription, the beneficiaries and the premiums paid. Filter by `period`,
   * or by `start_date` and `end_date`. `GET /api/merchant/micro_health/all_subscriptions`
   */
  listMicroHealthSubscriptions: {
    body: undefined;
    query: {
      /**
       * Page to return, from 1. Anything but a positive whole number counts as 1. Assumptions:
       * list-selection, page-out-of-range.
       */
      page?: number | undefined;
      /** Items per page, 1 to 100. The default is 15. Assumptions: list-selection. */
      per_page?: number | undefined;
      /**
       * Only policies bought in the current day, week, month, quarter or year. Periods are in UTC
       * and weeks start on Monday. Assumptions: list-selection, time-zone.
       */
      period?: 'day' | 'week' | 'month' | 'quarter' | 'year' | undefined;
      /**
       * Only policies bought on or after this day, YYYY-MM-DD, in UTC. Must be 1900-01-01 or later.
       * Example: `'2023-09-01'`. Assumptions: list-selection, date-limits, time-zone.
       */
      start_date?: string | undefined;
      /**
       * Only policies bought on or before this day, YYYY-MM-DD, in UTC. Must be 1900-01-01 or
       * later. Example: `'2023-11-30'`. Assumptions: list-selection, date-limits, time-zone.
       */
      end_date?: string | undefined;
    };
    params: undefined;
    response: MicroHealthListResponse;
    failure: MessageFailure;
  };
  /**
   * Look up a micro-health policy. Returns the policy with this policy number. Lapsed policies are
   * returned too: check `end_date`. `GET /api/merchant/micro_health/validate_policy/{policy_no}`
   */
  validateMicroHealthPolicy: {
    body: undefined;
    query: undefined;
    params: {
      /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
      policy_no: string;
    };
    response: MicroHealthValidateResponse;
    failure: MessageFailure;
  };
  /**
   * Start a motor purchase. Saves the purchase details for 15 minutes. Returns the token for verify
   * and the policy as it will be, including its policy number. There is no policy until verify
   * succeeds. `POST /api/merchant/comprehensive_motor_initiate_policy`
   */
  initiateMotorPolicy: {
    body: MotorInitiateRequest;
    query: undefined;
    params: undefined;
    response: MotorInitiateResponse;
    failure: CodedFailure;
  };
  /**
   * Complete a motor purchase. Turns the pending purchase into a policy and returns it. Send the
   * purchase token within 15 minutes of initiate. Each token works once. `POST
   * /api/merchant/comprehensive_motor_verify_policy`
   */
  verifyMotorPolicy: {
    body: MotorVerifyRequest;
    query: undefined;
    params: undefined;
    response: MotorVerifyResponse;
    failure: CodedFailure;
  };
  /**
   * List motor policies. Returns all motor policies of the merchant in one array, without pages.
   * Pending purchases are not included. `GET /api/merchant/get_comprehensive_motor_policies`
   */
  listMotorPolicies: {
    body: undefined;
    query: undefined;
    params: undefined;
    response: MotorListResponse;
    failure: CodedFailure;
  };
  /**
   * Look up a motor policy. Returns the policy with this policy number. Send the number as
   * `Policy_number`, `policyNumber` or `policy_number`. If a request has several of them, the
   * first in this order is used. `POST /api/merchant/get_comprehensive_motor_policy_details`
   */
  getMotorPolicyDetails: {
    body: MotorDetailsRequest;
    query: undefined;
    params: undefined;
    response: MotorDetailsResponse;
    failure: CodedFailure;
  };
  /**
   * Get a motor quote. Returns the premium for a vehicle of this value. `POST
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
   * Start a group-life purchase. Saves the purchase details for 15 minutes and returns the token
   * for verify. There is no policy until verify succeeds. `POST
   * /api/merchant/group-life/policy/initiate-group-life-policy`
   */
  initiateGroupLifePolicy: {
    body: GroupLifeInitiateRequest;
    query: undefined;
    params: undefined;
    response: GroupLifeInitiateResponse;
    failure: StatusFailure;
  };
  /**
   * Complete a group-life purchase. Turns the pending purchase into a policy and returns it. Send
   * the purchase token within 15 minutes of initiate. Each token works once. `POST
   * /api/merchant/group-life/policy/verify-group-life-policy`
   */
  verifyGroupLifePolicy: {
    body: GroupLifeVerifyRequest;
    query: undefined;
    params: undefined;
    response: GroupLifeVerifyResponse;
    failure: StatusFailure;
  };
  /**
   * List group-life policies. Returns the policies of the merchant page by page. Each policy
   * includes its purchaser, product and members. `GET
   * /api/merchant/group-life/policy/merchant-group-life-policies`
   */
  listGroupLifePolicies: {
    body: undefined;
    query: {
      /**
       * Page to return, from 1. Anything but a positive whole number counts as 1. Assumptions:
       * list-selection, page-out-of-range.
       */
      page?: number | undefined;
      /** Items per page, 1 to 100. The default is 15. Assumptions: list-selection. */
      per_page?: number | undefined;
    };
    params: undefined;
    response: GroupLifeListResponse;
    failure: StatusFailure;
  };
  /**
   * Look up a group-life policy. Returns the policy with this policy number, including its
   * purchaser, product and members. Send the number as `policy_number`, `Policy_number` or
   * `policyNumber`. If a request has several of them, the first in this order is used. `POST
   * /api/merchant/group-life/policy/group-life-policy-details`
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

/** An operation that starts a purchase. */
export type InitiateOperationId =
  | 'initiateMicroHealthSubscription'
  | 'initiateMotorPolicy'
  | 'initiateGroupLifePolicy';

/** An operation whose request needs nothing but the catalogue: a quote or an initiate. */
export type SampledOperationId =
  | 'getMicroHealthQuote'
  | 'initiateMicroHealthSubscription'
  | 'initiateMotorPolicy'
  | 'getMotorQuote'
  | 'initiateGroupLifePolicy';

/** A product family. */
export type Family = 'micro_health' | 'motor' | 'group_life';

/** A policy of each family, as `merchant.records()` returns it. */
export interface Policies {
  micro_health: MicroHealthSubscriber;
  motor: MotorPolicy;
  group_life: GroupLifePolicy;
}

/** The operation that starts a purchase of each family. */
export interface InitiateOperations {
  micro_health: 'initiateMicroHealthSubscription';
  motor: 'initiateMotorPolicy';
  group_life: 'initiateGroupLifePolicy';
}
