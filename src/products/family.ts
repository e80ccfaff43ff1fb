import type { z } from '@hono/zod-openapi';
import type { Assumption, AssumptionId } from '../core/assumptions.ts';
import type { ProfileOption } from '../core/settings.ts';
import type { TokenStore } from '../core/tokens.ts';
import type { WorldCore } from '../core/world.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Catalogue } from './catalogue.ts';

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
 * configuration and its records, in wire field names; a snapshot holds the same. `State` is what a
 * World holds of it: the same, arranged for look-up, with the family's purchase tokens.
 */
export interface ProductFamily<
  Key extends string = string,
  Records extends object = object,
  Details extends object = object,
  State extends { readonly tokens: TokenStore<Details> } = { readonly tokens: TokenStore<Details> },
> {
  /** The name of its part of a World, of the snapshot, and of its fixture file (`_` as `-`). */
  readonly key: Key;
  /** The heading of its operations in the document. */
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly Endpoint[];
  /** The operationId of its initiate call, which expired purchases are reported under. */
  readonly initiateOperation: string;
  readonly records: z.ZodType<Records>;
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
  /** What is wrong with records that fit their schema: references, duplicates. */
  validateRecords(records: Records, catalogue: Catalogue): RecordProblem[];
  createState(records: Records): State;
  /** The records of a state, as a snapshot holds them. */
  dumpRecords(state: State): Records;
  /** The highest id in use, by sequence. */
  highestIds(records: Records): Readonly<Record<string, number>>;
  /** How many policies the state holds. */
  countPolicies(state: State): number;
}
