import type { AssumptionId } from '../../core/assumptions.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import { unknownRouteEnvelope } from '../../http/envelope.ts';
import type { Operation } from '../../http/operation.ts';
import type { ProductFamily } from '../../products/family.ts';
import { listOf, unassignedInput } from '../contract.ts';
import type { Probe, ProbeRequest } from '../probe.ts';
import { refusing } from './refusals.ts';

type Refusal = readonly [
  name: string,
  request: ProbeRequest,
  refused: ErrorCode,
  assumption: AssumptionId,
];

const refusals = (operation: Operation, all: readonly Refusal[]): Probe[] =>
  all.map((each) => refusing(operation)(...each));

const NO_KEY = { authorization: null };

/** Bodies that no POST takes. */
const BODIES: readonly Refusal[] = [
  [
    'refuses a body that is not said to be JSON',
    { contentType: 'text/plain', raw: '{}' },
    'unsupported_media_type',
    'http-status',
  ],
  ['refuses malformed JSON', { raw: '{"product_id":' }, 'malformed', 'http-status'],
  ['refuses an empty body as malformed', { raw: '' }, 'malformed', 'request-body'],
  ['refuses JSON that is not an object', { raw: '[]' }, 'invalid', 'request-body'],
];

const KEYS: readonly Refusal[] = [
  [
    'refuses a key nobody has',
    { authorization: 'Bearer sandbox-check-nobody' },
    'unauthenticated',
    'auth-failure',
  ],
  [
    'refuses another scheme than Bearer',
    { authorization: 'Basic c2FuZGJveC1jaGVjazpub2JvZHk=' },
    'unauthenticated',
    'auth-failure',
  ],
];

const UNKNOWN_ROUTE: readonly Refusal[] = [
  ['does not know other paths', {}, 'route_unknown', 'unknown-route'],
  ['refuses a call of another path without a key', NO_KEY, 'unauthenticated', 'unknown-route'],
];

const NOT_UTF8 = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
const TOO_DEEP = `{"a":${'['.repeat(150)}${']'.repeat(150)}}`;
const TOO_LARGE = new TextEncoder().encode(`{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`);

/** How bodies are read, asked where one with any body changes nothing. */
const READING: readonly Refusal[] = [
  ['refuses a body that is not UTF-8', { raw: NOT_UTF8 }, 'malformed', 'encoding'],
  ['refuses nesting beyond 100 levels', { raw: TOO_DEEP }, 'malformed', 'encoding'],
  [
    'accepts a byte order mark, and then reads the body',
    { raw: '\ufeff{}' },
    'invalid',
    'encoding',
  ],
  ['refuses a body over 1 MiB', { raw: TOO_LARGE }, 'too_large', 'http-status'],
];

/**
 * A method that an operation does not have. Never PUT or DELETE: with a live key they could change anything. GET
 * changes nothing anywhere; POST, empty as it is, goes to sandboxes only.
 */
const wrongMethod = (operation: Operation, input: ProbeRequest['input'] = {}): Probe => {
  const isGet = operation.method === 'get';
  const refuses = refusing(operation);
  return {
    ...refuses(
      'refuses a method it does not have',
      isGet ? { input, method: 'POST', raw: '{}' } : { method: 'GET' },
      'method_not_allowed',
      'http-status',
    ),
    ...(isGet && { needs: 'control' }),
  };
};

/** What every operation does, whatever it is for. */
export function everyOperation(family: ProductFamily): Probe[] {
  const { operations } = family;
  const list = listOf(family);
  const question = operations.find(({ method, readOnly }) => method === 'post' && readOnly);
  const unknownRoute: Operation = {
    ...list,
    operationId: 'unknownRoute',
    path: '/api/merchant/sandbox_check_no_such_route',
    envelope: unknownRouteEnvelope,
  };
  return [
    ...operations.flatMap((operation) => {
      // A path needs something in it; it is not looked at.
      const input = operation.request.params ? unassignedInput(operation) : {};
      const refuses = refusing(operation);
      return [
        refuses(
          'refuses a call without a key',
          { input, ...NO_KEY },
          'unauthenticated',
          'auth-failure',
        ),
        wrongMethod(operation, input),
        ...(operation.method === 'post' ? refusals(operation, BODIES) : []),
      ];
    }),
    ...refusals(list, KEYS),
    ...refusals(unknownRoute, UNKNOWN_ROUTE),
    ...(question ? refusals(question, READING) : []),
  ];
}

/** Only with a second merchant: a new key, and the end of the old one. */
export const rotatesKeys = (list: Operation): Probe[] => [
  {
    name: 'takes a key just issued',
    operation: list,
    needs: 'merchant',
    rotateKey: true,
    request: () => ({}),
    assumptions: ['key-issue'],
  },
  {
    ...refusing(list)(
      'refuses the key that the new one replaced',
      ({ oldKey }) => ({ authorization: `Bearer ${oldKey}` }),
      'unauthenticated',
      'key-issue',
    ),
    needs: 'merchant',
  },
];
