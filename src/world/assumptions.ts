/** A question the contract leaves open, and what the sandbox does (`docs/decisions.md`). */
export interface Assumption {
  /** What the contract leaves open. */
  readonly question: string;
  /** What the sandbox does. */
  readonly decision: string;
  /** Whether other public documentation of the same interface supports it, or only our judgement. */
  readonly basis: 'evidence' | 'judgement';
}

/**
 * The rows that every family rests on, by id. Code, documents, response header and ledger name an
 * assumption by this id and nothing else. A family's own rows stand in its folder.
 */
export const SHARED_ASSUMPTIONS = {
  'error-envelope': {
    question: 'Errors other than the expired group-life token are not shown.',
    decision:
      "One proven shape everywhere: `success: false`, the message, `response_code`, `data: { error: [string, ...] }`, one string per problem. The message key is the one that call's success envelope uses: `message` on micro-health verify, top_up, all_subscriptions, validate_policy; `response_message` elsewhere.",
    basis: 'judgement',
  },
  'error-code-type': {
    question: 'Type of response_code on failure.',
    decision:
      'Group life: an integer (400 for the expired token is specified). Micro-health and motor: a string, because their success codes are strings. The value is the status this table gives the failure (400, 401, 404, 405, 413, 415, 422, 500, 507), also where a profile answers with another HTTP status: the expired group-life token says 400 in its body under every profile. Micro-health calls whose success has no response_code carry it on failure too.',
    basis: 'judgement',
  },
  'http-status': {
    question: 'Statuses are not shown.',
    decision:
      "200 for every success. 400 malformed JSON and every token failure; 401 key; 404 unknown policy or route; 405 wrong method (with `Allow`); 413 body over 1 MiB; 415 POST without `application/json` (parameters such as charset allowed); 422 everything that fails validation or a business rule; 500 only for our own bugs, 507 where the state log can't be written, in the same envelope.",
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
      'Text is answered as it was sent; text of white space only counts as missing. Where a number is asked, a string of decimal digits (with a decimal point for money) is accepted too; a phone number is a string only (a number has lost its leading zero), but motor\'s phone_number and contact_person_phone_no, "numeric, 11 digits", also take a JSON number of 11 digits, answered as string. Amounts and values are above 0 (tracker_value and diagnostic_cost may be 0), at most 1,000,000,000,000 and have at most two decimal places (of the value: `700.000` is 700); no_of_users and duration are whole. Dates are real calendar days; a date of birth is not after today. Gender is female or male in any case, everywhere. id_url is an absolute http(s) URL, profile_url any text.',
    basis: 'judgement',
  },
  'text-trim': {
    question: 'White space around a text.',
    decision: 'Kept as sent; a token or policy number with a blank is another one.',
    basis: 'judgement',
  },
  encoding: {
    question: 'Not shown.',
    decision:
      'Invalid UTF-8 is malformed JSON (400); a byte order mark is accepted; nesting beyond 100 levels is 400 (the body itself is the first). Control characters (line breaks and tabs in addresses aside: address, group_contact_address, contact_person_address) and lone surrogates in a text are 422.',
    basis: 'judgement',
  },
  email: {
    question: '"e-mail format".',
    decision:
      'One address with a domain that has a dot and a top level of two letters or more, ASCII only: `a@b.c` and `é@x.com` are 422.',
    basis: 'judgement',
  },
  'date-limits': {
    question: 'Not shown.',
    decision:
      'Days in requests lie between 1900-01-01 and 9999-12-31; a cover that would end later is 422. Clocks lie between 1970 and 2286 (ten digits of epoch seconds, `token-format`).',
    basis: 'judgement',
  },
  'time-zone': {
    question: 'Not named.',
    decision:
      'UTC everywhere: timestamps, active_date, days of selections, day boundaries (*evidence*: documented samples of motor and claims show midnight `Z`).',
    basis: 'evidence',
  },
  currency: {
    question: 'Not named.',
    decision: 'Naira; commissions are computed in kobo.',
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
  'product-id-type': {
    question: 'integer in one place, string in another.',
    decision: 'Integer or numeric string accepted everywhere, answered as integer.',
    basis: 'judgement',
  },
  'phone-digits': {
    question: '11 digits stated for motor only.',
    decision: '11 digits everywhere (*evidence*).',
    basis: 'evidence',
  },
  catalogue: {
    question: 'Which product ids belong to which family.',
    decision:
      'Micro-health 1 and 3, group life 2, motor 4. A product of another family, an unknown or a disabled one is 422.',
    basis: 'judgement',
  },
  'subscriber-per-purchase': {
    question: 'A returning customer.',
    decision:
      'Every verified purchase makes a new subscriber with its own policy_no, shared by its beneficiaries.',
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
      'Not a positive whole number: page 1. Past the end: 200 with empty data, from and to null, current_page as asked, next_page_url null, prev_page_url the page before the one asked. Empty list: last_page 1, from and to null (*evidence*).',
    basis: 'evidence',
  },
  'page-urls': {
    question: 'Whether page URLs keep the query.',
    decision:
      'They keep per_page and the selection, so that whoever follows them sees every record once.',
    basis: 'judgement',
  },
  'motor-product': {
    question: 'Which product.',
    decision: 'product_id must name a motor product, else 422. The same rule holds in each family.',
    basis: 'judgement',
  },
  'subscriber-defaults': {
    question: 'Values of fields that no request sets.',
    decision:
      'user_type `principal`, verify_phone and verify_email 0, password null; every nullable field null.',
    basis: 'judgement',
  },
  'success-messages': {
    question: 'Most success messages are not shown.',
    decision: 'One sentence per operation, listed under "Messages" of the published decisions.',
    basis: 'evidence',
  },
} as const satisfies Record<string, Assumption>;

/** Every id there is. A family adds its own where it declares its rows. */
export interface AssumptionIds extends Record<keyof typeof SHARED_ASSUMPTIONS, Assumption> {}

export type AssumptionId = keyof AssumptionIds;
