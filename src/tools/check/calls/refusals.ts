/* Calls of every operation that are refused whatever it does: without a key, with another method, type or body. */

import type { Operation } from '../../../api/operation.ts';
import { operations } from '../../../products/world.ts';
import { call, type ProbeCall, varied } from '../call.ts';
import { families } from './index.ts';
import { quote, topUp } from './micro-health.ts';

/** A call of each operation as the specification describes it. */
export const BASIC: readonly ProbeCall[] = families.flatMap(
  ({ quote, initiate, verify, renewed, list, lookup }) =>
    [quote, initiate, verify, renewed, list, lookup].filter((each) => each !== undefined),
);

const posts = BASIC.filter(({ operation }) => operation.method === 'post');

/** A number for a path that has one. */
const inPath =
  ({ path }: Operation) =>
  () =>
    path.includes(':policy_no') ? { policy_no: '0000000000' } : {};

export const keyless: readonly ProbeCall[] = operations.map((operation) =>
  call(operation, 'without a key', { key: 'none', refusal: 'unauthenticated' }, inPath(operation)),
);

export const wrongKey: ProbeCall = call('listMotorPolicies', 'with a wrong key', {
  key: 'wrong',
  refusal: 'unauthenticated',
});

export const wrongMethods: readonly ProbeCall[] = operations.map((operation) =>
  call(
    operation,
    'with another method',
    { method: operation.method === 'post' ? 'get' : 'post', refusal: 'method_not_allowed' },
    inPath(operation),
  ),
);

/** A verify is refused with the same status for its token. */
export const malformed: readonly ProbeCall[] = posts
  .filter(({ operation }) => operation.role !== 'verify')
  .map((basic) => varied(basic, 'with broken JSON', {}, { raw: '{"', refusal: 'malformed' }));

export const empty: readonly ProbeCall[] = posts.map((basic) =>
  varied(basic, 'without fields', {}, { raw: '{}', refusal: 'invalid' }),
);
export const withoutFields = (basic: ProbeCall): ProbeCall =>
  empty[posts.indexOf(basic)] as ProbeCall;

const unknownRenewal = varied(
  topUp,
  'of an unknown policy',
  { policy_no: '0000000000' },
  { refusal: 'policy_unknown' },
);

/** What shows or renews a policy, each with the same call for an unknown one. */
export const ofPolicies = [
  ...families.map(({ lookup, unknownPolicy }) => ({ own: lookup, none: unknownPolicy })),
  { own: topUp, none: unknownRenewal },
];

/** The same call as text and as JSON. Where the second is refused too, their messages tell whether the first was read. */
export const wrongTypes = posts.map((basic) => {
  const options = { contentType: 'text/plain', refusal: 'unsupported_media_type' } as const;
  const family = families.find(({ verify }) => verify === basic);
  const plain = family?.again ?? (basic === topUp ? unknownRenewal : basic);
  const typed: ProbeCall =
    plain === basic
      ? varied(basic, 'as text/plain', {}, options)
      : { ...plain, ...options, what: 'as text/plain', after: [plain] };
  return { plain, typed };
});

export const unknownRoute: ProbeCall = call(
  'listMotorPolicies',
  'at a path that no operation has',
  {
    path: '/api/merchant/sandbox-check',
    refusal: 'route_unknown',
  },
);
export const unknownRouteKeyless: ProbeCall = {
  ...unknownRoute,
  key: 'none',
  refusal: 'unauthenticated',
  what: 'at a path that no operation has, without a key',
};

export const largeBody = varied(
  quote,
  'with a body above 1 MiB',
  {},
  { prefix: ' '.repeat(1024 * 1024), refusal: 'too_large' },
);
