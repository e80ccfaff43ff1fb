import type { ErrorCode } from './errors.ts';

/**
 * The decisions that have alternatives, as this sandbox takes them. The defaults are those of
 * `docs/decisions.md`; a profile replaces single ones.
 */
export interface Settings {
  /** `amount-check` */
  readonly amountCheck: 'exact' | 'ignore';
  /** `list-order` */
  readonly listOrder: 'oldest-first' | 'newest-first';
  /** `token-boundary`: whether the moment 15:00.000 itself is still valid. */
  readonly tokenBoundary: 'exclusive' | 'inclusive';
  /** `list-selection`: elements on a page when the request names no number. */
  readonly pageSize: number;
  /** `subscriptions-key` */
  readonly subscriptionsKey: 'object' | 'array';
  /** `error-code-type`: as the family's success codes are, or one type everywhere. */
  readonly errorCodeType: 'by-family' | 'string' | 'integer';
  /** `http-status` */
  readonly statuses: Readonly<Record<ErrorCode, number>>;
  readonly messages: {
    /** `auth-failure` */
    readonly unauthenticated: string;
    /** `token-expired` */
    readonly tokenExpired: string;
    /** `token-unknown` */
    readonly tokenUnknown: string;
    /** `token-used` */
    readonly tokenUsed: string;
    /** `success-messages`, by operation; what is absent is answered as the operation declares. */
    readonly success: Readonly<Record<string, string>>;
  };
}

export const DEFAULT_SETTINGS: Settings = {
  amountCheck: 'exact',
  listOrder: 'oldest-first',
  tokenBoundary: 'exclusive',
  pageSize: 15,
  subscriptionsKey: 'object',
  errorCodeType: 'by-family',
  statuses: {
    unauthenticated: 401,
    malformed: 400,
    unsupported_media_type: 415,
    too_large: 413,
    invalid: 422,
    token_unknown: 400,
    token_used: 400,
    token_expired: 400,
    policy_unknown: 404,
    route_unknown: 404,
    method_not_allowed: 405,
  },
  messages: {
    unauthenticated: 'Unauthenticated.',
    tokenExpired: 'Token has expired',
    tokenUnknown: 'Invalid token',
    tokenUsed: 'Token has already been used',
    success: {},
  },
};
