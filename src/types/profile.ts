/*
 * Written by `npm run docs` from the settings of a sandbox. To change something here,
 * change those.
 *
 * What a profile can set.
 */

export interface Profile {
  $schema?: string | undefined;
  version: 1 | (number & {});
  decisions: {
    /** How are lists ordered? */
    'list-order'?: 'oldest-first' | 'newest-first' | (string & {}) | undefined;
    /** Is a token still valid after exactly 15 minutes? */
    'token-boundary'?: 'exclusive' | 'inclusive' | (string & {}) | undefined;
    /** Is `response_code` of a failure a string or an integer? */
    'error-code-type'?: 'by-family' | 'string' | 'integer' | (string & {}) | undefined;
    /** What does a failure look like? */
    'error-envelope'?: 'envelope' | 'laravel' | (string & {}) | undefined;
    /** How many digits does a phone number have? */
    'phone-digits'?: 'eleven' | 'any' | (string & {}) | undefined;
    /** Is a yearly payment called `annually` or `yearly`? */
    'frequency-words'?: 'exact' | 'any-case' | (string & {}) | undefined;
    /** Which query parameters does all_subscriptions accept? */
    'list-selection'?: {
      per_page: number;
    } | undefined;
    /** Do page URLs keep the query? */
    'page-urls'?: 'keep' | 'drop' | (string & {}) | undefined;
    /** What happens to white space around text? */
    'text-trim'?: 'keep' | 'trim' | (string & {}) | undefined;
    /** Which HTTP statuses are returned? */
    'http-status'?: {
      unauthenticated?: number | undefined;
      malformed?: number | undefined;
      unsupported_media_type?: number | undefined;
      too_large?: number | undefined;
      invalid?: number | undefined;
      token_unknown?: number | undefined;
      token_used?: number | undefined;
      token_expired?: number | undefined;
      policy_unknown?: number | undefined;
      route_unknown?: number | undefined;
      method_not_allowed?: number | undefined;
      micro_health?: {
        unauthenticated?: number | undefined;
        malformed?: number | undefined;
        unsupported_media_type?: number | undefined;
        too_large?: number | undefined;
        invalid?: number | undefined;
        token_unknown?: number | undefined;
        token_used?: number | undefined;
        token_expired?: number | undefined;
        policy_unknown?: number | undefined;
        method_not_allowed?: number | undefined;
      } | undefined;
      motor?: {
        unauthenticated?: number | undefined;
        malformed?: number | undefined;
        unsupported_media_type?: number | undefined;
        too_large?: number | undefined;
        invalid?: number | undefined;
        token_unknown?: number | undefined;
        token_used?: number | undefined;
        token_expired?: number | undefined;
        policy_unknown?: number | undefined;
        method_not_allowed?: number | undefined;
      } | undefined;
      group_life?: {
        unauthenticated?: number | undefined;
        malformed?: number | undefined;
        unsupported_media_type?: number | undefined;
        too_large?: number | undefined;
        invalid?: number | undefined;
        token_unknown?: number | undefined;
        token_used?: number | undefined;
        token_expired?: number | undefined;
        policy_unknown?: number | undefined;
        method_not_allowed?: number | undefined;
      } | undefined;
    } | undefined;
    /** What does a missing or invalid key return? */
    'auth-failure'?: {
      message: string;
    } | undefined;
    /** What does an expired token return outside group life? */
    'token-expired'?: {
      message: string;
    } | undefined;
    /** What does an unknown or missing token return? */
    'token-unknown'?: {
      message: string;
    } | undefined;
    /** What does a second verify return? */
    'token-used'?: 'used' | 'expired' | 'unknown' | 'same-policy' | (string & {}) | {
      message: string;
    } | undefined;
    /** Where does a cover end whose day the last month lacks? */
    'month-end'?: 'clamp' | 'overflow' | (string & {}) | undefined;
    /** Which time zone applies? */
    'time-zone'?: string | undefined;
    /** What are the success messages? */
    'success-messages'?: {
      getMicroHealthQuote?: string | undefined;
      initiateMicroHealthSubscription?: string | undefined;
      verifyMicroHealthSubscription?: string | undefined;
      topUpMicroHealthSubscription?: string | undefined;
      listMicroHealthSubscriptions?: string | undefined;
      validateMicroHealthPolicy?: string | undefined;
      initiateMotorPolicy?: string | undefined;
      verifyMotorPolicy?: string | undefined;
      listMotorPolicies?: string | undefined;
      getMotorPolicyDetails?: string | undefined;
      getMotorQuote?: string | undefined;
      initiateGroupLifePolicy?: string | undefined;
      verifyGroupLifePolicy?: string | undefined;
      listGroupLifePolicies?: string | undefined;
      getGroupLifePolicyDetails?: string | undefined;
    } | undefined;
    /** Is `amount` compared with the premium? */
    'amount-check'?: 'exact' | 'ignore' | (string & {}) | undefined;
    /** Is `subscriptions` in a list element an object or an array? */
    'subscriptions-key'?: 'object' | 'array' | (string & {}) | undefined;
    /** What is a valid nin_number? */
    'nin-number'?: 'eleven' | 'any' | (string & {}) | {
      required: boolean;
    } | undefined;
    /** Is id_url required? */
    'id-url'?: 'required' | (string & {}) | {
      required: boolean;
    } | undefined;
    /** What are the months of a renewal added to? */
    'top-up-anchor'?: 'anchor' | 'end' | (string & {}) | undefined;
    /** What is a valid "service URL"? */
    'motor-images'?: 'url' | 'any' | (string & {}) | undefined;
  };
}
