import { z } from '@hono/zod-openapi';
import { announce, notifyListeners } from '../api/activity.ts';
import { findDuplicates } from '../products/record-validation.ts';
import type { World } from '../products/world.ts';
import { isClockInstant, readTime } from '../world/clock.ts';
import { truncate } from '../world/problem-texts.ts';
import { MAX_SEED } from '../world/random.ts';
import type { Line } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { MAX_ID } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import {
  type MerchantAccount,
  type MerchantStore,
  placeWorld,
  registerMerchant,
  stored,
  worldLines,
} from './merchant-store.ts';
import type { MerchantRow } from './sandbox-tables.ts';
import {
  type RestoredWorld,
  readWorld,
  requireVersion,
  SNAPSHOT_VERSION,
  Snapshot,
  started,
  takeSnapshot,
} from './snapshot.ts';
import { createProblems, type Problems, readList, readPart } from './snapshot-validation.ts';
import { openList, RandomStateDump } from './world-dump.ts';

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

/** A whole sandbox as a document. */
export function dumpSandbox(store: MerchantStore): SandboxState {
  const merchants = [...store.byId.values()].map(({ id, name, api_key, config, world }) => ({
    id,
    name,
    api_key,
    origin: { ...config, clock: { mode: config.clock.mode, now: config.clock.now ?? null } },
    snapshot: takeSnapshot(world),
  }));
  return {
    version: SNAPSHOT_VERSION,
    sandbox: {
      last_id: store.lastId,
      last_stranger: store.anonymousRequests,
      chance: { state: store.random.state },
      blocked_keys: [...store.blocked.keys()],
      merchants,
    },
  };
}

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
  replaceSandbox(store, dump, restored);
}

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
  const since = readTime(store.time);
  const rows = dump.merchants.map((merchant) => rowOf(merchant, since));
  const worlds = restored.map((each) => started(store, each));
  const kept = rows.map(({ id }, position) => worldLines(id, worlds[position] as World));
  stored(() => store.tables.transact(() => putRows(store, dump, rows), chained(kept)));
  store.anonymousRequests = dump.last_stranger;

  const before = new Map(store.byId);
  store.byId.clear();
  store.byKey.clear();
  for (const [position, row] of rows.entries()) {
    const known = before.get(row.id);
    const merchant = known ? takeRow(store, known, row) : registerMerchant(store, row);
    before.delete(row.id);
    // Its key may be another one as well.
    announce(store.activity, { kind: 'merchants', merchant, change: known ? 'key' : 'created' });
    placeWorld(store, merchant, worlds[position]);
  }
  for (const gone of before.values()) {
    gone.removed = true;
    notifyListeners(gone);
    announce(store.activity, { kind: 'merchants', merchant: gone, change: 'removed' });
  }
  store.storage?.requestSave();
}

function* chained(parts: readonly Iterable<Line>[]): Generator<Line, void> {
  for (const part of parts) yield* part;
}

const rowOf = ({ id, name, api_key, origin }: MerchantDump, since: Instant): MerchantRow => {
  const { now, mode } = origin.clock;
  const config = { ...origin, clock: { mode, now: now ?? undefined } };
  return { id, name, api_key, config, since };
};

function putRows(store: MerchantStore, dump: SandboxDump, rows: readonly MerchantRow[]): void {
  for (const id of store.merchants.keys()) store.merchants.delete(id);
  for (const row of rows) store.merchants.put(String(row.id), row);
  for (const key of store.blocked.keys()) store.blocked.delete(key);
  for (const key of dump.blocked_keys) store.blocked.put(key, true);
  store.lastId = dump.last_id;
  store.random.state = dump.chance.state;
}

/** The merchant that is there already, so that what holds it goes on with it. */
function takeRow(
  store: MerchantStore,
  merchant: MerchantAccount,
  row: MerchantRow,
): MerchantAccount {
  merchant.row = row;
  store.byId.set(row.id, merchant);
  store.byKey.set(row.api_key, merchant);
  return merchant;
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

function inSnapshotOf(position: number, { message, more }: ControlError): ControlError {
  const place = `sandbox.merchants.${position}.snapshot`;
  const { errors } = more as { errors?: readonly string[] };
  return new ControlError(422, `${place}: ${message}`, {
    ...(errors && { errors: errors.map((error) => `${place}.${error}`) }),
  });
}
