import type { z } from '@hono/zod-openapi';
import type { Endpoint } from '../api/endpoint.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import type { ProfileOption } from '../world/settings.ts';
import { type RecordKeys, RecordTable, type Tables } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { createTokenStore, type TokenStore } from '../world/tokens.ts';
import type { WorldCore } from '../world/world.ts';
import type { Catalogue } from './catalogue.ts';
import { RecordCheck, type RecordProblem } from './record-validation.ts';

/** The World every family builds on: the core, and the catalogue. */
export type FamilyWorld = WorldCore & Catalogue;

/** A sequence that numbers records, and the ids of it that the record of one policy has. */
export interface Sequence<Policy> {
  /** As `nextId` names it. */
  readonly name: string;
  idsIn(policy: Policy): readonly number[];
}

/** The schema of a family's records: an object of nothing but lists. */
export interface ListsSchema {
  readonly shape: Readonly<Record<string, z.ZodArray<z.ZodType>>>;
}

/** A record of one of a family's lists. */
type RecordOf<Records, List extends keyof Records> = Records[List] extends readonly (infer R)[]
  ? R
  : never;

/**
 * A family's part of a World: the price configuration of its records, its policies by policy number, oldest first,
 * and its purchase tokens.
 */
export type FamilyState<Records, PolicyList extends keyof Records, Details> = Readonly<
  Omit<Records, PolicyList>
> & {
  readonly [List in PolicyList]: RecordTable<RecordOf<Records, List>>;
} & { readonly tokens: TokenStore<Details> };

/**
 * What a product family declares. `Records` is the family's fixture file: its price configuration and its policies,
 * in wire field names; a snapshot holds the same.
 */
interface FamilyDefinition<
  Key extends string,
  Records extends object,
  PolicyList extends keyof Records & string,
  Details extends object,
> {
  /** The name of its part of a World, of the snapshot, and of its fixture file (`_` as `-`). */
  readonly key: Key;
  /** The heading of its operations in the document. */
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly Endpoint[];
  /** The operationId of its initiate call, which expired purchases are reported under. */
  readonly initiateOperation: string;
  readonly records: z.ZodType<Records> & ListsSchema;
  /** The list of `Records` with a record for each policy. It may be very long; the others configure prices. */
  readonly policyList: PolicyList;
  /** The fixture file that ships with the sandbox. */
  readonly builtInRecords: unknown;
  /** What a pending purchase remembers. */
  readonly details: z.ZodType<Details>;
  /** What the contract leaves open about it, and what the sandbox does. */
  readonly assumptions: Readonly<Partial<Record<AssumptionId, Assumption>>>;
  /** Settings of its own, as a sandbox without a profile takes them. */
  readonly settings: object;
  /** Those of its assumptions that a profile can set. */
  readonly profileOptions: Readonly<Partial<Record<AssumptionId, ProfileOption>>>;
  /** The policy number of a record, and another number that no two of them share. */
  readonly policyKeys: RecordKeys<RecordOf<Records, PolicyList>>;
  /** The policy number that a pending purchase keeps for its policy, if initiate draws it. */
  reservedNumber?(details: Details): string;
  /** The merchant a policy belongs to. */
  merchantOf(policy: RecordOf<Records, PolicyList>): number;
  /** What numbers its records. */
  readonly sequences: readonly Sequence<RecordOf<Records, PolicyList>>[];
  /** By list, what a record has to be that its schema can't say: references, duplicates, order. */
  readonly recordChecks: {
    readonly [List in keyof Records]: (record: RecordOf<Records, List>, check: RecordCheck) => void;
  };
  /** What is wrong with a pending purchase that was initiated at that moment; places are inside the details. */
  reviewPending(world: Catalogue, details: Details, initiatedAt: Instant): RecordProblem[];
  /** A policy as the fullest answer of the API shows it: its details, or where there are none an element of the list. */
  presentPolicy(world: FamilyWorld, policy: RecordOf<Records, PolicyList>): object;
}

type Lists = Readonly<Record<string, readonly object[]>>;

/** A product family, as the rest of the sandbox sees it. */
export interface ProductFamily<Key extends string = string>
  extends FamilyDefinition<Key, Lists, string, object> {
  /** The records of one merchant, with the configuration, out of those of all. */
  selectMerchant<Records extends object>(records: Records, merchantId: number | undefined): Records;
  /** The same records as another merchant's. What belonged to no merchant still does not. */
  assignMerchant<Records extends object>(records: Records, merchantId: number): Records;
  /**
   * What is wrong with records that fit their schema. Yields each problem, and undefined after a record without one,
   * so that very many records can be gone through a few at a time.
   */
  validateRecords(
    records: object,
    catalogue: Catalogue,
  ): Generator<RecordProblem | undefined, void>;
  /** The family's part of a World with these tables: what the records say of prices, and no policy yet. */
  createState(records: object, tables: Tables): { readonly tokens: TokenStore<object> };
  /** The records of a state, as a snapshot holds them. */
  dumpRecords(state: object): object;
  /** The policies a state holds, by policy number, oldest first. */
  policiesOf(state: object): RecordTable<object>;
  /** Reviews pending purchases against a World whose part of the family holds those before them. */
  createPendingReview(catalogue: Catalogue, state: object): PendingReview;
}

/** Reviews pending purchases, one after another. */
export interface PendingReview {
  problemsOf(details: object, initiatedAt: Instant): RecordProblem[];
}

/** A family as it declares itself, with what follows for every family alike. */
export function defineFamily<
  Key extends string,
  Records extends object,
  PolicyList extends keyof Records & string,
  Details extends object,
>(definition: FamilyDefinition<Key, Records, PolicyList, Details>): ProductFamily<Key> {
  // The rest of the sandbox hands a family its own records, and does not look into them.
  const own = definition as unknown as FamilyDefinition<Key, Lists, string, object>;
  const { key, policyList } = own;
  const lists = Object.keys(own.records.shape);
  const policiesOf = (state: object): RecordTable<object> => Reflect.get(state, policyList);
  return {
    ...own,
    selectMerchant: (records, merchantId) => ({
      ...records,
      [policyList]: policiesIn(own, records).filter((each) => own.merchantOf(each) === merchantId),
    }),
    assignMerchant: (records, merchantId) => ({
      ...records,
      [policyList]: policiesIn(own, records).map((policy) => withMerchant(policy, merchantId)),
    }),
    *validateRecords(records, catalogue) {
      const check = new RecordCheck(catalogue, key);
      for (const [list, checkRecord] of Object.entries(own.recordChecks)) {
        for (const [position, record] of (records as Lists)[list]?.entries() ?? []) {
          const problems = check.problemsAt(list, position, () => checkRecord(record, check));
          if (problems.length === 0) yield undefined;
          else yield* problems;
        }
      }
    },
    createState: (records, tables) => ({
      ...records,
      [policyList]: new RecordTable(tables, `${key}.${policyList}`, own.policyKeys),
      tokens: createTokenStore(tables, key, own.reservedNumber),
    }),
    dumpRecords: (state) =>
      Object.fromEntries(
        lists.map((list) => [
          list,
          list === policyList ? [...policiesOf(state).list] : [...((state as Lists)[list] ?? [])],
        ]),
      ),
    policiesOf,
    createPendingReview: ({ products }, state) => ({
      problemsOf: (details, initiatedAt) =>
        own.reviewPending({ products, [key]: state } as Catalogue, details, initiatedAt),
    }),
  };
}

/** The names of the fields that say whose a record is. */
const MERCHANT_FIELDS = new Set(['merchant_id', 'merchant_user_id']);

/** A record with another merchant in every place that names one. */
function withMerchant<Value>(value: Value, merchantId: number): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withMerchant(each, merchantId)) as Value;
  const copy = { ...value } as Record<string, unknown>;
  for (const [field, inner] of Object.entries(copy)) {
    if (!MERCHANT_FIELDS.has(field)) copy[field] = withMerchant(inner, merchantId);
    else if (inner !== null) copy[field] = merchantId;
  }
  return copy as Value;
}

/** The records of a family's policies. */
export const policiesIn = (
  { policyList }: Pick<ProductFamily, 'policyList'>,
  records: object,
): readonly object[] => Reflect.get(records, policyList);

/** Raises the highest id in use, by sequence, to those that the record of one policy has. */
export function raiseIds<Policy extends object>(
  highest: Record<string, number>,
  sequences: readonly Sequence<Policy>[],
  policy: Policy,
): void {
  for (const { name, idsIn } of sequences) {
    highest[name] = idsIn(policy).reduce((most, id) => Math.max(most, id), highest[name] ?? 0);
  }
}

/** The highest id in use, by sequence; 0 where none is. */
export function highestIds(
  family: ProductFamily,
  records: object,
): Readonly<Record<string, number>> {
  const highest = Object.fromEntries(family.sequences.map(({ name }) => [name, 0]));
  for (const policy of policiesIn(family, records)) raiseIds(highest, family.sequences, policy);
  return highest;
}
