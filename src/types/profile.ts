/*
 * Written by `npm run docs` from the settings of a sandbox. To change something here,
 * change those.
 *
 * What a profile can set.
 */

export interface Profile {
  readonly $schema?: string | undefined;
  readonly version: 1 | (number & {});
  readonly decisions: {
    /** How are lists ordered? */
    readonly 'list-order'?: 'oldest-first' | 'newest-first' | (string & {}) | undefined;
    /** Is a token still valid after exactly 15 minutes? */
    readonly 'token-boundary'?: 'exclusive' | 'inclusive' | (string & {}) | undefined;
    /** Is `response_code` of a failure a string or an integer? */
    readonly 'error-code-type'?: 'by-family' | 'string' | 'integer' | (string & {}) | undefined;
    /** What does a failure look like? */
    readonly 'error-envelope'?: 'envelope' | 'laravel' | (string & {}) | undefined;
    /** How many digits does a phone number have? */
    readonly 'phone-digits'?: 'eleven' | 'any' | (string & {}) | undefined;
    /** Is a yearly payment called `annually` or `yearly`? */
    readonly 'frequency-words'?: 'exact' | 'any-case' | (string & {}) | undefined;
    /** Which query parameters does all_subscriptions accept? */
    readonly 'list-selection'?: {
      readonly per_page: number;
    } | undefined;
    /** Do page URLs keep the query? */
    readonly 'page-urls'?: 'keep' | 'drop' | (string & {}) | undefined;
    /** What happens to white space around text? */
    readonly 'text-trim'?: 'keep' | 'trim' | (string & {}) | undefined;
    /** Which HTTP statuses are returned? */
    readonly 'http-status'?: {
      readonly unauthenticated?: number | undefined;
      readonly malformed?: number | undefined;
      readonly unsupported_media_type?: number | undefined;
      readonly too_large?: number | undefined;
      readonly invalid?: number | undefined;
      readonly token_unknown?: number | undefined;
      readonly token_used?: number | undefined;
      readonly token_expired?: number | undefined;
      readonly policy_unknown?: number | undefined;
      readonly route_unknown?: number | undefined;
      readonly method_not_allowed?: number | undefined;
      readonly micro_health?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
      readonly motor?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
      readonly group_life?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
    } | undefined;
    /** What does a missing or invalid key return? */
    readonly 'auth-failure'?: {
      readonly message: string;
    } | undefined;
    /** What does an expired token return outside group life? */
    readonly 'token-expired'?: {
      readonly message: string;
    } | undefined;
    /** What does an unknown or missing token return? */
    readonly 'token-unknown'?: {
      readonly message: string;
    } | undefined;
    /** What does a second verify return? */
    readonly 'token-used'?: 'used' | 'expired' | 'unknown' | 'same-policy' | (string & {}) | {
      readonly message: string;
    } | undefined;
    /** Where does a cover end whose day the last month lacks? */
    readonly 'month-end'?: 'clamp' | 'overflow' | (string & {}) | undefined;
    /** Which time zone applies? */
    readonly 'time-zone'?: string | undefined;
    /** What are the success messages? */
    readonly 'success-messages'?: {
      readonly getMicroHealthQuote?: string | undefined;
      readonly initiateMicroHealthSubscription?: string | undefined;
      readonly verifyMicroHealthSubscription?: string | undefined;
      readonly topUpMicroHealthSubscription?: string | undefined;
      readonly listMicroHealthSubscriptions?: string | undefined;
      readonly validateMicroHealthPolicy?: string | undefined;
      readonly initiateMotorPolicy?: string | undefined;
      readonly verifyMotorPolicy?: string | undefined;
      readonly listMotorPolicies?: string | undefined;
      readonly getMotorPolicyDetails?: string | undefined;
      readonly getMotorQuote?: string | undefined;
      readonly initiateGroupLifePolicy?: string | undefined;
      readonly verifyGroupLifePolicy?: string | undefined;
      readonly listGroupLifePolicies?: string | undefined;
      readonly getGroupLifePolicyDetails?: string | undefined;
    } | undefined;
    /** Is `amount` compared with the premium? */
    readonly 'amount-check'?: 'exact' | 'ignore' | (string & {}) | undefined;
    /** Is `subscriptions` in a list element an object or an array? */
    readonly 'subscriptions-key'?: 'object' | 'array' | (string & {}) | undefined;
    /** What is a valid nin_number? */
    readonly 'nin-number'?: 'eleven' | 'any' | (string & {}) | {
      readonly required: boolean;
    } | undefined;
    /** Is id_url required? */
    readonly 'id-url'?: 'required' | (string & {}) | {
      readonly required: boolean;
    } | undefined;
    /** What are the months of a renewal added to? */
    readonly 'top-up-anchor'?: 'anchor' | 'end' | (string & {}) | undefined;
    /** What is a valid "service URL"? */
    readonly 'motor-images'?: 'url' | 'any' | (string & {}) | undefined;
  };
}
