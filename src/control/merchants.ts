import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { announce, DEFAULT_MAX_MERCHANTS, notifyListeners } from '../api/activity.ts';
import { FixtureError } from '../products/fixture-error.ts';
import { assertNotInFuture, type Fixtures } from '../products/fixtures.ts';
import { type FamilyKey, families } from '../products/index.ts';
import { anyFamilies, settledNow, stateOf, type World } from '../products/world.ts';
import { countEntries } from '../world/journal.ts';
import { MAX_SEED } from '../world/random.ts';
import { transact } from '../world/tables.ts';
import { type ControlEnv, overSandbox } from './access.ts';
import { Clock, showClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { clockMode, EXAMPLE, moment, parseMoment } from './fields.ts';
import { clockStart, countStartPolicies } from './fresh-world.ts';
import { MERCHANTS_PER_PAGE, type MerchantCalls } from './host.ts';
import {
  done,
  doneList,
  fromQuery,
  inputObject,
  noContent,
  optionalJsonBody,
  parseJsonBody,
  streamList,
} from './json.ts';
import {
  addMerchant,
  fullReason,
  isFull,
  type MerchantAccount,
  type MerchantStore,
  nextKey,
  replaceWorlds,
  resetWorld,
  stored,
} from './merchant-store.ts';
import { BODY_PROBLEMS, CHANGE_PROBLEMS, problemResponse, problems } from './problems.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const policyCounts = Object.fromEntries(
  families.map(({ key, tag }) => [key, count(`${tag} policies.`)]),
) as Record<FamilyKey, ReturnType<typeof count>>;

const MerchantCounts = z
  .strictObject({
    ...policyCounts,
    pending: count('Purchases that were initiated and not yet verified.'),
    faults: count('Fault rules that will still act.'),
    exchanges: count('Entries of the journal.'),
  })
  .openapi('MerchantCounts')
  .meta({ description: 'How much a World holds.' });
type MerchantCounts = z.output<typeof MerchantCounts>;

export const MerchantState = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    api_key: z.string(),
    clock: Clock,
    counts: MerchantCounts,
  })
  .openapi('Merchant')
  .meta({
    description: 'A merchant, its key and its World at a glance.',
    examples: [
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
    ],
  });
export type MerchantState = z.output<typeof MerchantState>;

/** A merchant, its key and its World at a glance. */
export function showMerchant({ id, name, api_key, world }: MerchantAccount): MerchantState {
  settledNow(world);
  const policies: Record<string, number> = {};
  let pending = 0;
  for (const family of anyFamilies) {
    const state = stateOf(world, family);
    policies[family.key] = family.policiesOf(state).list.length;
    pending += state.tokens.pending.size;
  }
  const counts: MerchantCounts = {
    ...(policies as Record<FamilyKey, number>),
    pending,
    faults: world.faults.size,
    exchanges: countEntries(world.journal),
  };
  return { id, name, api_key, clock: showClock(world), counts };
}

/** How much a sandbox holds. */
export interface LiveNumbers {
  readonly merchants: number;
  readonly policies: number;
  /** Of the merchant API, with or without a valid key; those of a World since it was last reset. */
  readonly calls: number;
}

/** Counts what a sandbox holds. Makes no World, so that it costs little however many merchants there are. */
export function liveNumbers(store: MerchantStore): LiveNumbers {
  let policies = 0;
  let calls = store.anonymousRequests;
  for (const merchant of store.byId.values()) {
    if (!merchant.hasWorld) {
      policies += countStartPolicies(store, merchant);
      continue;
    }
    policies += countPolicies(merchant.world);
    calls += merchant.world.requests;
  }
  return { merchants: store.byId.size, policies, calls };
}

function countPolicies(world: World): number {
  let policies = 0;
  for (const family of anyFamilies)
    policies += family.policiesOf(stateOf(world, family)).list.length;
  return policies;
}

export const NewMerchant = inputObject({
  name: z.string().regex(/\S/).optional(),
  records: z
    .enum(['none', 'demo'])
    .meta({ description: 'Whether it starts with the demo population; none unless given.' })
    .optional(),
  now: moment('Where its clock starts.').optional(),
  mode: clockMode().optional(),
  seed: z.int().min(0).max(MAX_SEED).optional(),
})
  .openapi('NewMerchant')
  .meta({
    description: 'A merchant to be; everything has a default.',
    examples: [{ name: 'Worker 3', now: EXAMPLE.now, mode: 'frozen', seed: 7 }],
  });
export type NewMerchant = z.output<typeof NewMerchant>;

const MerchantList = doneList('MerchantList', MerchantState);

const query = z.object({
  page: z
    .int()
    .min(1)
    .meta({
      description: `Which ${MERCHANTS_PER_PAGE} of the merchants: a page that holds fewer is the last. All unless given; where their Worlds are spread over many machines, the first page is listed then, and more than a page are not reset.`,
    })
    .optional(),
});

const params = z.object({
  id: z.string().meta({ description: 'The id of a merchant.', examples: ['3'] }),
});

/** The merchants of the sandbox, for whoever runs it. */
export const merchants = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      createRoute({
        operationId: 'listMerchants',
        summary: 'List the merchants of the sandbox',
        description:
          'In the order of their ids, each with its key, its clock and how much its World holds.',
        method: 'get',
        path: '/merchants',
        ...overSandbox(),
        request: { query: fromQuery(query) },
        responses: { 200: MerchantList, ...problems(401, 403, 422) },
      }),
      async (c) => {
        const states = await callsOver(c).list(c.req.valid('query').page);
        return streamList<MerchantState>(() => states);
      },
    )
    .openapi(
      createRoute({
        operationId: 'createMerchant',
        summary: 'Create a merchant with a World of its own',
        description:
          'Everything has a default and the body may be left out: no records, and the clock the sandbox was started with.',
        method: 'post',
        path: '/merchants',
        ...overSandbox(parseJsonBody({ optional: true })),
        request: optionalJsonBody(NewMerchant),
        responses: {
          201: done(MerchantState),
          ...problems(401, 403, ...BODY_PROBLEMS, ...CHANGE_PROBLEMS),
          409: problemResponse(409, {
            description: 'There are as many merchants as this sandbox may have.',
            detail: fullReason({ maxMerchants: DEFAULT_MAX_MERCHANTS }),
          }),
        },
      }),
      async (c) => c.json(await callsOver(c).create(c.req.valid('json')), 201),
    )
    .openapi(
      createRoute({
        operationId: 'removeMerchant',
        summary: 'Remove a merchant and its World',
        description: 'Its key is unknown from then on.',
        method: 'delete',
        path: '/merchants/{id}',
        ...overSandbox(),
        request: { params },
        responses: { 204: noContent, ...problems(401, 403, 404, ...CHANGE_PROBLEMS) },
      }),
      async (c) => {
        await callsOver(c).remove(c.req.valid('param').id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        operationId: 'rotateKey',
        summary: 'Give a merchant a new key and block the old one',
        description: 'The old key is blocked at once; the World stays as it is.',
        method: 'post',
        path: '/merchants/{id}/rotate_key',
        ...overSandbox(),
        request: { params },
        responses: { 200: done(MerchantState), ...problems(401, 403, 404, ...CHANGE_PROBLEMS) },
      }),
      async (c) => c.json(await callsOver(c).rotateKey(c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        operationId: 'resetAll',
        summary: 'Reset every World; merchants that were created stay',
        description:
          'Each becomes what the fixtures made it, as by POST /_sandbox/reset; keys stay.',
        method: 'post',
        path: '/reset_all',
        ...overSandbox(),
        request: { query: fromQuery(query) },
        responses: { 200: MerchantList, ...problems(401, 403, 422, ...CHANGE_PROBLEMS) },
      }),
      async (c) => c.json({ data: await callsOver(c).reset(c.req.valid('query').page) }, 200),
    );

/**
 * Opens a new World behind a new key. Throws 422 if `now` is no moment, or too early for the demo records, and
 * 409 if there are as many merchants as there may be.
 */
export function createMerchant(store: MerchantStore, wanted: NewMerchant): MerchantAccount {
  const { name, records, mode, seed } = wanted;
  const { clock: usual, fixtures } = store.defaults;
  const clock = clockStart(store, {
    now: wanted.now === undefined ? usual.now : parseMoment(wanted.now, 'now'),
    mode: mode ?? usual.mode,
  });
  if (records === 'demo' && clock.now !== undefined) refuseEarly(fixtures, clock.now);
  if (isFull(store)) throw new ControlError(409, fullReason(store));
  return stored(() => addMerchant(store, { name, records, clock, seed }));
}

function refuseEarly(fixtures: Fixtures, start: number): void {
  try {
    assertNotInFuture(fixtures, start);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new ControlError(422, `now: the demo records are newer. ${error.problems[0]}`);
  }
}

/** The merchant whose id a path names. Throws 404 if there is none. */
export function findMerchant(store: MerchantStore, id: string): MerchantAccount {
  const merchant = /^[1-9]\d*$/.test(id) ? store.byId.get(Number(id)) : undefined;
  if (merchant) return merchant;
  throw new ControlError(
    404,
    `There is no merchant "${id}"; GET /_sandbox/merchants lists those there are.`,
  );
}

/** Removes a merchant and its World. Throws 507. */
export function removeMerchant(store: MerchantStore, merchant: MerchantAccount): void {
  const { id, api_key } = merchant;
  stored(() => transact(store, () => store.merchants.delete(String(id))));
  store.byId.delete(id);
  store.byKey.delete(api_key);
  merchant.removed = true;
  notifyListeners(merchant);
  announce(store.activity, { kind: 'merchants', merchant, change: 'removed' });
}

/** Gives a new key, the one named if any; the old one is blocked at once (`key-issue`). Throws 507. */
export function rotateKey(store: MerchantStore, merchant: MerchantAccount, apiKey?: string): void {
  const before = merchant.api_key;
  const row = stored(() =>
    transact(store, () => {
      const changed = { ...merchant.row, api_key: apiKey ?? nextKey(store) };
      store.blocked.put(before, true);
      store.merchants.put(String(merchant.id), changed);
      return changed;
    }),
  );
  merchant.row = row;
  store.byKey.delete(before);
  store.byKey.set(row.api_key, merchant);
  announce(store.activity, { kind: 'merchants', merchant, change: 'key' });
}

/** Resets every World; merchants that were created stay. Throws 507. */
export function resetAll(store: MerchantStore): void {
  replaceWorlds(store, new Map([...store.byId.values()].map((merchant) => [merchant, undefined])));
  store.storage?.requestSave();
}

/** Every merchant, by id. */
export const listAccounts = ({ byId }: MerchantStore): MerchantAccount[] =>
  [...byId.values()].toSorted((a, b) => a.id - b.id);

/** Those of a page, by id; all of them unless one is named. */
export function accountsOn(store: MerchantStore, page: number | undefined): MerchantAccount[] {
  const all = listAccounts(store);
  return page === undefined
    ? all
    : all.slice((page - 1) * MERCHANTS_PER_PAGE, page * MERCHANTS_PER_PAGE);
}

/** Asks the cluster, if the sandbox is one, and else those of this process. */
const callsOver = ({ env: { merchants: store } }: Context<ControlEnv>): MerchantCalls =>
  store.host.cluster ?? callsOverStore(store);

const callsOverStore = (store: MerchantStore): MerchantCalls => ({
  list: (page) => accountsOn(store, page).map(showMerchant),
  create: (wanted) => showMerchant(createMerchant(store, wanted)),
  remove: (id) => removeMerchant(store, findMerchant(store, id)),
  rotateKey(id) {
    const merchant = findMerchant(store, id);
    rotateKey(store, merchant);
    return showMerchant(merchant);
  },
  reset(page) {
    if (page === undefined) resetAll(store);
    else for (const merchant of accountsOn(store, page)) resetWorld(store, merchant);
    return accountsOn(store, page).map(showMerchant);
  },
});
