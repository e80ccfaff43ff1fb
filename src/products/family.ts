/* What a product family declares, and what all families get from that without code of their own. */

import type { z } from '@hono/zod-openapi';
import type { CreateOperation, Operation, Role } from '../api/operation.ts';
import { statusesOf } from '../api/refusals.ts';
import type { InitiateOperationId, OperationId } from '../types/public.ts';
import type { Assumption, AssumptionId } from '../world/assumptions.ts';
import { PUBLISHED, type Setting, type Settings } from '../world/settings.ts';
import { type RecordKeys, RecordTable } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { createTokenStore, type TokenRules, type TokenStore } from '../world/tokens.ts';
import type { WorldCore } from '../world/world.ts';
import type { Catalogue } from './catalogue.ts';

/** The World that every family builds on: the core and the catalogue. */
export type FamilyWorld = WorldCore & Catalogue;

/** A sequence of ids, and which of them the record of one policy has. */
export interface Sequence<Policy> {
  /** The name that `nextId` takes. */
  readonly name: string;
  idsIn(policy: Policy): readonly number[];
}

/** The fields from the outside of a record to a value in it. */
export type FieldPath = readonly string[];

/** The content of a family's fixture file: its policies, and lists that configure prices. */
interface FamilyRecords {
  readonly policies: readonly object[];
}

/** The schema of a family's records. */
export interface RecordsSchema {
  readonly shape: Readonly<Record<string, z.ZodArray<z.ZodType>>> & {
    readonly policies: z.ZodArray<z.ZodType>;
  };
}

/** The names of the fields that tell what a call is about, in requests and in responses. */
export interface TellingFields {
  /** The parts of the name of the holder, in pending purchases too. */
  readonly who: readonly string[];
  readonly premium: readonly string[];
  /** How often the premium is paid. */
  readonly period: readonly string[];
  /** The number of the policy, in its records too. */
  readonly policy: string;
}

/** A record of one of a family's lists. */
type RecordOf<Records, List extends keyof Records> = Records[List] extends readonly (infer R)[]
  ? R
  : never;

/**
 * A family's part of a World: its price configuration, its policies by policy number (oldest first) and its purchase
 * tokens.
 */
export type FamilyState<Records extends FamilyRecords, Details> = Readonly<
  Omit<Records, 'policies'>
> & {
  readonly policies: RecordTable<Records['policies'][number]>;
  readonly tokens: TokenStore<Details>;
};

/**
 * What a product family declares. `Records` is the content of the family's fixture file, with the field names of the
 * wire: its price configuration and its policies.
 */
interface FamilyDefinition<
  Key extends string,
  Records extends FamilyRecords,
  Details extends PurchaseDetails,
  Schemas,
> {
  /** The name of its part of a World, and of its fixture file (with `-` for `_`). */
  readonly key: Key;
  /** The tag of its operations in documents. */
  readonly tag: string;
  readonly description: string;
  /** What programs read of its responses, and how they recover from a lost one, in Markdown. */
  readonly notes: string;
  readonly operations: readonly CreateOperation<Schemas>[];
  /** The published schemas of the operations. */
  readonly schemas: Schemas;
  /** Those in a sandbox with these settings. */
  createSchemas(settings: Settings): Schemas;
  readonly tokenRules: TokenRules;
  /** The schema of its records, made on first use. */
  records(): z.ZodType<Records> & RecordsSchema;
  /** The name in documents of the schema that `presentPolicy` returns. */
  readonly policyName: string;
  /** The fixture file that ships with the sandbox: records, and purchases. */
  readonly builtInRecords: unknown;
  /** What a pending purchase stores: everything that initiate accepts under some profile, and nothing else. */
  details(): z.ZodType<Details>;
  /** The questions that the contract leaves open about the family, and what the sandbox does. */
  readonly assumptions: Readonly<Partial<Record<AssumptionId, Assumption>>>;
  /** Its own assumptions that a profile can set. */
  readonly settings: readonly Setting[];
  /** The policy number of a record, and possibly a second unique number. */
  readonly policyKeys: RecordKeys<Records['policies'][number]>;
  /** The field of a pending purchase with the number of the future policy, if initiate draws it. */
  readonly reservedNumber?: keyof Details & string;
  /** The merchant that owns a policy. */
  merchantOf(policy: Records['policies'][number]): number;
  /** The name of the holder of a policy, to search for. */
  holderOf(policy: Records['policies'][number]): string;
  /** What a policy is, besides its holder: two policies that differ in it are not the same purchase. */
  termsOf(world: FamilyWorld, policy: Records['policies'][number]): PolicyTerms;
  /** The fields of requests and responses that tell what a call is about. */
  readonly tellingFields: TellingFields;
  /** The premium of a pending purchase, in naira; null if the family has no prices. */
  pendingPremium(world: FamilyWorld, details: Details): number | null;
  /** The sequences of its ids. */
  readonly sequences: readonly Sequence<Records['policies'][number]>[];
  /** The lists that configure prices, and what each has only one record for: `price of product 1 for 2 users`. */
  readonly priceLists: {
    readonly [List in Exclude<keyof Records, 'policies'>]: (
      record: RecordOf<Records, List>,
    ) => string;
  };
  /**
   * Where a policy has its product, the time when it was bought, and the end of its cover: a timestamp, a day that begins
   * where the policy is sold, or null if the cover does not end.
   */
  readonly policyPaths: Readonly<Record<'product' | 'createdAt' | 'coverEnd', FieldPath>>;
  /** A policy with this number in place of the one that was drawn. */
  renumberPolicy(policy: Records['policies'][number], number: string): Records['policies'][number];
  /** Renews a policy for another period at its premium. Absent if the family has no renewals. */
  renewPolicy?(world: FamilyWorld, number: string, now: Instant): void;
  /** The fields of initiate that are today's day in sample purchases, and in those of fixture files that leave them out. */
  readonly dayFields: readonly string[];
  /** In what a purchase of a made-up customer differs from the sample. Undefined if the catalogue has nothing to buy. */
  inventPurchase(world: FamilyWorld, now: Instant): Readonly<Record<string, unknown>> | undefined;
  /** The fields of the prices of a product in the control plane. */
  priceFields(): z.ZodRawShape;
  /** What a product of the family costs in a World. */
  pricesOf(world: FamilyWorld, productId: number): object;
  /**
   * A sample purchase with some fields changed, and its premium as the `amount` unless that is changed too. The prices
   * are those of `pricesOf`. Absent if purchases of the family have no amount.
   */
  pricedPurchase?(sample: Fields, changes: Fields, prices: Fields): Fields;
  /** A policy as the fullest response of the API shows it: details, or an item of the list if there are no details. */
  presentPolicy(world: FamilyWorld, policy: Records['policies'][number]): object;
}

/** What was bought with a policy. */
export interface PolicyTerms {
  readonly product: number;
  /** How it is paid, and for how many: `monthly, 2 users`. */
  readonly plan: string;
  /** In naira; null if the family has no prices. */
  readonly premium: number | null;
  /** What is insured besides the holder, such as a vehicle. */
  readonly insured?: string;
}

/** The fields of a request by name. */
type Fields = Readonly<Record<string, unknown>>;

/** What the pending purchases of all families store. */
export interface PurchaseDetails {
  readonly product_id: number;
}

/** A product family as the rest of the sandbox uses it. */
export interface ProductFamily<Key extends string = string>
  extends Omit<
    FamilyDefinition<Key, FamilyRecords, PurchaseDetails, unknown>,
    'operations' | 'schemas' | 'createSchemas' | 'priceLists'
  > {
  readonly priceLists: Readonly<Record<string, (record: object) => string>>;
  /** The operations: the published ones, or those of a sandbox's settings. */
  readonly operations: readonly Operation[];
  /** The operations in a sandbox with these settings. */
  createOperations(settings: Settings): readonly Operation[];
  /** The operationId of initiate. Expired purchases are reported under it. */
  readonly initiateOperation: InitiateOperationId;
  /** The operations that buy a policy or a period of it. */
  readonly buyingOperations: readonly OperationId[];
  /** The family's part of a World with these prices, and no policies yet. */
  createState(
    prices: object,
    world: Pick<WorldCore, 'tables' | 'settings'>,
  ): { readonly policies: RecordTable<object>; readonly tokens: TokenStore<PurchaseDetails> };
}

/** Adds to the declaration of a family what all families share. */
export function defineFamily<
  Key extends string,
  Records extends FamilyRecords,
  Details extends PurchaseDetails,
  Schemas,
>({
  operations,
  schemas,
  createSchemas,
  ...definition
}: FamilyDefinition<Key, Records, Details, Schemas>): ProductFamily<Key> {
  // The rest of the sandbox passes a family its own records and does not read them.
  const own = definition as unknown as ProductFamily<Key>;
  const { key, reservedNumber } = own;
  const createOperations = (settings: Settings, schemas = createSchemas(settings)) => {
    const statuses = statusesOf(settings, key);
    return operations.map((create) => create(schemas, settings, statuses));
  };
  const published = createOperations(PUBLISHED, schemas);
  return {
    ...own,
    // The names of the public types are generated from the families.
    initiateOperation: idsOf(published, 'initiate')[0] as InitiateOperationId,
    buyingOperations: idsOf(published, 'verify', 'renew') as readonly OperationId[],
    operations: published,
    createOperations,
    createState: (prices, world) => ({
      ...prices,
      policies: new RecordTable(world.tables, `${key}.policies`, own.policyKeys),
      tokens: createTokenStore(world, key, own.tokenRules, reservedNumber),
    }),
  };
}

/** The operationIds of the operations with one of these roles. */
const idsOf = (operations: readonly Operation[], ...roles: readonly Role[]): readonly string[] =>
  operations.filter(({ role }) => roles.includes(role)).map(({ operationId }) => operationId);

/** The fields that name the owner of a record. */
const MERCHANT_FIELDS = new Set(['merchant_id', 'merchant_user_id']);

/** A copy of a record with this merchant in every field that names one. */
export function withMerchant<Value>(value: Value, merchantId: number): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withMerchant(each, merchantId)) as Value;
  const copy = { ...value } as Record<string, unknown>;
  for (const [field, inner] of Object.entries(copy)) {
    if (!MERCHANT_FIELDS.has(field)) copy[field] = withMerchant(inner, merchantId);
    else if (inner !== null) copy[field] = merchantId;
  }
  return copy as Value;
}

/** The fields of a purchase that are today's day. */
export const daysOf = (
  { dayFields }: Pick<ProductFamily, 'dayFields'>,
  today: string,
): Readonly<Record<string, string>> => Object.fromEntries(dayFields.map((field) => [field, today]));

/** The highest id in use of each sequence, 0 if there is none. */
export function highestIds(
  family: Pick<ProductFamily, 'sequences'>,
  policies: readonly object[],
): Readonly<Record<string, number>> {
  const highest: Record<string, number> = {};
  for (const { name, idsIn } of family.sequences) {
    highest[name] = policies.flatMap(idsIn).reduce((most, id) => Math.max(most, id), 0);
  }
  return highest;
}
