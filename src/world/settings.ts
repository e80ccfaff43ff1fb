import type { z } from '@hono/zod-openapi';
import type { ErrorCode } from './errors.ts';

/**
 * The values of assumptions that have alternatives. The defaults are those of `docs/decisions.md`; a profile replaces
 * some. The settings of a family are in its folder.
 */
export interface Settings {
  /** `list-order` */
  readonly listOrder: 'oldest-first' | 'newest-first';
  /** `token-boundary`: whether a token is still valid at the last moment of its lifetime. */
  readonly tokenBoundary: 'exclusive' | 'inclusive';
  /** `list-selection`: elements per page if the request names no number. */
  readonly pageSize: number;
  /** `page-urls`: whether page URLs keep the query, or only its `page`. */
  readonly pageUrls: 'keep' | 'drop';
  /** `text-trim`: whether white space around the texts of a request is kept. */
  readonly textTrim: 'keep' | 'trim';
  /** `token-used`: how a second verify is refused. */
  readonly usedToken: 'used' | 'expired' | 'unknown';
  /** `error-envelope`: the form of refusals by the framework; with `laravel` they have no envelope. */
  readonly errorEnvelope: 'envelope' | 'laravel';
  /** `phone-digits`: `any` allows 7 to 15 digits, with or without a plus, in micro-health and group life. */
  readonly phoneDigits: 'eleven' | 'any';
  /** `motor-images`: `any` allows any text in images and id_url. */
  readonly images: 'url' | 'any';
  /** `frequency-words`: `any-case` allows any case, and `annual`. */
  readonly frequencyWords: 'exact' | 'any-case';
  /** `error-code-type`: the type of the family's success codes, or one type everywhere. */
  readonly errorCodeType: 'by-family' | 'string' | 'integer';
  /** `http-status`: the HTTP statuses only; codes in bodies stay the defaults (`error-code-type`). */
  readonly statuses: Readonly<Record<ErrorCode, number>>;
  readonly messages: {
    /** `auth-failure` */
    readonly unauthenticated: string;
    /** `token-expired`, except in group life, whose message is in the contract. */
    readonly tokenExpired: string;
    /** `token-unknown` */
    readonly tokenUnknown: string;
    /** `token-used` */
    readonly tokenUsed: string;
    /** `success-messages`, by operation. Missing ones are those that the operation declares. */
    readonly success: Readonly<Record<string, string>>;
  };
}

export const SHARED_SETTINGS: Settings = {
  listOrder: 'oldest-first',
  tokenBoundary: 'exclusive',
  pageSize: 15,
  pageUrls: 'keep',
  textTrim: 'keep',
  usedToken: 'used',
  errorEnvelope: 'envelope',
  phoneDigits: 'eleven',
  images: 'url',
  frequencyWords: 'exact',
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

/** An assumption that a profile can set: its allowed values, and the settings it changes. */
export interface ProfileOption {
  /** The allowed values, for people. */
  readonly allowed: unknown;
  /** Created when a profile is read. */
  readonly schema: () => z.ZodType;
  read(settings: Settings): unknown;
  apply(settings: Settings, value: never): Settings;
}

/** Declares an assumption that a profile can set. */
export const profileOption = <Value extends z.ZodType, S extends Settings = Settings>(
  allowed: unknown,
  schema: () => Value,
  read: (settings: S) => unknown,
  apply: (settings: S, value: z.output<Value>) => S,
): ProfileOption => ({ allowed, schema, read, apply }) as ProfileOption;
