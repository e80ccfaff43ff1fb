import type { Operation } from '../../http/operation.ts';
import type { ProductFamily } from '../../products/family.ts';
import { UNKNOWN_ROUTE } from '../converse.ts';
import { listOf } from '../knock.ts';
import type { Probe } from '../probe.ts';

/** An identifier no policy has, for calls that are refused before it is looked at. */
const NOWHERE = { policy_no: '0000000000' };
const call =
  (given: ReturnType<Probe['call']>): Probe['call'] =>
  () =>
    given;

/** What every operation does, whatever it is for. */
export const everyOperation = (family: ProductFamily): Probe[] => [
  ...family.operations.flatMap((operation) => [
    ...refusesStrangers(operation),
    ...(operation.method === 'post' ? wantsJson(operation) : []),
  ]),
  ...oncePerFamily(family),
];

function refusesStrangers({ operationId, method }: Operation): Probe[] {
  return [
    {
      name: 'refuses a call without a key',
      operation: operationId,
      call: call({ input: NOWHERE, authorization: null }),
      refused: 'unauthenticated',
      decisions: ['auth-failure'],
    },
    {
      name: 'refuses a method it does not have',
      operation: operationId,
      call: call({ input: NOWHERE, method: method === 'get' ? 'DELETE' : 'PUT' }),
      refused: 'method_not_allowed',
      decisions: ['http-status'],
    },
  ];
}

function wantsJson({ operationId: operation }: Operation): Probe[] {
  return [
    {
      name: 'refuses a body that is not said to be JSON',
      operation,
      call: call({ contentType: 'text/plain', raw: '{}' }),
      refused: 'unsupported_media_type',
      decisions: ['http-status'],
    },
    {
      name: 'refuses malformed JSON',
      operation,
      call: call({ raw: '{"product_id":' }),
      refused: 'malformed',
      decisions: ['http-status'],
    },
    {
      name: 'refuses an empty body as malformed',
      operation,
      call: call({ raw: '' }),
      refused: 'malformed',
      decisions: ['request-body'],
    },
    {
      name: 'refuses JSON that is not an object',
      operation,
      call: call({ raw: '[]' }),
      refused: 'invalid',
      decisions: ['request-body'],
    },
  ];
}

/** Where a request without a body is enough, and where one with any body changes nothing. */
function oncePerFamily(family: ProductFamily): Probe[] {
  const list = listOf(family).operationId;
  const question = family.operations.find(({ method, readOnly }) => method === 'post' && readOnly);
  return [
    {
      name: 'refuses a key nobody has',
      operation: list,
      call: call({ authorization: 'Bearer sandbox-check-nobody' }),
      refused: 'unauthenticated',
      decisions: ['auth-failure'],
    },
    {
      name: 'refuses another scheme than Bearer',
      operation: list,
      call: call({ authorization: 'Basic c2FuZGJveC1jaGVjazpub2JvZHk=' }),
      refused: 'unauthenticated',
      decisions: ['auth-failure'],
    },
    {
      name: 'does not know other paths',
      operation: UNKNOWN_ROUTE,
      call: call({}),
      refused: 'route_unknown',
      decisions: ['unknown-route'],
    },
    {
      name: 'refuses a call of another path without a key',
      operation: UNKNOWN_ROUTE,
      call: call({ authorization: null }),
      refused: 'unauthenticated',
      decisions: ['unknown-route'],
    },
    ...(question ? bodies(question.operationId) : []),
  ];
}

const TOO_LARGE = new TextEncoder().encode(`{"a":"${'x'.repeat(1024 * 1024)}"}`);

function bodies(operation: string): Probe[] {
  const deep = `{"a":${'['.repeat(150)}${']'.repeat(150)}}`;
  return [
    {
      name: 'refuses a body that is not UTF-8',
      operation,
      call: call({ raw: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }),
      refused: 'malformed',
      decisions: ['encoding'],
    },
    {
      name: 'refuses nesting beyond 100 levels',
      operation,
      call: call({ raw: deep }),
      refused: 'malformed',
      decisions: ['encoding'],
    },
    {
      name: 'accepts a byte order mark, and then reads the body',
      operation,
      call: call({ raw: '\ufeff{}' }),
      refused: 'invalid',
      decisions: ['encoding'],
    },
    {
      name: 'refuses a body over 1 MiB',
      operation,
      call: call({ raw: TOO_LARGE }),
      refused: 'too_large',
      decisions: ['http-status'],
    },
  ];
}

/** Only with a second merchant: a new key, and the end of the old one. */
export const rotatesKeys = (family: ProductFamily): Probe[] => [
  {
    name: 'takes a key just issued',
    operation: listOf(family).operationId,
    as: 'minted',
    rotate: true,
    call: call({}),
    decisions: ['key-issue'],
  },
  {
    name: 'refuses the key that the new one replaced',
    operation: listOf(family).operationId,
    as: 'minted',
    call: ({ oldKey }) => ({ authorization: `Bearer ${oldKey}` }),
    refused: 'unauthenticated',
    decisions: ['key-issue'],
  },
];
