import { timestamp } from '../core/time.ts';
import { highestOf } from '../core/world.ts';
import type { ProductFamily } from '../products/family.ts';
import { futureRecords, reviewProducts } from '../products/fixtures.ts';
import { repeated } from '../products/review.ts';
import { anyFamilies } from '../products/world.ts';
import { unknownOperation } from './operations.ts';
import type { FamilyDump, WorldDump } from './snapshot-form.ts';

/**
 * What is wrong with a snapshot whose form is right, each with its place: what its parts say of each
 * other. A World that such a document made would give numbers twice, or answer what can't be.
 */
export function reviewDump(dump: WorldDump): string[] {
  return [
    ...reviewProducts(dump.products),
    ...repeated(dump.faults, ({ id }) => id, 'faults', 'id'),
    ...repeated(dump.journal, ({ id }) => id, 'journal', 'id'),
    ...repeated(dump.expired_tokens, ([token]) => token, 'expired_tokens', '0'),
    ...repeated(dump.assumed, ([ids]) => ids, 'assumed', '0'),
    ...dump.faults.flatMap(
      ({ match }, position) =>
        unknownOperation(match.operation, `faults.${position}.match.operation`) ?? [],
    ),
    ...dump.journal.flatMap(
      ({ operation }, position) =>
        unknownOperation(operation ?? undefined, `journal.${position}.operation`) ?? [],
    ),
    ...reviewSequence(dump, 'request', dump.journal, 'journal'),
    ...reviewSequence(dump, 'fault', dump.faults, 'faults'),
    ...anyFamilies.flatMap((family) =>
      reviewFamily(dump, family, dump.families[family.key] as FamilyDump).map(
        (line) => `families.${family.key}.${line}`,
      ),
    ),
    ...anyFamilies.flatMap((family) => reviewIds(dump, family)),
  ];
}

function reviewFamily(dump: WorldDump, family: ProductFamily, own: FamilyDump): string[] {
  const products = new Map(dump.products.map((product) => [product.id, product]));
  const now = Date.parse(dump.clock.now);
  const used = new Set(own.used);
  const inRecords = [
    ...family.review(own.records, { products }),
    ...futureRecords(own.records, timestamp(now)),
  ];
  return [
    ...inRecords.map(({ path, message }) => `${['records', ...path].join('.')}: ${message}`),
    ...own.pending.flatMap(({ initiated_at }, position) => {
      const before = own.pending[position - 1]?.initiated_at ?? '';
      if (initiated_at >= before && initiated_at <= dump.clock.now) return [];
      return [
        `pending.${position}.initiated_at: ${initiated_at} is out of order, or after the clock`,
      ];
    }),
    ...repeated(own.pending, ({ token }) => token, 'pending', 'token'),
    ...repeated(own.used, (token) => token, 'used'),
    ...own.pending.flatMap(({ token }, position) =>
      used.has(token)
        ? [
            `pending.${position}.token: "${token}" is used already, as families.${family.key}.used says`,
          ]
        : [],
    ),
  ];
}

/** The next id must be new. */
function reviewIds(dump: WorldDump, family: ProductFamily): string[] {
  const { records } = dump.families[family.key] as FamilyDump;
  return Object.entries(family.highestIds(records)).flatMap(([name, highest]) =>
    tooLow(dump, name, highest, `families.${family.key}.records`),
  );
}

/** The same for what is named by a number at the end: `req-1-42`. */
function reviewSequence(
  dump: WorldDump,
  name: string,
  numbered: readonly { readonly id: string }[],
  place: string,
): string[] {
  const numbers = numbered.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0));
  return tooLow(dump, name, highestOf(numbers), place);
}

function tooLow({ sequences }: WorldDump, name: string, highest: number, place: string): string[] {
  const last = sequences[name] ?? 0;
  return last >= highest
    ? []
    : [`sequences.${name}: expected at least ${highest}, the highest in ${place}, got ${last}`];
}
