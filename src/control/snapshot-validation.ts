import { z } from '@hono/zod-openapi';
import { isClockInstant } from '../core/clock.ts';
import type { FaultRule } from '../core/faults.ts';
import type { JournalEntry as Entry } from '../core/journal.ts';
import { timestamp } from '../core/time.ts';
import { MAX_ID, maxOf } from '../core/world.ts';
import { formatIssues } from '../core/zod-issues.ts';
import { CatalogueProduct } from '../products/catalogue.ts';
import { highestIds, type ProductFamily } from '../products/family.ts';
import { findDuplicates } from '../products/fixture-validation.ts';
import { futureMoments, reviewProducts } from '../products/fixtures.ts';
import { anyFamilies } from '../products/world.ts';
import { Fault } from './faults.ts';
import { unknownOperation } from './fields.ts';
import { JournalEntry } from './journal.ts';

/** The state of a random generator. */
export const RandomStateDump = z.strictObject({
  state: z
    .array(
      z
        .int()
        .min(-(2 ** 31))
        .lt(2 ** 32),
    )
    .length(4)
    // Nothing but zeros makes nothing but zeros.
    .refine((state) => state.some((part) => part !== 0), { error: 'a number other than 0' }),
});

const moment = () =>
  z.iso.datetime({ precision: 3 }).refine((text) => isClockInstant(Date.parse(text)), {
    error: 'a moment a clock can show',
  });

const familyDump = (family: ProductFamily) =>
  z.strictObject({
    records: family.records,
    pending: z.array(
      z.strictObject({ token: z.string(), initiated_at: moment(), details: family.details }),
    ),
    used: z.array(z.string()),
  });

const createWorldDumpSchema = () =>
  z.strictObject({
    merchant_id: z.int().min(1).max(MAX_ID),
    clock: z.strictObject({ mode: z.enum(['running', 'frozen']), now: moment() }),
    chance: RandomStateDump,
    fault_chance: RandomStateDump,
    sequences: z.record(z.string(), z.int().min(0).max(MAX_ID)),
    expired_tokens: z.array(z.tuple([z.string(), z.enum(anyFamilies.map(({ key }) => key))])),
    faults: z.array(Fault),
    journal: z.array(JournalEntry),
    assumed: z.array(z.tuple([z.string(), z.int().min(1).max(MAX_ID)])),
    products: z.array(CatalogueProduct),
    families: z.strictObject(
      Object.fromEntries(anyFamilies.map((family) => [family.key, familyDump(family)])),
    ),
  });

type WorldDumpSchema = ReturnType<typeof createWorldDumpSchema>;

/** Made when the first snapshot is read: most sandboxes never read one, and all of them start. */
let worldDumpSchema: WorldDumpSchema | undefined;

/** A family's part of a snapshot. */
export interface FamilyDump {
  readonly records: object;
  readonly pending: readonly { token: string; initiated_at: string; details: object }[];
  readonly used: readonly string[];
}

/** The `world` of a snapshot. */
export type WorldDump = Omit<z.output<WorldDumpSchema>, 'families' | 'faults' | 'journal'> & {
  readonly families: Readonly<Record<string, FamilyDump>>;
  readonly faults: FaultRule[];
  readonly journal: readonly Entry[];
};

/** The `world` of a snapshot, or what is wrong with it, each problem with its place. */
export function validateWorldDump(
  world: unknown,
): { dump: WorldDump; problems: [] } | { dump: undefined; problems: string[] } {
  worldDumpSchema ??= createWorldDumpSchema();
  const parsed = worldDumpSchema.safeParse(world);
  if (!parsed.success) return { dump: undefined, problems: formatIssues(world, parsed.error) };
  const dump = parsed.data as WorldDump;
  const problems = contradictions(dump);
  return problems.length > 0 ? { dump: undefined, problems } : { dump, problems: [] };
}

/**
 * What the parts of a dump say against each other. A World made of them would give numbers twice, or
 * answer what can't be.
 */
function contradictions(dump: WorldDump): string[] {
  return [
    ...reviewProducts(dump.products),
    ...findDuplicates(dump.faults, ({ id }) => id, 'faults', 'id'),
    ...findDuplicates(dump.journal, ({ id }) => id, 'journal', 'id'),
    ...findDuplicates(dump.expired_tokens, ([token]) => token, 'expired_tokens', '0'),
    ...findDuplicates(dump.assumed, ([ids]) => ids, 'assumed', '0'),
    ...dump.faults.flatMap(
      ({ match }, position) =>
        unknownOperation(match.operation, `faults.${position}.match.operation`) ?? [],
    ),
    ...dump.journal.flatMap(
      ({ operation }, position) =>
        unknownOperation(operation ?? undefined, `journal.${position}.operation`) ?? [],
    ),
    ...sequenceProblems(dump, 'request', dump.journal, 'journal'),
    ...sequenceProblems(dump, 'fault', dump.faults, 'faults'),
    ...anyFamilies.flatMap((family) =>
      familyProblems(dump, family, dump.families[family.key] as FamilyDump).map(
        (line) => `families.${family.key}.${line}`,
      ),
    ),
    ...anyFamilies.flatMap((family) => idProblems(dump, family)),
  ];
}

function familyProblems(dump: WorldDump, family: ProductFamily, own: FamilyDump): string[] {
  const products = new Map(dump.products.map((product) => [product.id, product]));
  const now = Date.parse(dump.clock.now);
  const used = new Set(own.used);
  const inRecords = [
    ...family.validateRecords(own.records, { products }),
    ...futureMoments(own.records, timestamp(now)),
  ];
  return [
    ...inRecords.flatMap((problem) =>
      problem ? [`${['records', ...problem.path].join('.')}: ${problem.message}`] : [],
    ),
    ...own.pending.flatMap(({ initiated_at }, position) => {
      const before = own.pending[position - 1]?.initiated_at ?? '';
      if (initiated_at >= before && initiated_at <= dump.clock.now) return [];
      return [
        `pending.${position}.initiated_at: ${initiated_at} is out of order, or after the clock`,
      ];
    }),
    ...pendingProblems(family, own, products),
    ...findDuplicates(own.pending, ({ token }) => token, 'pending', 'token'),
    ...findDuplicates(own.used, (token) => token, 'used'),
    ...own.pending.flatMap(({ token }, position) =>
      used.has(token)
        ? [
            `pending.${position}.token: "${token}" is used already, as families.${family.key}.used says`,
          ]
        : [],
    ),
  ];
}

/** What initiate would not have kept. */
function pendingProblems(
  family: ProductFamily,
  { records, pending }: FamilyDump,
  products: ReadonlyMap<number, CatalogueProduct>,
): string[] {
  const review = family.createPendingReview({ products }, family.createState(records));
  return pending.flatMap(({ details, initiated_at }, position) =>
    review
      .problemsOf(details, Date.parse(initiated_at))
      .map(
        ({ path, message }) => `${['pending', position, 'details', ...path].join('.')}: ${message}`,
      ),
  );
}

/** The next id must be new. */
function idProblems(dump: WorldDump, family: ProductFamily): string[] {
  const { records } = dump.families[family.key] as FamilyDump;
  return Object.entries(highestIds(family, records)).flatMap(([name, highest]) =>
    tooLow(dump, name, highest, `families.${family.key}.records`),
  );
}

/** The same for what is named by a number at the end: `req-1-42`. */
function sequenceProblems(
  dump: WorldDump,
  name: string,
  numbered: readonly { readonly id: string }[],
  place: string,
): string[] {
  const numbers = numbered.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0));
  return tooLow(dump, name, maxOf(numbers), place);
}

function tooLow({ sequences }: WorldDump, name: string, highest: number, place: string): string[] {
  const last = sequences[name] ?? 0;
  return last >= highest
    ? []
    : [`sequences.${name}: expected at least ${highest}, the highest in ${place}, got ${last}`];
}
