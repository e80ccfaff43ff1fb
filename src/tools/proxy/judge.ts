/* Holds a call and its response against the contract: method, request, status, envelope, message and schema. */

import { validateFields } from '../../api/input.ts';
import type { Operation } from '../../api/operation.ts';
import { messageOf } from '../../api/refusals.ts';
import { bearerKey, isJson, MAX_BODY_BYTES, parseBytes, stripEmpty } from '../../api/request.ts';
import { operations } from '../../products/world.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { parseJson } from '../../world/json-text.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import {
  formOf,
  formOfText,
  jsonPath,
  type Violation,
  valueAt,
  violations,
} from '../violations.ts';

/** A call of an operation with its whole response. */
export interface Exchange {
  readonly operation: Operation;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'content-type'?: string | undefined;
  };
  readonly sent: Uint8Array;
  readonly status: number;
  /** The text of the response. */
  readonly received: string;
}

/** An exchange with the JSON of its response; undefined if it is none. */
interface ReadExchange extends Omit<Exchange, 'received'> {
  readonly text: string;
  readonly received: unknown;
}

const ROUTES = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** The operation of a request target, for any method. */
export const operationOf = (target: string): Operation | undefined =>
  ROUTES.find(({ pattern }) => pattern.test(pathOf(target)))?.operation;

export const pathOf = (target: string): string => target.split('?', 1)[0] as string;

/** Why a response is not held against the contract; undefined if it is. */
export function passedReason(
  operation: Operation | undefined,
  method: string,
  status: number,
): string | undefined {
  if (!operation) return 'an unknown path';
  if (status === 429) return 'a rate limit (429)';
  if (status >= 300 && status < 400) return `a redirect (${status})`;
  return method === 'HEAD' ? 'no body' : undefined;
}

/** The differences of an exchange from the contract. */
export function judge({ received: text, ...call }: Exchange): Violation[] {
  const exchange = { ...call, text, received: parseJson(text) };
  const { operation, status, received } = exchange;
  const isRefusal = valueAt(received, ['success']) === false || status >= 400;
  return isRefusal
    ? judgeRefusal(exchange)
    : [
        ...mistakesIn(exchange).differences,
        ...statusDifference([200], status),
        ...bodyDifferences(exchange, operation.success),
        ...messageDifference(exchange, [operation.envelope.message]),
      ];
}

const bodyDifferences = ({ text, received }: ReadExchange, schema: Operation['success']) =>
  received === undefined
    ? [{ path: '$', expected: 'JSON', seen: formOfText(text) }]
    : violations(schema, received);

interface Mistakes {
  /** Why the contract refuses the request; undefined if the request itself does not tell. */
  readonly code?: ErrorCode;
  readonly differences: readonly Violation[];
}

/** What the contract refuses in a request. Only its World can tell unknown keys, products and policies. */
function mistakesIn({ operation, method, target, headers, sent }: ReadExchange): Mistakes {
  const mistake = (code: ErrorCode, path: string, expected: string, seen: string) => ({
    code,
    differences: [{ path, expected, seen }],
  });
  const { authorization, 'content-type': type } = headers;
  if (bearerKey(authorization) === undefined) {
    const path = 'request header authorization';
    return mistake('unauthenticated', path, 'Bearer and a key', formOf(authorization));
  }
  const due = operation.method.toUpperCase();
  if (method !== due) return mistake('method_not_allowed', 'method', due, method);
  const { input, request } = operation;
  if (request.params || !input) return { differences: [] };
  if (!request.body) return mistakenFields(input.shape, queryOf(target));
  if (!isJson(type)) {
    const path = 'request header content-type';
    return mistake('unsupported_media_type', path, 'application/json', formOf(type));
  }
  if (sent.length > MAX_BODY_BYTES) {
    return mistake('too_large', 'request $', `at most ${MAX_BODY_BYTES} bytes`, 'more bytes');
  }
  const { json, refusal } = parseBytes(sent);
  if (refusal) return mistake('malformed', 'request $', refusal.message, 'another body');
  if (!isPlainObject(json)) return mistake('invalid', 'request $', 'an object', formOf(json));
  return mistakenFields(input.shape, json);
}

const queryOf = (target: string): object =>
  Object.fromEntries(new URLSearchParams(target.slice(pathOf(target).length + 1)));

function mistakenFields(shape: Parameters<typeof validateFields>[0], sent: object): Mistakes {
  const fields = stripEmpty(sent) as Readonly<Record<string, unknown>>;
  const { errors } = validateFields(shape, fields, () => []);
  if (errors.length === 0) return { differences: [] };
  const differences = errors.map(({ field, message }) => {
    const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    return {
      path: `request ${jsonPath(path)}`,
      expected: message,
      seen: formOf(valueAt(fields, path)),
    };
  });
  return { code: 'invalid', differences };
}

/** Holds a refusal against the statuses, forms and messages of the reasons that it can have. */
function judgeRefusal(exchange: ReadExchange): Violation[] {
  const { operation, status } = exchange;
  const { code } = mistakesIn(exchange);
  // A well-formed request can be refused for its key, its token, its policy, or a rule.
  const possible: readonly ErrorCode[] = code ? [code] : operation.errors.filter(isOfRules);
  const statuses = [...new Set(possible.map((reason) => operation.statuses[reason]))];
  const meant = possible.filter((reason) => operation.statuses[reason] === status);
  const messages = meant.map((reason) => messageOf(reason, operation.settings));
  const isFixed = messages.length > 0 && !messages.includes(undefined);
  return [
    ...statusDifference(statuses, status),
    ...bodyDifferences(exchange, operation.failure(meant[0] ?? 'invalid')),
    ...(isFixed ? messageDifference(exchange, messages as string[]) : []),
  ];
}

const isOfRules = (code: ErrorCode): boolean =>
  !['malformed', 'too_large', 'unsupported_media_type'].includes(code);

const statusDifference = (due: readonly number[], status: number): Violation[] =>
  due.includes(status)
    ? []
    : [{ path: 'status', expected: due.toSorted((a, b) => a - b).join(' or '), seen: `${status}` }];

/** A message of another type is a violation of the schema already. */
function messageDifference(
  { operation, received }: ReadExchange,
  due: readonly string[],
): Violation[] {
  const { messageKey } = operation.envelope;
  const message = valueAt(received, [messageKey]);
  if (typeof message !== 'string' || due.includes(message)) return [];
  const expected = due.map((text) => JSON.stringify(text)).join(' or ');
  return [{ path: `$.${messageKey}`, expected, seen: formOf(message) }];
}
