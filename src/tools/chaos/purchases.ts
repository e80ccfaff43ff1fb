/* What the calls of a run have bought, and how that differs from the undisturbed run. */

import type { OperationId } from '../../public.ts';
import type { EndedCall } from './ledger.ts';
import type { Bought, BoughtDifference } from './public.ts';

/** Counts what was bought, by operation and customer. */
export function countPurchases(calls: readonly EndedCall[]): readonly Bought[] {
  const counts = new Map<string, { operation: OperationId; customer: string; count: number }>();
  for (const { entry, customer } of calls) {
    if (customer === undefined || entry.operation === null) continue;
    const { operation } = entry;
    const name = `${operation} ${customer}`;
    const bought = counts.get(name) ?? { operation, customer, count: 0 };
    bought.count++;
    counts.set(name, bought);
  }
  return [...counts.values()];
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
