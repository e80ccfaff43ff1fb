import published31 from '../../openapi/merchant-api.json' with { type: 'json' };
import published30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import type { Sandbox, SandboxOptions } from '../../src/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
type Any = any;

/** The path and the committed file of each edition. */
export const EDITIONS = [
  ['/openapi.json', published31],
  ['/openapi-3.0.json', published30],
] as const;

export const withProfile = (decisions: Readonly<Record<string, unknown>>): SandboxOptions => ({
  profile: { version: 1, decisions },
});

export const get = (sandbox: Sandbox, path: string, init: RequestInit = {}) =>
  sandbox.fetch(new Request(`http://sandbox${path}`, init));

export const documentOf = async (sandbox: Sandbox, path = '/openapi.json'): Promise<Any> =>
  (await get(sandbox, path)).json();

/** Another value for every assumption with alternatives. */
export const OTHERWISE: Readonly<Record<string, unknown>> = {
  'list-order': 'newest-first',
  'token-boundary': 'inclusive',
  'error-code-type': 'string',
  'list-selection': { per_page: 7 },
  'page-urls': 'drop',
  'text-trim': 'trim',
  'error-envelope': 'laravel',
  'phone-digits': 'any',
  'motor-images': 'any',
  'frequency-words': 'any-case',
  'http-status': { token_expired: 410, policy_unknown: 400, unauthenticated: 403, invalid: 400 },
  'auth-failure': { message: 'Who are you?' },
  'token-expired': { message: 'Too late' },
  'token-unknown': { message: 'No such token' },
  'token-used': { message: 'Again?' },
  'success-messages': { getMotorQuote: 'Quoted', verifyMicroHealthSubscription: 'Done' },
  'amount-check': 'ignore',
  'subscriptions-key': 'array',
  'nin-number': 'any',
  'id-url': { required: false },
  'month-end': 'overflow',
  'time-zone': 'Africa/Lagos',
  'top-up-anchor': 'end',
};
