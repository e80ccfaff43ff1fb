import type { AssumptionId } from '../../core/assumptions.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { assumptionsOf } from '../../http/request-fields.ts';
import { valueAt } from '../assertions.ts';
import type { ReceivedResponse } from '../client.ts';
import type { Probe } from '../probe.ts';
import type { JudgedOperation } from '../probes/index.ts';
import type { RememberedPurchase, TokenAge } from './memory.ts';
import type { ReadRequest } from './request.ts';

/** What a refusal is held against: why it should have been given, if it should. */
export type ExpectedRefusal = Pick<Probe, 'refused' | 'fields' | 'assumptions'>;

const UNKNOWN: ExpectedRefusal = { refused: 'unknown' };

/** What a request and earlier ones tell of the refusal that it got. */
export interface RefusalContext extends JudgedOperation {
  readonly request: ReadRequest;
  readonly settings: Settings;
  /** Of a verify, the purchase of its token, and how old that is. */
  readonly purchase: RememberedPurchase | undefined;
  readonly age: TokenAge;
}

/**
 * Why a service refused a request: what the contract refuses is refused for that, and of the rest only what
 * the refusal itself says is known.
 */
export function expectedRefusal(
  response: ReceivedResponse,
  context: RefusalContext,
): ExpectedRefusal {
  const { request, settings, operation } = context;
  const message = valueAt(response.body, operation.envelope.messageKey);
  if (request.refused === 'unauthenticated' || isOfKey(response, message, settings)) {
    return { refused: 'unauthenticated', assumptions: ['auth-failure'] };
  }
  if (response.status >= 500 || ELSEWHERE.includes(response.status)) return UNKNOWN;
  const named = namedFields(response.body);
  if (request.refused) return refusedByContract(request, named, context);
  if (request.sent === undefined) return UNKNOWN;
  if (operation.errors.includes('token_unknown')) return ofToken(String(message), context);
  if (named.length > 0) return ofFields(named, context);
  return ofState(response.status, context);
}

/** What gateways say: too much, too often, not now, go elsewhere. */
const ELSEWHERE: readonly number[] = [301, 302, 303, 307, 308, 408, 429];

function isOfKey({ status, headers }: ReceivedResponse, message: unknown, settings: Settings) {
  if (status === 401 || message === settings.messages.unauthenticated) return true;
  return status === 403 || /^bearer\b/i.test(headers.get('www-authenticate') ?? '');
}

/** The fields that the problems of a refusal name, in their order. */
function namedFields(body: unknown): string[] {
  const errors: unknown = valueAt(body, 'data.error');
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((text) => /^The (\S+) field .+\.$/s.exec(String(text))?.[1] ?? []);
}

/** The fields the contract refuses, and those of the others that the service may refuse, in the contract's order. */
function refusedByContract(
  { refused, errors, assumptions }: ReadRequest,
  named: readonly string[],
  { operation, rules }: RefusalContext,
): ExpectedRefusal {
  if (errors.length === 0) return { refused, assumptions };
  const expected = new Set([
    ...errors.map(({ field }) => field),
    ...named.filter((field) => rules.refusable?.test(field)),
  ]);
  const order = Object.keys(operation.input?.shape ?? {});
  const placeOf = (field: string) => {
    const [outer = '', element] = field.split('.', 2);
    return order.indexOf(outer) * MAX_ELEMENTS + Number(element ?? -1);
  };
  const fields = [...expected].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { refused, assumptions, fields };
}

/** More than a list in a request may have. */
const MAX_ELEMENTS = 1_000_000;

/** A field that only what the service remembers speaks against, or one that the contract accepts. */
function ofFields(named: readonly string[], { operation, rules }: RefusalContext): ExpectedRefusal {
  const accepted = named.filter((field) => !rules.refusable?.test(field));
  if (accepted.length === 0) return { refused: 'invalid' };
  const shape = operation.input?.shape ?? {};
  const assumptions = accepted.flatMap((field): readonly AssumptionId[] => {
    const schema = shape[field.split('.', 1)[0] as string];
    return schema ? assumptionsOf(schema) : [];
  });
  return { assumptions };
}

/** A well-formed request that names no mistake: of what is not there, or of what is not sold. */
function ofState(status: number, { operation, rules, settings }: RefusalContext): ExpectedRefusal {
  const mayBeUnknown = operation.errors.includes('policy_unknown');
  if (!mayBeUnknown) return rules.refusable ? { refused: 'invalid' } : {};
  const { policy_unknown, invalid } = settings.statuses;
  if (!rules.refusable || status === policy_unknown) return { refused: 'policy_unknown' };
  return status === invalid ? { refused: 'invalid' } : UNKNOWN;
}

const WORDS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['token_expired', /expir/i],
  ['token_used', /\bused\b|already|complete/i],
  ['token_unknown', /invalid|unknown|not (found|exist|recogni)|no such/i],
];

/** What is known of a token counts first, then the words of the refusal. */
function ofToken(message: string, { purchase, age, settings }: RefusalContext): ExpectedRefusal {
  if (purchase?.isVerified) {
    return { refused: 'token_used', assumptions: ['token-used'] };
  }
  if (purchase && age === 'early') return {};
  const { tokenExpired, tokenUsed, tokenUnknown } = settings.messages;
  if (message === tokenExpired || age === 'late') return { refused: 'token_expired' };
  if (message === tokenUsed) return { refused: 'token_used' };
  if (message === tokenUnknown) return { refused: 'token_unknown' };
  const worded = WORDS.find(([, words]) => words.test(message));
  return worded ? { refused: worded[0] } : UNKNOWN;
}
