/* What the calls of a run have bought, and how that differs from the undisturbed run. */

import { anyFamilies, stateOf, type World } from '../../products/world.ts';
import type { OperationId } from '../../public.ts';
import type { Bought, BoughtDifference } from './public.ts';

/** Counts by operation, then by customer. */
type Counts = Map<string, Map<string, number>>;

/** What the Worlds of a sandbox have bought since a first look at each of them. */
export interface PurchaseCounter {
  /** Takes a first look at a World. Later looks do nothing. */
  look(world: World): void;
  bought(): readonly Bought[];
}

/** A World that was replaced keeps its policies, so they count although the sandbox no longer shows them. */
export function createPurchaseCounter(): PurchaseCounter {
  const before = new Map<World, Counts>();
  return {
    look(world) {
      if (!before.has(world)) before.set(world, countPurchases(world));
    },
    bought() {
      const total: Counts = new Map();
      for (const [world, counts] of before) {
        addCounts(total, countPurchases(world), 1);
        addCounts(total, counts, -1);
      }
      return [...total].flatMap(([operation, customers]) =>
        [...customers]
          .filter(([, count]) => count > 0)
          .map(([customer, count]) => ({ operation: operation as OperationId, customer, count })),
      );
    },
  };
}

function countPurchases(world: World): Counts {
  const counts: Counts = new Map();
  for (const family of anyFamilies) {
    for (const policy of family.policiesOf(stateOf(world, family)).list) {
      const customer = family.holderOf(policy);
      for (const operation of family.paymentsOf(policy)) addCount(counts, operation, customer, 1);
    }
  }
  return counts;
}

function addCounts(total: Counts, counts: Counts, sign: 1 | -1): void {
  for (const [operation, customers] of counts) {
    for (const [customer, count] of customers) addCount(total, operation, customer, sign * count);
  }
}

function addCount(counts: Counts, operation: string, customer: string, count: number): void {
  const customers = counts.get(operation) ?? new Map<string, number>();
  counts.set(operation, customers);
  customers.set(customer, (customers.get(customer) ?? 0) + count);
}

/**
 * How a run differs from the undisturbed run in what it bought.
 *
 * Customers are compared by name. Programs may make up new names in every run; names that only one of the two runs has
 * are compared by their counts, the highest first.
 */
export function comparePurchases(
  undisturbed: readonly Bought[],
  bought: readonly Bought[],
): readonly BoughtDifference[] {
  const operations = new Set([...undisturbed, ...bought].map(({ operation }) => operation));
  return [...operations]
    .flatMap((operation) => {
      const own = (all: readonly Bought[]) => all.filter((each) => each.operation === operation);
      return pairUp(own(undisturbed), own(bought)).map(([before, now]) => ({
        operation,
        customer: (now ?? before)?.customer as string,
        undisturbed: before?.count ?? 0,
        bought: now?.count ?? 0,
      }));
    })
    .filter((each) => each.undisturbed !== each.bought);
}

type Pair = readonly [undisturbed: Bought | undefined, bought: Bought | undefined];

function pairUp(undisturbed: readonly Bought[], bought: readonly Bought[]): Pair[] {
  const sameIn = (all: readonly Bought[], { customer }: Bought) =>
    all.find((each) => each.customer === customer);
  const known = bought.filter((each) => sameIn(undisturbed, each));
  const alone = (own: readonly Bought[], others: readonly Bought[]) =>
    own.filter((each) => !sameIn(others, each)).toSorted((a, b) => b.count - a.count);
  const [gone, fresh] = [alone(undisturbed, bought), alone(bought, undisturbed)];
  const rest = Array.from(
    { length: Math.max(gone.length, fresh.length) },
    (_, place): Pair => [gone[place], fresh[place]],
  );
  return [...known.map((each): Pair => [sameIn(undisturbed, each), each]), ...rest];
}
