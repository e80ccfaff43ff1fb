/* The merchants of a sandbox: lists, creates and deletes them, and rotates their keys. */

import { z } from '@hono/zod-openapi';
import { FixtureError } from '../products/fixture-error.ts';
import type { Fixtures } from '../products/fixtures.ts';
import { type FamilyKey, families } from '../products/index.ts';
import { createPurchaseWorld, PolicyCounts, sumOf } from '../products/planned-purchases.ts';
import { assertNotInFuture } from '../products/record-validation.ts';
import { anyFamilies, settledNow, stateOf } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { type ClockStart, readTime, runCooperatively } from '../world/clock.ts';
import { inputObject } from '../world/input-object.ts';
import { keepBoughtWorld } from '../world/kept-worlds.ts';
import { isKeyTaken } from '../world/merchant-keys.ts';
import {
  addMerchant,
  clockStart,
  isFull,
  removeMerchant,
  replaceWorlds,
  resetWorld,
  rotateKey,
  sendableKey,
  tooManyMerchants,
} from '../world/merchants.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { truncate } from '../world/problem-texts.ts';
import { MAX_SEED } from '../world/random.ts';
import { anyText } from '../world/settings.ts';
import { sandboxCall, worldCall } from './call.ts';
import { Clock, showClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import {
  clockMode,
  EXAMPLE,
  moment,
  namedInput,
  namedOutput,
  readMoment,
  withMomentText,
} from './fields.ts';
import { MERCHANTS_PER_PAGE } from './host.ts';
import { parseArgument } from './json.ts';
import { buyStartPolicies, type MerchantAccount, type MerchantStore } from './merchant-store.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const MerchantCounts = namedOutput(
  'MerchantCounts',
  'What a World holds: the number of policies of each family, and of everything else.',
  () => ({
    ...(Object.fromEntries(
      families.map(({ key, tag }) => [key, count(`${tag} policies.`)]),
    ) as Record<FamilyKey, ReturnType<typeof count>>),
    pending: count('Pending purchases.'),
    faults: count('Fault rules that can still act.'),
    exchanges: count('Journal entries.'),
  }),
);

export const MerchantState = namedOutput(
  'MerchantState',
  'A merchant with its key, clock and counts.',
  () => ({
    id: z.int(),
    name: z.string(),
    api_key: z.string(),
    clock: Clock(),
    counts: MerchantCounts(),
  }),
  {
    id: 3,
    name: 'Worker 3',
    api_key: 'sk_sandbox_6fd1c0a84be2937f5a8c1d0e94b7f263',
    clock: { now: EXAMPLE.now, mode: 'frozen' },
    counts: {
      ...Object.fromEntries(anyFamilies.map(({ key }) => [key, 0])),
      [EXAMPLE.familyKey]: 1,
      pending: 0,
      faults: 0,
      exchanges: 2,
    },
  },
);

/** Returns a merchant with its key, clock and counts. */
export function showMerchant({ id, name, api_key, world }: MerchantAccount): wire.MerchantState {
  settledNow(world);
  const states = anyFamilies.map((family) => ({ family, state: stateOf(world, family) }));
  const policies = states.map(({ family, state }) => [family.key, state.policies.size]);
  const counts = {
    ...Object.fromEntries(policies),
    pending: states.reduce((sum, { state }) => sum + state.tokens.pending.size, 0),
    faults: world.faults.size,
    exchanges: world.journal.calls,
  } as wire.MerchantCounts;
  return { id, name, api_key, clock: showClock(world), counts };
}

/** The longest key that a merchant can be given. */
const MAX_KEY = 256;

export const NewMerchant = namedInput(
  'NewMerchant',
  'A new merchant. Every field is optional.',
  () => ({
    name: anyText().optional(),
    api_key: sendableKey().max(MAX_KEY).describe('Its key. Default: a new random key.').optional(),
    records: z
      .union([z.enum(['none', 'demo']), PolicyCounts()])
      .describe(
        'Records at the start: `none`, the `demo` records, or the number of policies of each family. Those are bought by made-up customers in the year before the start of the clock. Default: none.',
      )
      .optional(),
    now: moment('Start time of its clock. Default: as the sandbox was started.').optional(),
    mode: clockMode().optional(),
    seed: z.int().min(0).max(MAX_SEED).optional(),
  }),
  {
    name: 'Worker 3',
    records: { [EXAMPLE.familyKey]: 40 },
    now: EXAMPLE.now,
    mode: 'frozen',
    seed: 7,
  },
);

/** A new merchant as code names its fields. */
const MerchantArgument = onFirstUse(() => {
  const { api_key: apiKey, ...fields } = NewMerchant().shape;
  return inputObject({ ...fields, apiKey });
});

/** Reads the argument of `createMerchant`. Throws `ControlError` 422 with every problem. */
export function readNewMerchant(input: unknown = {}): z.output<ReturnType<typeof NewMerchant>> {
  const read = withMomentText(input, 'now');
  const { apiKey, ...wanted } = parseArgument('createMerchant', MerchantArgument(), read);
  return apiKey === undefined ? wanted : { ...wanted, api_key: apiKey };
}

const MERCHANTS = { output: MerchantState, list: 'MerchantList' };

const Page = onFirstUse(() =>
  z.object({
    page: z
      .int()
      .min(1)
      .describe(
        `The page to list or reset, with ${MERCHANTS_PER_PAGE} merchants per page; the last page has fewer. Default: all merchants. If the Worlds are spread over many machines, the list defaults to page 1, and resetting more than ${MERCHANTS_PER_PAGE} merchants requires a page.`,
      )
      .optional(),
  }),
);

const MerchantId = onFirstUse(() =>
  z.object({
    id: z.string().meta({ description: 'The id of a merchant.', examples: ['3'] }),
  }),
);

/** The call over the merchant whose key was sent. */
export const merchantCalls = {
  show: worldCall({
    operationId: 'getMerchant',
    summary: 'Get the merchant of a key',
    description: 'Returns the merchant whose key was sent, with its clock and counts.',
    route: 'GET /merchant',
    output: MerchantState,
    run: (_, merchant) => showMerchant(merchant),
  }),
};

/** The calls over all merchants. */
export const allMerchantCalls = [
  sandboxCall({
    operationId: 'listMerchants',
    summary: 'List merchants',
    description: 'Returns merchants ordered by id, each with its key, clock and counts.',
    route: 'GET /merchants',
    query: Page,
    ...MERCHANTS,
    run: ({ query: { page } }, store) => accountsOn(store, page).map(showMerchant),
  }),
  sandboxCall({
    operationId: 'createMerchant',
    summary: 'Create a merchant',
    description:
      'Creates a merchant with a new or the given key and its own World. The body is optional. By default the World has no records, and its clock starts as the sandbox was started.',
    route: 'POST /merchants',
    body: NewMerchant,
    isOptional: true,
    output: MerchantState,
    status: 201,
    conflict: 'The limit of merchants is reached, or the key is taken.',
    async run({ body }, store) {
      const merchant = createMerchant(store, body);
      await runCooperatively(buyStartPolicies(store, merchant.row));
      keepBoughtWorld(store, merchant);
      return showMerchant(merchant);
    },
  }),
  sandboxCall({
    operationId: 'removeMerchant',
    summary: 'Remove a merchant and its World',
    description: 'Its key stops working.',
    route: 'DELETE /merchants/{id}',
    params: MerchantId,
    refusals: [404],
    run: ({ params: { id } }, store) => removeMerchant(store, findMerchant(store, id)),
  }),
  sandboxCall({
    operationId: 'rotateKey',
    summary: 'Replace the key of a merchant',
    description:
      'Returns the merchant with its new key. The old key is blocked at once. The World stays as it is.',
    route: 'POST /merchants/{id}/rotate_key',
    params: MerchantId,
    output: MerchantState,
    refusals: [404],
    run({ params: { id } }, store) {
      const merchant = findMerchant(store, id);
      rotateKey(store, merchant);
      return showMerchant(merchant);
    },
  }),
  sandboxCall({
    operationId: 'resetAll',
    summary: 'Reset every World',
    description:
      'Resets every World to its fixtures, as POST /_sandbox/reset does. Merchants and their keys stay.',
    route: 'POST /reset_all',
    query: Page,
    ...MERCHANTS,
    run({ query: { page } }, store) {
      if (page === undefined) resetAll(store);
      else for (const merchant of accountsOn(store, page)) resetWorld(store, merchant);
      return accountsOn(store, page).map(showMerchant);
    },
  }),
];

/**
 * Creates a merchant with its own World. Throws 422 if `now` is before the demo records, and 409 at the
 * limit of merchants, or if the key is taken.
 */
export function createMerchant(
  store: MerchantStore,
  wanted: wire.NewMerchantJson,
): MerchantAccount {
  const { name, api_key, records, mode, seed } = wanted;
  const { clock: usual } = store.defaults;
  const clock = clockStart(store, {
    now: wanted.now === undefined ? usual.now : readMoment(wanted.now),
    mode: mode ?? usual.mode,
  });
  if (isFull(store)) throw new ControlError(409, tooManyMerchants(store));
  if (api_key !== undefined && isKeyTaken(store, api_key)) {
    throw new ControlError(
      409,
      'The key is taken: by a merchant, a former one, or as the admin token.',
    );
  }
  refuseRecords(store, records, clock);
  return addMerchant(store, { name, records, clock, seed }, api_key);
}

/** Throws 422 if a World that starts at this time cannot have these records: they are later, too many, or not sold. */
export function refuseRecords(
  { defaults, priceList, host, time }: MerchantStore,
  records: wire.NewMerchantJson['records'],
  clock: ClockStart,
): void {
  const { fixtures, families } = defaults;
  if (records === 'demo' && clock.now !== undefined) refuseEarly(fixtures, clock.now);
  if (typeof records !== 'object') return;
  const most = host.limits?.maxStartPolicies ?? Number.POSITIVE_INFINITY;
  if (sumOf(records) > most) {
    throw new ControlError(422, `records: at most ${most} policies together on this deployment.`);
  }
  const world = createPurchaseWorld({ priceList, families, merchantId: 1, seed: 0 });
  const now = clock.now ?? readTime(time);
  for (const { key, inventPurchase } of anyFamilies) {
    if (!records[key as FamilyKey] || inventPurchase(world, now)) continue;
    throw new ControlError(422, `records.${key}: the catalogue has no product to buy.`);
  }
}

function refuseEarly(fixtures: Fixtures, start: number): void {
  try {
    assertNotInFuture(fixtures, start);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new ControlError(
      422,
      `now is before the demo records. ${error.message.split('\n', 1)[0]}`,
    );
  }
}

/** Finds a merchant by the id in a path. Throws 404. */
export function findMerchant(store: MerchantStore, id: string): MerchantAccount {
  const merchant = /^[1-9]\d*$/.test(id) ? store.byId.get(Number(id)) : undefined;
  if (merchant) return merchant;
  throw new ControlError(404, `No merchant has the id ${truncate(id)}.`);
}

/** Resets every World. Merchants stay. Throws `NotStoredError`. */
export function resetAll(store: MerchantStore): void {
  replaceWorlds(store, new Map([...store.byId.values()].map((merchant) => [merchant, undefined])));
  store.storage?.requestSave();
}

/** All merchants, ordered by id. */
export const listAccounts = ({ byId }: MerchantStore): MerchantAccount[] =>
  [...byId.values()].toSorted((a, b) => a.id - b.id);

/** The merchants of a page, or all of them, ordered by id. */
export function accountsOn(store: MerchantStore, page: number | undefined): MerchantAccount[] {
  const all = listAccounts(store);
  return page === undefined
    ? all
    : all.slice((page - 1) * MERCHANTS_PER_PAGE, page * MERCHANTS_PER_PAGE);
}
