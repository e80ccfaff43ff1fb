import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import { DEFAULT_SETTINGS } from '../core/settings.ts';
import { failure } from '../http/envelope.ts';
import type { Operation } from '../http/operation.ts';
import type { Json } from './schemas.ts';

interface Refusal {
  readonly summary: string;
  /** What the example says. */
  readonly message: (operation: Operation) => string;
  /** The decisions such a refusal rests on, besides those of every refusal. */
  readonly assumptions: readonly AssumptionId[];
}

const { messages, statuses } = DEFAULT_SETTINGS;

/** The refusals an operation can answer. Those of a path or method that no operation has are not here. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  malformed: {
    summary: 'The body is not JSON',
    message: () => 'The request body must be valid JSON.',
    assumptions: ['encoding', 'request-body'],
  },
  token_unknown: {
    summary: 'Nobody was given this token',
    message: () => messages.tokenUnknown,
    assumptions: ['token-unknown', 'foreign-policy'],
  },
  token_expired: {
    summary: 'The 15 minutes are over',
    message: () => messages.tokenExpired,
    assumptions: ['token-expired', 'token-boundary'],
  },
  token_used: {
    summary: 'The purchase is complete already',
    message: () => messages.tokenUsed,
    assumptions: ['token-used'],
  },
  unauthenticated: {
    summary: 'The key is missing or unknown',
    message: () => messages.unauthenticated,
    assumptions: ['auth-failure'],
  },
  policy_unknown: {
    summary: 'The merchant has no such policy',
    message: () => 'The policy was not found.',
    assumptions: ['foreign-policy'],
  },
  too_large: {
    summary: 'The body is larger than 1 MiB',
    message: () => 'The request body must not be larger than 1 MiB.',
    assumptions: [],
  },
  unsupported_media_type: {
    summary: 'The Content-Type is not application/json',
    message: () => 'The Content-Type header must be application/json.',
    assumptions: [],
  },
  invalid: {
    summary: 'A field is missing or wrong',
    message: invalidMessage,
    assumptions: ['validation-messages', 'text-and-numbers'],
  },
};

function invalidMessage({ request }: Operation): string {
  const [field] = Object.keys(request?.schema().shape ?? {});
  if (request?.in === 'query') return 'The per_page field must be a whole number from 1 to 100.';
  return `The ${field} field is required.`;
}

/** Why this call may be refused, besides its own reasons. */
function refusalsOf({ request, refusals }: Operation): ReadonlySet<ErrorCode> {
  const always: ErrorCode[] = ['unauthenticated'];
  if (request?.in === 'body')
    always.push('invalid', 'malformed', 'too_large', 'unsupported_media_type');
  return new Set([...always, ...refusals]);
}

/** The decisions any refusal of this call rests on. */
export const refusalAssumptions = (operation: Operation): readonly AssumptionId[] => [
  ...[...refusalsOf(operation)].flatMap((code) => REFUSALS[code]?.assumptions ?? []),
  'error-envelope',
  'error-code-type',
  'http-status',
];

/** One status a call may be refused with. */
export interface RefusedStatus {
  readonly status: number;
  readonly description: string;
  /** Named examples of its body. */
  readonly examples: Json;
}

/** Every status a call may be refused with, lowest first. */
export function refusedStatuses(operation: Operation): RefusedStatus[] {
  const own = refusalsOf(operation);
  const byStatus = new Map<number, [ErrorCode, Refusal][]>();
  for (const [code, refusal] of Object.entries(REFUSALS) as [ErrorCode, Refusal][]) {
    const status = statuses[code];
    if (own.has(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), [code, refusal]]);
  }
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, refusals]) => ({
      status,
      description: `${refusals.map(([, { summary }]) => summary).join('; or: ')}.`,
      examples: Object.fromEntries(
        refusals.map(([code, { summary, message }]) => [
          code,
          {
            summary,
            value: failure(operation.envelope, status, [message(operation)], 'by-family'),
          },
        ]),
      ),
    }));
}
