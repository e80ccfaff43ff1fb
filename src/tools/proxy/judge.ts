/* Holds a call and its response against the contract: method, request, status, envelope, message and schema. */

import { validateFields } from '../../api/input.ts';
import type { Operation } from '../../api/operation.ts';
import { messageOf } from '../../api/refusals.ts';
import {
  bearerKey,
  decodeText,
  isJson,
  MAX_BODY_BYTES,
  parseBody,
  stripEmpty,
} from '../../api/request.ts';
import { operations } from '../../products/world.ts';
import type { DomainError, ErrorCode } from '../../world/errors.ts';
import { parseJson, valueAt } from '../../world/json.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { formOf, formOfText, jsonPath, type Violation, violations } from '../violations.ts';

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
  /** The body of the request. */
  readonly sent: Uint8Array;
  readonly status: number;
  /** The body of the response. */
  readonly text: string;
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
export function judge(exchange: Exchange): Violation[] {
  const { operation, status, text } = exchange;
  const { code, differences } = mistakesIn(exchange);
  const body = parseJson(text);
  const isRefusal = valueAt(body, ['success']) === false || status >= 400;
  const due = isRefusal ? dueRefusal(operation, status, code) : dueSuccess(operation);
  return [
    ...(isRefusal ? [] : differences),
    ...statusDifference(due.statuses, status),
    ...(body === undefined
      ? [{ path: '$', expected: 'JSON', seen: formOfText(text) }]
      : violations(due.schema, body)),
    ...messageDifference(operation, due.messages, body),
  ];
}

/** What the contract says of a response. */
interface Due {
  readonly statuses: readonly number[];
  readonly schema: Operation['success'];
  /** Empty if any message may be there. */
  readonly messages: readonly string[];
}

const dueSuccess = ({ success, envelope }: Operation): Due => ({
  statuses: [200],
  schema: success,
  messages: [envelope.message],
});

/** The statuses, the form and the messages of the reasons that a refusal can have. */
function dueRefusal(operation: Operation, status: number, code: ErrorCode | undefined): Due {
  // A well-formed request can be refused for its key, its token, its policy, or a rule.
  const possible = code ? [code] : operation.errors.filter(isOfRules);
  const meant = possible.filter((reason) => operation.statuses[reason] === status);
  const messages = meant.map((reason) => messageOf(reason, operation.settings));
  return {
    statuses: [...new Set(possible.map((reason) => operation.statuses[reason]))],
    schema: operation.failure(meant[0] ?? 'invalid'),
    messages: messages.includes(undefined) ? [] : (messages as string[]),
  };
}

const isOfRules = (code: ErrorCode): boolean =>
  !['malformed', 'too_large', 'unsupported_media_type'].includes(code);

const statusDifference = (due: readonly number[], status: number): Violation[] =>
  due.includes(status)
    ? []
    : [{ path: 'status', expected: due.toSorted((a, b) => a - b).join(' or '), seen: `${status}` }];

/** A message of another type is a violation of the schema already. */
function messageDifference(
  { envelope: { messageKey } }: Operation,
  due: readonly string[],
  body: unknown,
): Violation[] {
  const message = valueAt(body, [messageKey]);
  if (typeof message !== 'string' || due.length === 0 || due.includes(message)) return [];
  const expected = due.map((text) => JSON.stringify(text)).join(' or ');
  return [{ path: `$.${messageKey}`, expected, seen: formOf(message) }];
}

interface Mistakes {
  /** Why the contract refuses the request; undefined if the request itself does not tell. */
  readonly code?: ErrorCode;
  readonly differences: readonly Violation[];
}

/** What the contract refuses in a request. Only its World can tell unknown keys, products and policies. */
function mistakesIn({ operation, method, target, headers, sent }: Exchange): Mistakes {
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
  let json: unknown;
  try {
    json = parseBody(decodeText(sent));
  } catch (error) {
    return mistake('malformed', 'request $', (error as DomainError).message, 'another body');
  }
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
