import type { z } from '@hono/zod-openapi';
import type { ErrorCode } from './errors.ts';

/**
 * The assumptions that have alternatives, as this sandbox takes them. The defaults are those of
 * `docs/decisions.md`; a profile replaces single ones. A family's own settings stand in its folder.
 */
export interface Settings {
  /** `list-order` */
  readonly listOrder: 'oldest-first' | 'newest-first';
  /** `token-boundary`: whether the moment 15:00.000 itself is still valid. */
  readonly tokenBoundary: 'exclusive' | 'inclusive';
  /** `list-selection`: elements on a page when the request names no number. */
  readonly pageSize: number;
  /** `page-urls`: whether page URLs keep the query, or drop all of it but `page`. */
  readonly pageUrls: 'keep' | 'drop';
  /** `text-trim`: whether white space around the texts of a request is kept. */
  readonly textTrim: 'keep' | 'trim';
  /** `token-used`: which refusal a second verify gets. */
  readonly usedToken: 'used' | 'expired' | 'unknown';
  /** `error-envelope`: the form of refusals that a framework makes; `laravel` answers them without an envelope. */
  readonly errorEnvelope: 'envelope' | 'laravel';
  /** `phone-digits`: whether micro-health and group life take 7 to 15 digits, with or without a plus. */
  readonly phoneDigits: 'eleven' | 'any';
  /** `motor-images`: whether images and id_url may be any text. */
  readonly images: 'url' | 'any';
  /** `frequency-words`: whether they are taken in any case, `annual` too. */
  readonly frequencyWords: 'exact' | 'any-case';
  /** `error-code-type`: as the family's success codes are, or one type everywhere. */
  readonly errorCodeType: 'by-family' | 'string' | 'integer';
  /** `http-status`: those of HTTP alone; the codes in bodies are those of the defaults (`error-code-type`). */
  readonly statuses: Readonly<Record<ErrorCode, number>>;
  readonly messages: {
    /** `auth-failure` */
    readonly unauthenticated: string;
    /** `token-expired`; group life's is the contract's own, and stays. */
    readonly tokenExpired: string;
    /** `token-unknown` */
    readonly tokenUnknown: string;
    /** `token-used` */
    readonly tokenUsed: string;
    /** `success-messages`, by operation; what is absent is answered as the operation declares. */
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

/** An assumption that a profile can set: what its value may be, and which settings it stands for. */
export interface ProfileOption {
  /** What a profile may say, for people. */
  readonly allowed: unknown;
  /** Built when a profile is read. */
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
