/* The assumptions that all families share: what the contract leaves open, and what is assumed. */

import { MAX_PAGE_SIZE, PAGE_SIZE, PHONE_LENGTH, TOKEN_MINUTES } from './limits.ts';

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
 * The assumptions that every family rests on, by area as `docs/decisions.md` shows them. Code, documents and response
 * headers name an assumption by its id. A family's own assumptions are in its folder.
 */
export const SHARED_AREAS = {
  'Errors and envelope': {
    'error-envelope': {
      question: 'What does a failure look like?',
      decision:
        'Every failure has the same form: `success: false`, the message, `response_code` and `data: { error: [string, ...] }`, with one string per problem. The message is in `message` for micro-health verify, top_up, all_subscriptions and validate_policy, as in their successes, and in `response_message` for all other calls. The specification shows only the expired group-life token.',
      basis: 'judgement',
    },
    'error-code-type': {
      question: 'Is `response_code` of a failure a string or an integer?',
      decision:
        'Group life: an integer (400 for the expired token is specified). Micro-health and motor: a string, because their success codes are strings. The value is the status in the row `http-status` (400, 401, 404, 405, 413, 415, 422, 500, 507), even if a profile returns another HTTP status: the expired group-life token has 400 in its body under every profile. Micro-health calls whose success has no response_code have it on failure too.',
      basis: 'judgement',
    },
    'http-status': {
      question: 'Which HTTP statuses are returned?',
      decision:
        '200 for every success. 400 for malformed JSON and every token failure. 401 for a wrong key. 404 for an unknown policy or route. 405 for a wrong method, with `Allow`. 413 for a body over 1 MiB. 415 for a POST without `application/json` (parameters such as charset are allowed). 422 for everything that fails validation or a business rule. 500 only for a bug of the sandbox. 507 if the state log cannot be written, in the same envelope.',
      basis: 'judgement',
    },
    'unknown-route': {
      question: 'What does an unknown path or method return?',
      decision:
        '401 without a valid key. With one, an unknown path returns 404 with `response_message` and the code as a string. A wrong method on a known path returns 405 in the envelope of that call.',
      basis: 'judgement',
    },
    'validation-messages': {
      question: 'How are validation errors worded?',
      decision: `One sentence per problem, \`The <field> …\`, with the field's name in the request: \`The phone_no field must be ${PHONE_LENGTH} digits.\` A response reports every problem of a body, in the order of the specification's table.`,
      basis: 'judgement',
    },
    'unknown-fields': {
      question: 'What happens to fields that the specification does not name?',
      decision: 'They are ignored.',
      basis: 'judgement',
    },
    'text-and-numbers': {
      question: 'Which texts, numbers and dates are accepted?',
      decision: `Text is returned as it was sent. Blank text counts as missing. Where a number is expected, a string of decimal digits (with a decimal point for money) is accepted too. A phone number is a string only, because a number has lost its leading zero; motor's phone_number and contact_person_phone_no ("numeric, ${PHONE_LENGTH} digits") also accept a JSON number of ${PHONE_LENGTH} digits and return it as a string. Amounts and values are above 0 (tracker_value and diagnostic_cost may be 0), at most 1,000,000,000,000, and have at most two decimal places (of the value: \`700.000\` is 700). no_of_users and duration are whole. Dates are real calendar days, and a date of birth is not after today. Gender is female or male in any case, everywhere. id_url is an absolute http(s) URL, profile_url any text.`,
      basis: 'judgement',
    },
    'text-trim': {
      question: 'What happens to white space around text?',
      decision: 'It is kept as sent. A token or policy number with a space is a different one.',
      basis: 'judgement',
    },
    encoding: {
      question: 'Which characters are accepted?',
      decision:
        'Invalid UTF-8 is malformed JSON (400). A byte order mark is accepted. Nesting beyond 100 levels is 400 (the body is the first level). Control characters and lone surrogates in text are 422; address, group_contact_address and contact_person_address may contain line breaks and tabs.',
      basis: 'judgement',
    },
    email: {
      question: 'What is a valid e-mail address?',
      decision:
        'One address whose domain has a dot and a top level of two or more letters, ASCII only: `a@b.c` and `é@x.com` are 422.',
      basis: 'judgement',
    },
    'date-limits': {
      question: 'How early and how late may dates be?',
      decision:
        'Days in requests are from 1900-01-01 to 9999-12-31, and a cover that would end later is 422. Clocks run from 1970 to 2286 (ten digits of epoch seconds, `token-format`).',
      basis: 'judgement',
    },
    'time-zone': {
      question: 'Which time zone applies?',
      decision:
        'UTC everywhere: timestamps, active_date, the days of selections and day boundaries (*evidence*: documented samples of motor and claims show midnight `Z`).',
      basis: 'evidence',
    },
    currency: {
      question: 'Which currency are amounts in?',
      decision: 'Naira. Commissions are computed in kobo.',
      basis: 'judgement',
    },
    'timestamp-precision': {
      question: 'How precise are timestamps?',
      decision:
        'Recorded moments are whole seconds, truncated and written `…:57.000000Z`, as in every documented sample (*evidence*). Expiry and ordering use the full precision of the clock.',
      basis: 'evidence',
    },
    'request-body': {
      question: 'What is a valid request body?',
      decision:
        'UTF-8 JSON with an object at the top. An empty body is malformed JSON (400). JSON that is not an object is 422 `The request body must be a JSON object.` A GET needs no Content-Type.',
      basis: 'judgement',
    },
  },
  'Authentication and isolation': {
    'auth-failure': {
      question: 'What does a missing or invalid key return?',
      decision:
        '401 with `WWW-Authenticate: Bearer` and the message `Unauthenticated.` The key is checked before anything else, so a wrong key never reveals whether a policy exists. The scheme may be in upper or lower case.',
      basis: 'judgement',
    },
    'key-issue': {
      question: 'Where do keys come from?',
      decision:
        'From the fixtures, or from the control plane. Regenerating a key blocks the old one at once (*evidence*).',
      basis: 'evidence',
    },
    'foreign-policy': {
      question: "What does another merchant's policy or token return?",
      decision: 'Exactly what an unknown one returns.',
      basis: 'judgement',
    },
  },
  Tokens: {
    'token-format': {
      question: 'What do purchase tokens look like?',
      decision:
        'Micro-health: 40 lower-case hex digits. Motor starts with `CMP` and group life with `GLP`; both continue with 10 digits of epoch seconds and 8 more digits (*evidence* for all but the motor prefix).',
      basis: 'evidence',
    },
    'token-boundary': {
      question: `Is a token still valid after exactly ${TOKEN_MINUTES} minutes?`,
      decision: `No. It is valid while now < initiated + ${TOKEN_MINUTES}:00.000. At ${TOKEN_MINUTES}:00.000 the details are deleted.`,
      basis: 'judgement',
    },
    'token-expired': {
      question: 'What does an expired token return outside group life?',
      decision:
        'The group-life response in the envelope of that call: 400, `Token has expired`. The details are deleted. Only the token itself is remembered (the newest 10,000 per merchant), so that an expired token differs from an unknown one.',
      basis: 'judgement',
    },
    'token-unknown': {
      question: 'What does an unknown or missing token return?',
      decision:
        '400, `Invalid token`, also for a token of another family or merchant. A missing, blank or non-string token is 422.',
      basis: 'judgement',
    },
    'token-used': {
      question: 'What does a second verify return?',
      decision: `400, \`Token has already been used\`, also after the ${TOKEN_MINUTES} minutes. Two verifies at the same time create exactly one policy.`,
      basis: 'judgement',
    },
  },
  'What the families share': {
    'product-id-type': {
      question: 'Is `product_id` an integer or a string?',
      decision: 'Integers and numeric strings are accepted everywhere. Responses have an integer.',
      basis: 'judgement',
    },
    'phone-digits': {
      question: 'How many digits does a phone number have?',
      decision: `${PHONE_LENGTH} digits everywhere (*evidence*). The specification says so for motor only.`,
      basis: 'evidence',
    },
    catalogue: {
      question: 'Which product ids belong to which family?',
      decision:
        'Micro-health 1 and 3, group life 2, motor 4. A product of another family, an unknown one or a disabled one is 422.',
      basis: 'judgement',
    },
    'subscriber-per-purchase': {
      question: 'What happens when a customer buys again?',
      decision:
        'Every verified purchase creates a new subscriber with its own policy_no, which its beneficiaries share.',
      basis: 'judgement',
    },
    'list-selection': {
      question: 'Which query parameters does all_subscriptions accept?',
      decision: `\`page\` and \`per_page\` (1 to ${MAX_PAGE_SIZE}, default ${PAGE_SIZE}) (*evidence*). \`period\` = day, week (from Monday), month, quarter or year selects the current one in UTC. \`start_date\` and \`end_date\`, YYYY-MM-DD, are inclusive, and either may be used alone. \`period\` with dates is 422. Selection is by the subscription's created_at. An empty parameter counts as absent. An unknown period, an invalid date, an end before the start, or a per_page outside 1 to ${MAX_PAGE_SIZE} is 422.`,
      basis: 'evidence',
    },
    'list-order': {
      question: 'How are lists ordered?',
      decision:
        'Oldest first, in all lists. Group life takes `page` and `per_page` as micro-health does.',
      basis: 'judgement',
    },
    'page-out-of-range': {
      question: 'What happens with page=0, page=abc or a page past the end?',
      decision:
        'Anything but a positive whole number is page 1. Past the end: 200 with empty data, from and to null, current_page as requested, next_page_url null, and prev_page_url the page before the requested one. An empty list has last_page 1, and from and to null (*evidence*).',
      basis: 'evidence',
    },
    'page-urls': {
      question: 'Do page URLs keep the query?',
      decision:
        'Yes, per_page and the selection, so that a client that follows them sees every record once.',
      basis: 'judgement',
    },
    'month-end': {
      question: 'Where does a cover end whose day the last month lacks?',
      decision:
        'On the last day of that month: 31 January plus one month is 28 February, or 29 in a leap year.',
      basis: 'judgement',
    },
    'motor-product': {
      question: 'Which products can be used for motor?',
      decision:
        'product_id must name a motor product, else 422. The same rule applies in each family.',
      basis: 'judgement',
    },
    'subscriber-defaults': {
      question: 'Which values do fields have that no request sets?',
      decision:
        'user_type is `principal`, verify_phone and verify_email are 0, and password and every nullable field are null.',
      basis: 'judgement',
    },
    'success-messages': {
      question: 'What are the success messages?',
      decision:
        'One sentence per operation, listed under "Messages" in docs/decisions.md (*evidence* for the quote and initiate of micro-health and the list of group life).',
      basis: 'evidence',
    },
  },
} as const satisfies Record<string, Record<string, Assumption>>;

type SharedAreas = typeof SHARED_AREAS;
type SharedId = { [Area in keyof SharedAreas]: keyof SharedAreas[Area] }[keyof SharedAreas];

/** Every id there is. A family adds its own where it declares its rows. */
export interface AssumptionIds extends Record<SharedId, Assumption> {}

export type AssumptionId = keyof AssumptionIds;
