import { z } from '@hono/zod-openapi';
import { isClockInstant } from '../core/clock.ts';
import { listed, type Streamed, streamed } from '../core/json-pieces.ts';
import { MAX_SEED } from '../core/random.ts';
import { MAX_ID } from '../core/world.ts';
import { truncate } from '../core/zod-issues.ts';
import { announce } from '../http/activity.ts';
import { notifyListeners } from '../http/merchant.ts';
import { findDuplicates } from '../products/fixture-validation.ts';
import { announceWorld, makeWithDocument } from './change.ts';
import { ControlError } from './control-error.ts';
import { type MerchantAccount, type MerchantStore, registerMerchant } from './merchant-store.ts';
import { Snapshot, snapshotOf } from './snapshot.ts';
import { createProblems, type Problems, readList, readPart } from './snapshot-validation.ts';
import { openList, RandomStateDump } from './world-dump.ts';
import {
  documentOf,
  type RestoredWorld,
  readWorld,
  requireVersion,
  SNAPSHOT_VERSION,
  takePlace,
} from './world-restore.ts';

/** A whole sandbox as one document: what `--state` keeps. */
export interface SandboxState {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly sandbox: Readonly<Record<string, unknown>>;
}

const createSchemas = () => {
  const apiKey = z.string().regex(/^\S+$/);
  const count = z.int().min(0).max(MAX_ID);
  return {
    state: z.strictObject({
      version: z.literal(SNAPSHOT_VERSION),
      // Of whoever keeps the state.
      log: z.unknown().optional(),
      sandbox: z.strictObject({
        last_id: count,
        last_stranger: count,
        chance: RandomStateDump,
        blocked_keys: openList(),
        merchants: openList(),
      }),
    }),
    key: apiKey,
    merchant: z.strictObject({
      id: z.int().min(1).max(MAX_ID),
      name: z.string(),
      api_key: apiKey,
      origin: z.strictObject({
        records: z.enum(['none', 'own', 'demo']),
        clock: z.strictObject({
          now: z.int().refine(isClockInstant, { error: 'a moment a clock can show' }).nullable(),
          mode: z.enum(['running', 'frozen']),
        }),
        seed: z.int().min(0).max(MAX_SEED),
      }),
      snapshot: Snapshot,
    }),
  };
};

/** Made when the first state is read: most sandboxes never read one, and all of them start. */
let schemas: ReturnType<typeof createSchemas> | undefined;

type MerchantDump = z.output<ReturnType<typeof createSchemas>['merchant']>;

interface SandboxDump {
  readonly last_id: number;
  readonly last_stranger: number;
  readonly chance: z.output<typeof RandomStateDump>;
  readonly blocked_keys: readonly string[];
  readonly merchants: readonly MerchantDump[];
}

/** The document of a whole sandbox as it is at this moment. */
export function stateOfSandbox(store: MerchantStore): Streamed {
  const merchants = [...store.byId.values()].map(({ id, name, api_key, config, world }) =>
    streamed({
      id,
      name,
      api_key,
      origin: { ...config, clock: { mode: config.clock.mode, now: config.clock.now ?? null } },
      snapshot: snapshotOf(world),
    }),
  );
  return streamed({
    last_id: store.lastId,
    last_stranger: store.anonymousRequests,
    chance: { state: [...store.chance.state] },
    blocked_keys: [...store.blocked],
    merchants: listed(() => merchants),
  });
}

/** The document that holds it. */
export const dumpSandbox = (store: MerchantStore): Streamed =>
  streamed({ version: SNAPSHOT_VERSION, sandbox: stateOfSandbox(store) });

/**
 * Puts every merchant and World back, piece by piece: it yields after each. Throws 422 naming the place, and
 * changes nothing, where any is broken.
 */
export function* loadSandbox(store: MerchantStore, document: unknown): Generator<void, void> {
  const dump = yield* readState(document);
  const restored: RestoredWorld[] = [];
  for (const [position, { snapshot }] of dump.merchants.entries()) {
    restored.push(yield* readMerchantWorld(store, snapshot, position));
  }
  yield* makeWithDocument(
    store,
    { change: LOAD_SANDBOX },
    () => documentFrom(dump, restored),
    () => replaceSandbox(store, dump, restored),
  );
}

function documentFrom(dump: SandboxDump, restored: readonly RestoredWorld[]): Streamed {
  const merchants = dump.merchants.map((merchant, position) =>
    streamed({ ...merchant, snapshot: documentOf(restored[position] as RestoredWorld) }),
  );
  return streamed({
    version: SNAPSHOT_VERSION,
    sandbox: streamed({ ...dump, merchants: listed(() => merchants) }),
  });
}

/** The name under which a log has it. */
export const LOAD_SANDBOX = 'loadSandbox';

function* readMerchantWorld(
  store: MerchantStore,
  { version, world }: Snapshot,
  position: number,
): Generator<void, RestoredWorld> {
  try {
    requireVersion(version);
    const problems = createProblems('The snapshot is broken, nothing was restored');
    return yield* readWorld(world, 'world', store, problems);
  } catch (error) {
    throw error instanceof ControlError ? inSnapshotOf(position, error) : error;
  }
}

function replaceSandbox(
  store: MerchantStore,
  dump: SandboxDump,
  restored: readonly RestoredWorld[],
): void {
  const before = new Map(store.byId);
  store.byId.clear();
  store.byKey.clear();
  store.blocked.clear();
  for (const [position, merchantDump] of dump.merchants.entries()) {
    const known = before.get(merchantDump.id);
    const merchant = restoreMerchant(store, known, merchantDump);
    before.delete(merchantDump.id);
    takePlace(store, merchant, restored[position] as RestoredWorld);
    // Its key may be another one as well.
    announce(store.activity, { kind: 'merchants', merchant, change: known ? 'key' : 'created' });
    announceWorld(store.activity, merchant);
  }
  for (const gone of before.values()) {
    gone.removed = true;
    notifyListeners(gone);
    announce(store.activity, { kind: 'merchants', merchant: gone, change: 'removed' });
  }
  for (const blocked of dump.blocked_keys) store.blocked.add(blocked);
  store.lastId = dump.last_id;
  store.anonymousRequests = dump.last_stranger;
  store.chance.state = dump.chance.state;
}

function* readState(document: unknown): Generator<void, SandboxDump> {
  const problems = createProblems('The saved state is broken');
  const version =
    typeof document === 'object' && document !== null
      ? Reflect.get(document, 'version')
      : undefined;
  if (version !== undefined && version !== SNAPSHOT_VERSION) {
    problems.note([
      `version: this sandbox reads version ${SNAPSHOT_VERSION}, got ${truncate(version)}`,
    ]);
  }
  problems.throwIfAny();
  schemas ??= createSchemas();
  const state = yield* readPart(schemas.state, document, '', problems);
  problems.throwIfAny();
  const { sandbox } = state as Exclude<typeof state, undefined>;
  yield* readList(schemas.key, sandbox.blocked_keys, 'sandbox.blocked_keys', problems);
  yield* readList(schemas.merchant, sandbox.merchants, 'sandbox.merchants', problems);
  problems.throwIfAny();
  const dump = sandbox as unknown as SandboxDump;
  reviewMerchants(dump, problems);
  problems.throwIfAny();
  return dump;
}

function reviewMerchants({ merchants, last_id: last }: SandboxDump, problems: Problems): void {
  const highest = merchants.reduce((most, { id }) => Math.max(most, id), 0);
  problems.note([
    ...findDuplicates(merchants, ({ id }) => id, 'sandbox.merchants', 'id'),
    ...findDuplicates(merchants, ({ api_key }) => api_key, 'sandbox.merchants', 'api_key'),
    ...(last < highest ? [`sandbox.last_id: expected at least ${highest}, got ${last}`] : []),
  ]);
}

/** The merchant that is there already, so that what holds it goes on with it, or a new one. */
function restoreMerchant(
  store: MerchantStore,
  known: MerchantAccount | undefined,
  { id, name, api_key, origin }: MerchantDump,
): MerchantAccount {
  const { now, mode } = origin.clock;
  const config = { ...origin, clock: { mode, now: now ?? undefined } };
  if (!known) return registerMerchant(store, { id, name, api_key, config });
  store.byId.set(id, known);
  store.byKey.set(api_key, known);
  return Object.assign(known, { api_key, name, config });
}

function inSnapshotOf(position: number, { message, more }: ControlError): ControlError {
  const place = `sandbox.merchants.${position}.snapshot`;
  const { errors } = more as { errors?: readonly string[] };
  return new ControlError(422, `${place}: ${message}`, {
    ...(errors && { errors: errors.map((error) => `${place}.${error}`) }),
  });
}
