/* The examples of successes: what a new World returns for the examples of the requests. */

import type { Operation, Role } from '../api/operation.ts';
import type { ProductFamily } from '../products/family.ts';
import { builtInFixtures } from '../products/fixtures.ts';
import type { ServedFamilies } from '../products/index.ts';
import { exampleOf } from '../products/named-schemas.ts';
import { createPurchaseWorld } from '../products/planned-purchases.ts';
import { SERVER } from './document.ts';

const NOW = Date.parse('2026-01-31T10:00:00Z');

/** The order in which a program calls operations. The renewal comes last, so that all others return the policy as it was bought. */
const ROLES: readonly Role[] = ['quote', 'initiate', 'verify', 'lookup', 'list', 'renew'];

/** The operations of a family in the order in which a program calls them. */
export const inOrder = ({ operations }: ProductFamily): readonly Operation[] =>
  operations.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));

/** The data of a success of each operation, by operationId. */
export const exampleData = (families: ServedFamilies): ReadonlyMap<string, unknown> =>
  new Map(families.all.flatMap((family) => dataOf(family, families)));

type ExampleData = [operationId: string, data: unknown];

/** A purchase of a family, call by call. Its token and its number are those that the examples of requests have. */
function dataOf(family: ProductFamily, families: ServedFamilies): ExampleData[] {
  const setup = { priceList: builtInFixtures(), families, merchantId: 1, seed: 1 };
  const world = createPurchaseWorld(setup);
  const [[token], [number]] = [shownIn(family, 'verify'), shownIn(family, 'lookup')];
  /** What the World drew, by what the examples of requests have instead. */
  const drawn = new Map<unknown, string>();
  const results = inOrder(family).map((operation): ExampleData => {
    const { operationId, role, path, input } = operation;
    const sent = Object.entries(shownTo(operation)).map(([field, value]) => [
      field,
      drawn.get(value) ?? value,
    ]);
    const req = { url: SERVER + path, path };
    const call = { world, now: NOW, req, env: { publicUrl: undefined } };
    const data = operation.rule(call, input?.parse(Object.fromEntries(sent))) as object;
    if (role === 'initiate') drawn.set(token, Reflect.get(data, 'token'));
    if (role === 'verify') drawn.set(number, family.policyKeys.keyOf(data));
    return [operationId, data];
  });
  let text = JSON.stringify(results);
  for (const [shown, own] of drawn) {
    text = text.replaceAll(own, `${shown}`);
    // A slug has its number in lower case.
    text = text.replaceAll(own.toLowerCase(), `${shown}`.toLowerCase());
  }
  return JSON.parse(text);
}

/** The example of the request of an operation. */
const shownTo = ({ input }: Operation): object => Object(input && exampleOf(input));

/** The values in the example of the operation with this role. */
const shownIn = ({ operations }: ProductFamily, role: Role): readonly unknown[] =>
  operations.filter((each) => each.role === role).flatMap((each) => Object.values(shownTo(each)));
