import type { z } from '@hono/zod-openapi';
import type { Endpoint } from '../api/endpoint.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import type { ProfileOption } from '../world/settings.ts';
import type { RecordTable, Tables } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import type { TokenStore } from '../world/tokens.ts';
import type { WorldCore } from '../world/world.ts';
import type { Catalogue } from './catalogue.ts';

/** The World every family builds on: the core, and the catalogue. */
export type FamilyWorld = WorldCore & Catalogue;

/** Something wrong with records, at a place inside their document. */
export interface RecordProblem {
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reviews the pending purchases of a document: once for each, in their order. */
export interface PendingReview<Details> {
  /** What is wrong with the details of one, initiated at that moment; places are inside the details. */
  problemsOf(details: Details, initiatedAt: Instant): RecordProblem[];
}

/** A sequence that numbers records, and the ids of it that the record of one policy has. */
export interface Sequence<Policy> {
  /** As `nextId` names it. */
  readonly name: string;
  idsIn(policy: Policy): readonly number[];
}

/** The schema of a family's records: an object of nothing but lists. */
export interface ListsSchema {
  /** A list's elements are judged one by one with `shape[list].element`. */
  readonly shape: Readonly<Record<string, z.ZodArray<z.ZodType>>>;
}

/**
 * A product family, as the rest of the sandbox sees it. `Records` is the family's fixture file: its price
 * configuration and its records, in wire field names; a snapshot holds the same. `State` is what a
 * World holds of it: the same, arranged for look-up, with the family's purchase tokens.
 */
export interface ProductFamily<
  Key extends string = string,
  Records extends object = object,
  Details extends object = object,
  State extends { readonly tokens: TokenStore<Details> } = { readonly tokens: TokenStore<Details> },
  Policy extends object = object,
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
  readonly policyList: string;
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
  /** The records of one merchant, with the configuration, out of those of all. */
  selectMerchant(records: Records, merchantId: number | undefined): Records;
  /** The same records as another merchant's. */
  assignMerchant(records: Records, merchantId: number): Records;
  /**
   * What is wrong with records that fit their schema: references, duplicates, order. Yields each problem, and
   * undefined after a record without one, so that very many records can be gone through a few at a time.
   */
  validateRecords(
    records: Records,
    catalogue: Catalogue,
  ): Generator<RecordProblem | undefined, void>;
  /** The family's part of a World with these tables: what the records say of prices, and no policy yet. */
  createState(records: Records, tables: Tables): State;
  /**
   * Begins a review that holds pending purchases to the rules of initiate, and to each other. `state` is that
   * of the World they are to be part of: it holds its records already.
   */
  createPendingReview(catalogue: Catalogue, state: State): PendingReview<Details>;
  /** The records of a state, as a snapshot holds them. */
  dumpRecords(state: State): Records;
  /** What numbers its records. */
  readonly sequences: readonly Sequence<Policy>[];
  /** The policies a state holds, by policy number, oldest first. */
  policiesOf(state: State): RecordTable<Policy>;
  /** A policy as the fullest answer of the API shows it: its details, or where there are none an element of the list. */
  presentPolicy(world: FamilyWorld, policy: Policy): object;
}

/** The records of a family's policies. */
export const policiesIn = (family: ProductFamily, records: object): readonly object[] =>
  Reflect.get(records, family.policyList);

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
