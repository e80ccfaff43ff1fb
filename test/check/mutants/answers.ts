import type { Operation } from '../../../src/api/operation.ts';
import { type Change, type Make, type Mutant, onFailure, onSuccess } from './mutant.ts';
import { altered, changeAt, type MutableResponse, pathOf, placesOf, retyped } from './mutate.ts';

/** The form of a success: each field loses its name, its place or its type in turn, and each value is altered. */
export function ofFields(operation: Operation, made: Make): Mutant[] {
  const places = placesOf(operation.success).filter(({ keys }) => keys.length > 0);
  return places.flatMap(({ keys, kind }, n) => {
    const path = pathOf(keys);
    const changed = (change: (parent: MutableResponse['body'], key: string) => void) =>
      onSuccess((body) => changeAt(body, keys, change));
    if (kind === 'object') {
      return [
        made(
          `${path} gains a field`,
          [`${path}.unheard_of`],
          changed((parent, key) => {
            if (parent[key]) parent[key].unheard_of = 1;
          }),
        ),
      ];
    }
    const alteredAt = [
      path,
      ...ASTRAY.filter(([place]) => path.endsWith(place)).map(([, seen]) => seen),
    ];
    const inform = [
      made(
        `${path} dropped`,
        [path],
        changed((parent, key) => delete parent[key]),
      ),
      made(
        `${path} renamed`,
        [path],
        changed((parent, key) => {
          parent[`${key}_`] = parent[key];
          delete parent[key];
        }),
      ),
      made(
        `${path} retyped`,
        [path],
        changed((parent, key) => {
          parent[key] = retyped(parent[key]);
        }),
      ),
    ];
    const value = made(
      `${path} altered`,
      alteredAt,
      changed((parent, key) => {
        parent[key] = altered(parent[key]);
      }),
    );
    return [inform[n % 3] as Mutant, ...(keys.length > 1 ? [value] : [])];
  });
}

/** Altered values that show beside their place: a record under another number is missing, a sum is wrong. */
const ASTRAY: readonly (readonly [string, string])[] = [
  ['$.data.data[].policy_no', '$.data.data'],
  ['$.data.data[].policy_number', '$.data.data'],
  ['$.data[].policy_number', '$.data'],
  ['_commission', '$.data.data[].transactions[].total_commission'],
];

/** What stands around the data, of successes and of failures. */
export function ofEnvelopes(operation: Operation, made: Make): Mutant[] {
  const { messageKey } = operation.envelope;
  const otherKey = messageKey === 'message' ? 'response_message' : 'message';
  const swap: Change = ({ body }) => {
    body[otherKey] = body[messageKey];
    delete body[messageKey];
  };
  const say = `$.${messageKey}`;
  return [
    made('success with status 201', ['status'], (response) => {
      if (response.status === 200) response.status = 201;
    }),
    made(
      'another success message',
      [say],
      onSuccess((body) => {
        body[messageKey] = 'Done';
      }),
    ),
    made('message key of successes swapped', [say], (response) => {
      if (response.body.success === true) swap(response);
    }),
    made('message key of failures swapped', [say], onFailure(swap)),
    made(
      'success false on success',
      ['$.success'],
      onSuccess((body) => {
        body.success = false;
      }),
    ),
    made(
      'failures without response_code',
      ['$.response_code'],
      onFailure(({ body }) => delete body.response_code),
    ),
    made(
      'response_code of failures retyped',
      ['$.response_code'],
      onFailure(({ body }) => {
        body.response_code = retyped(body.response_code);
      }),
    ),
    made(
      'failures with one text for an error list',
      ['$.data.error'],
      onFailure(({ body }) => {
        body.data.error = body.data.error[0];
      }),
    ),
    made(
      'failures without data',
      ['$.data'],
      onFailure(({ body }) => delete body.data),
    ),
    ...[401, 405, 415, 422, 400, 404]
      .map((status) =>
        made(`${status} answered as ${status + 2}`, ['status'], (response) => {
          if (response.status === status) response.status = status + 2;
        }),
      )
      .filter((_mutant, n) => meets(operation, n)),
    made('401 without a challenge', ['header www-authenticate'], ({ headers }) =>
      headers.delete('www-authenticate'),
    ),
    made('405 without Allow', ['header allow'], ({ headers }) => headers.delete('allow')),
  ];
}

/** Whether an operation ever answers the n-th of those statuses. */
function meets({ method, errors }: Operation, n: number): boolean {
  if (n < 2) return true;
  if (n === 2 || n === 4) return method === 'post';
  return n === 3 ? errors.includes('invalid') : errors.includes('policy_unknown');
}
