import type * as z from 'zod/mini';
import type { Component } from '../core/schema.ts';
import type { TokenBook } from '../core/tokens.ts';
import type { WorldCore } from '../core/world.ts';
import type { Operation } from '../http/operation.ts';
import type { Catalogue } from './product.ts';

/** The World every family builds on: the core, and the catalogue. */
export type FamilyWorld = WorldCore & Catalogue;

/** Something wrong with records, at a place inside their document. */
export interface RecordProblem {
  /** Keys and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * A product family, as the rest of the sandbox sees it. `Records` is the family's fixture file: its price
 * configuration and its records, in wire field names; a snapshot holds the same form. `State` is what a
 * World holds of it: the same, arranged for look-up, with the family's purchase tokens.
 */
export interface ProductFamily<
  Key extends string = string,
  Records extends object = object,
  Details extends object = object,
  State extends { readonly tokens: TokenBook<Details> } = { readonly tokens: TokenBook<Details> },
> {
  /** The name of its part of a World, of the snapshot, and of its fixture file (`_` as `-`). */
  readonly key: Key;
  /** The heading of its operations in the document. */
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /** The operationId of its initiate call, which expired purchases are reported under. */
  readonly initiateOperation: string;
  readonly records: Component<z.ZodMiniType<Records, unknown>>;
  /** The fixture file that ships with the sandbox. */
  readonly builtInRecords: unknown;
  /** What a pending purchase remembers. */
  readonly details: Component<z.ZodMiniType<Details, unknown>>;
  /** The records of one merchant, with the configuration, out of those of all. */
  selectMerchant(records: Records, merchantId: number | undefined): Records;
  /** The same records as another merchant's. */
  assignMerchant(records: Records, merchantId: number): Records;
  /** What is wrong with records whose form is right: references, duplicates. */
  review(records: Records, catalogue: Catalogue): RecordProblem[];
  createState(records: Records): State;
  /** The records of a state, as a snapshot holds them. */
  dumpRecords(state: State): Records;
  /** The highest id in use, by sequence. */
  highestIds(records: Records): Readonly<Record<string, number>>;
  /** How many policies the state holds. */
  countPolicies(state: State): number;
}
