/*
 * Records that are bought through the rules when they are created: the `purchases` of fixture files, and the numbers
 * of policies that a new merchant asks for.
 */

import { z } from '@hono/zod-openapi';
import { validateFields } from '../api/input.ts';
import type { Operation, Role } from '../api/operation.ts';
import { TEXT_TRIM } from '../api/request.ts';
import type * as wire from '../types/control-wire.ts';
import { createTime, createWorldTime } from '../world/clock.ts';
import { DomainError, type FieldError } from '../world/errors.ts';
import { inputObject } from '../world/input-object.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { didYouMean } from '../world/problem-texts.ts';
import { createRandomState, nextFraction } from '../world/random.ts';
import { DAY_MS, type Instant, MIN_INSTANT, SECOND_MS } from '../world/time.ts';
import { localDay } from '../world/time-zone.ts';
import { startValues } from '../world/world.ts';
import type { PriceList } from './catalogue.ts';
import { daysOf, type ProductFamily } from './family.ts';
import { type FamilyKey, families, type ServedFamilies } from './index.ts';
import type { RecordProblem } from './record-validation.ts';
import { sampleRequests } from './sample-requests.ts';
import { anyFamilies, createWorld, type PoliciesByFamily, stateOf, type World } from './world.ts';

/** A purchase to make, and when. */
export interface PlannedPurchase {
  readonly family: ProductFamily;
  readonly at: Instant;
  /** The body that initiate takes. */
  readonly request: Readonly<Record<string, unknown>>;
  /** When the policy is renewed, in order. */
  readonly renewals?: readonly Instant[];
}

/** Where policies are bought. */
export interface PurchaseSetup {
  readonly priceList: PriceList;
  readonly families: ServedFamilies;
  readonly merchantId: number;
  readonly seed: number;
  /** The policies that the merchant has already. */
  readonly policies?: PoliciesByFamily;
}

/** A World to buy in. Only the new policies are taken from it, so that its tokens and its random state do not matter. */
export function createPurchaseWorld({
  priceList,
  families,
  merchantId,
  seed,
  policies = {},
}: PurchaseSetup): World {
  const { settings } = families;
  const clock = { now: 0, mode: 'frozen' } as const;
  // Another seed than that of the merchant's World, which would draw the same policy numbers again.
  const start = startValues({ merchantId, clock, seed: seed ^ SEED_DIFFERENCE, since: 0 });
  return createWorld(priceList, { settings, time: createWorldTime(createTime()) }, start, policies);
}

const SEED_DIFFERENCE = 0x6d61_726b;

/** A policy that was bought, or why the rules refused it. Paths of problems start at the request. */
type PurchaseResult = { readonly policy: object } | { readonly problems: readonly RecordProblem[] };

/**
 * Buys a policy. Purchases must come in order of time.
 *
 * @param isChecked whether the request is known to be what the schema of initiate returns: checking it takes time
 */
export function buyPlanned(
  world: World,
  { family, at, request: written, renewals = [] }: PlannedPurchase,
  isChecked = false,
): PurchaseResult {
  const days = daysOf(family, localDay(world.settings, at));
  const prices = family.pricesOf(world, Number(written.product_id)) as typeof written;
  const request = family.pricedPurchase?.(days, written, prices) ?? { ...days, ...written };
  if (isChecked) return { policy: buyPolicy(world, family, request, at) };
  const { input: schema, check } = operationOf(family, 'initiate');
  const shape = schema?.shape ?? {};
  const unknown = Object.keys(request).filter((name) => !Object.hasOwn(shape, name));
  const sent = TEXT_TRIM.of(world.settings).readFields(request);
  const { input, errors } = validateFields(
    shape,
    sent as typeof request,
    (fields, malformed) => check?.({ world, now: at }, fields, malformed) ?? [],
  );
  if (unknown.length > 0 || errors.length > 0) {
    const misspelt = unknown.map((name) => unknownField(name, Object.keys(shape)));
    return { problems: [...misspelt, ...errors.map(problemOf)] };
  }
  const policy = buyPolicy(world, family, input, at);
  const number = family.policyKeys.keyOf(policy);
  for (const [place, renewal] of renewals.entries()) {
    try {
      family.renewPolicy?.(world, number, renewal);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // At its premium, a renewal is refused only if its cover goes beyond the last day.
      const [{ message }] = error.problems;
      return { problems: [{ rule: 'range', path: ['renewals', place], message }] };
    }
  }
  return { policy: stateOf(world, family).policies.get(number) as object };
}

/** Buys a policy with what the schema of initiate returns. */
function buyPolicy(world: World, family: ProductFamily, input: unknown, now: Instant): object {
  // Only lists read the URL of a call.
  const call = { world, now, req: { url: '', path: '' }, env: { publicUrl: undefined } };
  const { token } = operationOf(family, 'initiate').rule(call, input) as { readonly token: string };
  operationOf(family, 'verify').rule(call, { token });
  return stateOf(world, family).policies.list.at(-1) as object;
}

const operationOf = ({ operations }: ProductFamily, role: Role): Operation =>
  operations.find((each) => each.role === role) as Operation;

const problemOf = ({ rule, field, demand }: FieldError): RecordProblem => ({
  rule,
  path: field.split('.').map((part) => (Number.isNaN(Number(part)) ? part : Number(part))),
  message: demand,
});

function unknownField(name: string, fields: readonly string[]): RecordProblem {
  const message = `initiate has no such field${didYouMean(name, fields)}`;
  return { rule: 'unknown_field', path: [name], message };
}

/** The most policies of a family that a new merchant can have. */
const MAX_COUNT = 10_000;

const count = (tag: string) =>
  z
    .int()
    .min(0)
    .max(MAX_COUNT)
    .meta({ description: `${tag} policies to buy.`, examples: [40] })
    .optional();

/** How many policies of each family a new merchant has. */
export const PolicyCounts = onFirstUse(() =>
  inputObject(
    Object.fromEntries(families.map(({ key, tag }) => [key, count(tag)])) as Record<
      FamilyKey,
      ReturnType<typeof count>
    >,
  )
    .openapi('PolicyCounts')
    .meta({ description: 'The number of policies of each family, at most 10,000. Default: 0.' }),
);

const YEAR_MS = 365 * DAY_MS;

/**
 * The policies of a new merchant with these counts, by family, oldest first: bought by made-up customers, spread over
 * the year before `now`. A family that sells nothing has none.
 */
export function* buyCounts(
  setup: PurchaseSetup,
  counts: wire.PolicyCounts,
  now: Instant,
): Generator<undefined, PoliciesByFamily> {
  const world = createPurchaseWorld(setup);
  const policies = Object.fromEntries(anyFamilies.map(({ key }) => [key, [] as object[]]));
  for (const { family, at } of spread(counts, setup, now)) {
    const invented = family.inventPurchase(world, at);
    if (!invented) continue;
    const days = daysOf(family, localDay(world.settings, at));
    const request = { ...sampleRequests[family.initiateOperation], ...days, ...invented };
    policies[family.key]?.push(buyPolicy(world, family, request, at));
    yield;
  }
  return policies;
}

/** When each policy is bought, in order of time. */
function spread(
  counts: wire.PolicyCounts,
  { families: { all }, seed, merchantId }: PurchaseSetup,
  now: Instant,
): Pick<PlannedPurchase, 'family' | 'at'>[] {
  const random = createRandomState(seed, merchantId);
  return all
    .flatMap((family) => {
      const count = countOf(counts, family);
      return Array.from({ length: count }, (_, place) => {
        const share = (place + nextFraction(random)) / count;
        const at = now - YEAR_MS + Math.floor((share * YEAR_MS) / SECOND_MS) * SECOND_MS;
        return { family, at: Math.max(at, MIN_INSTANT) };
      });
    })
    .toSorted((a, b) => a.at - b.at);
}

export const sumOf = (counts: wire.PolicyCounts): number =>
  anyFamilies.reduce((sum, family) => sum + countOf(counts, family), 0);

const countOf = (counts: wire.PolicyCounts, { key }: ProductFamily): number =>
  counts[key as FamilyKey] ?? 0;
