/**
 * Every decision the sandbox took where the contract is silent (`docs/decisions.md`), by its id. Code,
 * document, response header and ledger name a decision by this id and nothing else.
 */
export const ASSUMPTIONS = {
  'error-envelope': {
    question: 'Errors other than the expired group-life token are not shown.',
    decision:
      "One proven shape everywhere: `success: false`, the message, `response_code`, `data: { error: [string, ...] }`, one string per problem. The message key is the one that call's success envelope uses: `message` on micro-health verify, top_up, all_subscriptions, validate_policy; `response_message` elsewhere.",
    basis: 'judgement',
  },
  'error-code-type': {
    question: 'Type of response_code on failure.',
    decision:
      'Group life: integer HTTP status (specified). Micro-health and motor: the HTTP status as a string, because their success codes are strings. Micro-health calls whose success has no response_code carry it on failure too.',
    basis: 'judgement',
  },
  'http-status': {
    question: 'Statuses are not shown.',
    decision:
      '200 for every success. 400 malformed JSON and every token failure; 401 key; 404 unknown policy or route; 405 wrong method (with `Allow`); 413 body over 1 MiB; 415 POST without `application/json` (parameters such as charset allowed); 422 everything that fails validation or a business rule; 500 only for our own bugs, in the same envelope.',
    basis: 'judgement',
  },
  'unknown-route': {
    question: 'Not shown.',
    decision:
      "Without a valid key 401. With one: 404, `response_message`, code as a string. A wrong method on a known path: 405 in that call's own envelope.",
    basis: 'judgement',
  },
  'validation-messages': {
    question: 'Wording not shown.',
    decision:
      "One sentence per problem, `The <field> …` with the field's wire name: `The phone_no field must be 11 digits.` Every problem of a body is reported at once, in the order of the specification's table.",
    basis: 'judgement',
  },
  'unknown-fields': {
    question: 'Samples carry undocumented fields.',
    decision: 'Unknown request fields are ignored.',
    basis: 'judgement',
  },
  'text-and-numbers': {
    question: 'Types in the tables are loose.',
    decision:
      'Text is answered as it was sent; text of white space only counts as missing. Where a number is asked, a string of decimal digits (with a decimal point for money) is accepted too; a phone number is a string only (a number has lost its leading zero). Amounts and values are above 0 (tracker_value and diagnostic_cost may be 0) and at most 1,000,000,000,000; no_of_users and duration are whole. Dates are real calendar days; a date of birth is not after today. Gender is female or male in any case, everywhere. id_url is an absolute http(s) URL, profile_url any text.',
    basis: 'judgement',
  },
  encoding: {
    question: 'Not shown.',
    decision:
      'Invalid UTF-8 is malformed JSON (400); a byte order mark is accepted; nesting beyond 100 levels is 400.',
    basis: 'judgement',
  },
  'timestamp-precision': {
    question: 'Microseconds are shown, their source is not.',
    decision:
      "Recorded moments are whole seconds, truncated, written `…:57.000000Z`, as in every documented sample (*evidence*). Expiry and ordering use the clock's full precision.",
    basis: 'evidence',
  },
  'request-body': {
    question: 'Body rules not shown.',
    decision:
      'UTF-8 JSON, an object at the top. An empty body is malformed JSON (400); JSON that is not an object is 422 `The request body must be a JSON object.` A GET needs no Content-Type.',
    basis: 'judgement',
  },
  'auth-failure': {
    question: 'Response to a missing or invalid key.',
    decision:
      '401, `WWW-Authenticate: Bearer`, message `Unauthenticated.` Checked before anything else of the request, so a bad key never learns whether a policy exists. Scheme compared without case.',
    basis: 'judgement',
  },
  'key-issue': {
    question: 'How a key is issued.',
    decision:
      'Keys come from the fixtures, or are minted through the control plane. Regenerating a key blocks the old one at once (*evidence*).',
    basis: 'evidence',
  },
  'foreign-policy': {
    question: "Reading another merchant's policy or token.",
    decision: 'Exactly the answer for one that does not exist.',
    basis: 'judgement',
  },
  'token-format': {
    question: 'Exact format.',
    decision:
      'Micro-health: 40 lower-case hex digits. Motor: `CMP`, group life: `GLP`; then 10 digits of epoch seconds and 8 more digits (*evidence* for all but the motor prefix).',
    basis: 'evidence',
  },
  'token-boundary': {
    question: 'Is the 15th minute still valid?',
    decision: 'Valid while now < initiated + 15:00.000. At 15:00.000 the details are deleted.',
    basis: 'judgement',
  },
  'token-expired': {
    question: 'Expired token outside group life.',
    decision:
      "The group-life answer in that call's envelope: 400, `Token has expired`. The details are deleted; only the token string is remembered, so that expired can be told from unknown (the newest 10,000 per merchant).",
    basis: 'judgement',
  },
  'token-unknown': {
    question: 'Unknown token; token of another family or merchant; no token.',
    decision: '400, `Invalid token`. A missing, blank or non-string token is 422.',
    basis: 'judgement',
  },
  'token-used': {
    question: 'Second verify.',
    decision:
      '400, `Token has already been used`, also after the 15 minutes. Two verifies at once create exactly one policy.',
    basis: 'judgement',
  },
  'motor-initiate-token': {
    question:
      'The motor initiate response is listed without a token, though the text says initiate returns one.',
    decision: 'The listed policy fields and `token`.',
    basis: 'judgement',
  },
  'micro-health-required': {
    question: 'Required-ness.',
    decision:
      'Required: first_name, surname, email, phone_no, date_of_birth, product_id, subscription_type, amount, nin_number, id_url (*evidence* for most). Optional: the three beneficiary names and profile_url. quote: all three fields; top_up: all three fields.',
    basis: 'evidence',
  },
  'product-id-type': {
    question: 'integer in one place, string in another.',
    decision: 'Integer or numeric string accepted everywhere, answered as integer.',
    basis: 'judgement',
  },
  'frequency-words': {
    question: '`annually` here, `yearly` elsewhere (*evidence*).',
    decision:
      'Micro-health accepts monthly, quarterly, annually, and `yearly` as a synonym answered as `annually`.',
    basis: 'evidence',
  },
  'phone-digits': {
    question: '11 digits stated for motor only.',
    decision: '11 digits everywhere (*evidence*).',
    basis: 'evidence',
  },
  'nin-number': {
    question: '"numeric identity number".',
    decision: '11 digits, number or string (*evidence*).',
    basis: 'evidence',
  },
  'users-count': {
    question: 'Number of users of a purchase.',
    decision:
      "1 + the number of non-blank beneficiary names; at most 1 + the product's max_beneficiaries. Blank names are ignored, a gap between names is allowed.",
    basis: 'judgement',
  },
  'price-config': {
    question: 'Prices not shown.',
    decision:
      'Fixtures hold a price per product, number of users and frequency. Each added user costs strictly less than the one before (*evidence*). Both micro-health products allow 3 beneficiaries. Product 1, 2 users, monthly is 700; product 3, 4 users, monthly is 700 (*evidence*: documented samples work as written).',
    basis: 'evidence',
  },
  catalogue: {
    question: 'Which product ids belong to which family.',
    decision:
      'Micro-health 1 and 3, group life 2, motor 4. A product of another family, an unknown or a disabled one is 422.',
    basis: 'judgement',
  },
  'amount-check': {
    question: 'Is `amount` compared with the price?',
    decision:
      'Yes, at initiate and top_up: 422 naming the expected amount. A simulator option `amountCheck: "ignore"` turns it off.',
    basis: 'judgement',
  },
  recurring: {
    question: 'Meaning.',
    decision: 'true for monthly and quarterly, false for annually (*evidence*).',
    basis: 'evidence',
  },
  'subscription-dates': {
    question: 'Dates of a new subscription.',
    decision:
      "start_date, active_date, created_at = moment of verify; end_date = start_date + 1, 3 or 12 calendar months, day clamped to the month's end. All UTC.",
    basis: 'judgement',
  },
  'subscriptions-no': {
    question: 'Meaning.',
    decision: 'Number of periods paid: 1 at verify, +1 at each top_up.',
    basis: 'judgement',
  },
  'subscriber-per-purchase': {
    question: 'A returning customer.',
    decision:
      'Every verified purchase makes a new subscriber with its own policy_no, shared by its beneficiaries.',
    basis: 'judgement',
  },
  'policy-no': {
    question: 'Format.',
    decision:
      "10 digits (*evidence*), unique within the World; drawn from the World's chance, which starts from the seed and the merchant's id, so that merchants' numbers differ. The same holds for motor and group-life numbers and for tokens.",
    basis: 'evidence',
  },
  'top-up-frequency': {
    question: 'May renewal change the frequency?',
    decision: 'No: subscription_type must be the one chosen at subscription, else 422.',
    basis: 'judgement',
  },
  'top-up-dates': {
    question: 'Outcome of renewal.',
    decision:
      'end_date = anchor + all periods paid since the anchor, in calendar months, day clamped (start 31 Jan 10:00: 28 Feb 10:00, 31 Mar 10:00). The anchor is active_date. Renewed before the end: active_date stays. Renewed at or after end_date (a lapse): active_date becomes now and the periods count anew. start_date never changes; updated_at is now. Compared with the stored whole second. Every renewal adds a transaction.',
    basis: 'judgement',
  },
  commissions: {
    question: 'Rates.',
    decision:
      'Fixtures hold rates per product; amounts are computed in whole kobo, each rounded half up; total_commission is the sum of the two.',
    basis: 'judgement',
  },
  'no-expiry-transition': {
    question: 'Deactivation of lapsed policies.',
    decision:
      'None: `enable` stays 1. validate_policy still answers the subscription, its end_date tells.',
    basis: 'judgement',
  },
  'list-selection': {
    question: 'Query parameters of all_subscriptions.',
    decision:
      "`page`, `per_page` (1 to 100, default 15) (*evidence*); `period` = day, week (Monday first), month, quarter or year: the current one in UTC; or `start_date` and `end_date`, Y-m-d, inclusive, either alone allowed. `period` with dates is 422. Selection is by the subscription's created_at. An empty parameter counts as absent; an unknown period, a date that is none, an end before the start, a per_page outside 1 to 100: 422.",
    basis: 'evidence',
  },
  'list-order': {
    question: 'Order.',
    decision:
      'Oldest first, in all lists. Group life takes `page` and `per_page` as micro-health does.',
    basis: 'judgement',
  },
  'page-out-of-range': {
    question: 'page=0, page=abc, a page past the end.',
    decision:
      'Not a positive whole number: page 1. Past the end: 200 with empty data, from and to null, current_page as asked, next_page_url null, prev_page_url the last page. Empty list: last_page 1, from and to null (*evidence*). Page URLs keep per_page and the selection.',
    basis: 'evidence',
  },
  'subscriptions-key': {
    question: "The list element's `subscriptions`: object or array?",
    decision: 'An object: the one subscription.',
    basis: 'judgement',
  },
  'motor-product': {
    question: 'Which product.',
    decision: 'product_id must name a motor product, else 422. The same rule holds in each family.',
    basis: 'judgement',
  },
  'motor-quote': {
    question: 'Premium formula.',
    decision:
      'premium = rate of the product × vehicle_value, rounded to 2 places; amount_insured = vehicle_value. The rate is in the fixtures (5 %).',
    basis: 'judgement',
  },
  'motor-make-model': {
    question: '"numeric" in the table, names in samples.',
    decision: 'String or number accepted, answered as string.',
    basis: 'judgement',
  },
  'motor-vehicle-value': {
    question: 'Which request field it is.',
    decision:
      'vehicle_value = sum_insured. tracker_value and diagnostic_cost are accepted and not answered.',
    basis: 'judgement',
  },
  'motor-frequency': {
    question: 'Values.',
    decision: 'monthly, quarterly, yearly; `annually` is a synonym answered as `yearly`.',
    basis: 'judgement',
  },
  'motor-duration': {
    question: 'Unit.',
    decision:
      'Number of frequency periods, 1 or more; answered as it was sent (number or numeric string).',
    basis: 'judgement',
  },
  'motor-dates': {
    question: 'end_date.',
    decision:
      "start_date + duration periods, same day, clamped to the month's end (*evidence*). Y-m-d in initiate, list and details; midnight-UTC timestamp in verify (specified). created_at is the moment of verify.",
    basis: 'evidence',
  },
  'motor-sample-fields': {
    question: 'The 14 sample-only fields.',
    decision: 'Optional and ignored (*evidence*).',
    basis: 'evidence',
  },
  'motor-images': {
    question: '"service URL" fields.',
    decision: 'Absolute http(s) URLs.',
    basis: 'judgement',
  },
  'motor-gender': {
    question: 'Case.',
    decision: 'Any case accepted.',
    basis: 'judgement',
  },
  'motor-policy-number': {
    question: 'Format, and when it exists.',
    decision:
      '`INS` + 13 digits (*evidence*), given at initiate and kept at verify. An unverified policy is in no list and has no details.',
    basis: 'evidence',
  },
  'motor-slug': {
    question: 'Format.',
    decision: '`comprehensive-motor-` + the policy number in lower case.',
    basis: 'judgement',
  },
  'motor-details-field': {
    question: 'Policy_number, policyNumber.',
    decision:
      'Both, and policy_number; the first of these that is present wins. Missing: 422 naming `Policy_number`.',
    basis: 'judgement',
  },
  'motor-list': {
    question: 'Not paginated.',
    decision: 'A plain array (specified), oldest first.',
    basis: 'judgement',
  },
  'group-life-initiate-body': {
    question: 'Not shown.',
    decision:
      'Required: email, first_name, surname, phone_no (11 digits), gender, dob (Y-m-d), product_id, group_name, group_type, group_contact_address, first_person_name, first_person_phone (11 digits), second_person_name, members. Optional: second_person_phone (11 digits), status (ignored), start_date (Y-m-d, default today) (*evidence*, start_date aside).',
    basis: 'evidence',
  },
  'group-life-members': {
    question: 'Shape of a member.',
    decision:
      'An array, or a JSON string of one, of 1 to 5,000 objects: full_name, gender, occupation, date_of_birth (Y-m-d), next_of_kiln (`next_of_kin` accepted), phone_number. All required. A problem names its place, counted from 0: `members.3.gender`.',
    basis: 'judgement',
  },
  'group-life-verify-body': {
    question: 'Not shown.',
    decision: '`token` (*evidence*).',
    basis: 'evidence',
  },
  'group-life-verify-response': {
    question: 'Not shown.',
    decision:
      'The same policy as details, message `Group life policy verified successfully`, code 200.',
    basis: 'judgement',
  },
  'group-life-details-field': {
    question: 'Not shown.',
    decision:
      '`policy_number` (*evidence*); the motor spellings work too. Missing: 422 naming `policy_number`.',
    basis: 'evidence',
  },
  'group-life-policy-number': {
    question: 'Format.',
    decision: '`IN` + 8 digits, unique within the World (*evidence*).',
    basis: 'evidence',
  },
  'group-life-dates': {
    question: 'start_date, end_date.',
    decision: 'Timestamps at midnight UTC; end_date one year after start_date.',
    basis: 'judgement',
  },
  'group-life-items': {
    question: 'What a list item holds.',
    decision:
      "As details, with product and group_life_members; only its user is the shorter one. A group-life user's policy_no is null.",
    basis: 'judgement',
  },
  'success-messages': {
    question: 'Most success messages are not shown.',
    decision: 'One sentence per operation, listed under "Messages" of the published decisions.',
    basis: 'evidence',
  },
} as const satisfies Record<string, Assumption>;

export interface Assumption {
  /** What the contract leaves open. */
  readonly question: string;
  /** What the sandbox does. */
  readonly decision: string;
  /** Whether other public documentation of the same interface supports it, or only our judgement. */
  readonly basis: 'evidence' | 'judgement';
}

export type AssumptionId = keyof typeof ASSUMPTIONS;
