import { z } from '@hono/zod-openapi';
import { isClockInstant } from '../core/clock.ts';
import { MAX_SEED } from '../core/random.ts';
import { maxOf } from '../core/world.ts';
import { formatIssues, truncate } from '../core/zod-issues.ts';
import { notifyListeners } from '../http/merchant.ts';
import { findDuplicates } from '../products/fixture-validation.ts';
import type { World } from '../products/world.ts';
import { ControlError } from './control-error.ts';
import {
  type MerchantAccount,
  type MerchantStore,
  registerMerchant,
  replaceWorld,
} from './merchant-store.ts';
import { jsonRoundTrip } from './request.ts';
import {
  MAX_SNAPSHOT_DEPTH,
  readSnapshot,
  SNAPSHOT_VERSION,
  Snapshot,
  takeSnapshot,
} from './snapshot.ts';
import { RandomStateDump } from './snapshot-validation.ts';

/** A whole sandbox as one document: what `--state` keeps. */
export interface SandboxState {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly sandbox: Readonly<Record<string, unknown>>;
}

const createSandboxDumpSchema = () => {
  const apiKey = z.string().regex(/^\S+$/);
  const count = z.int().min(0);
  return z.strictObject({
    version: z.literal(SNAPSHOT_VERSION),
    sandbox: z.strictObject({
      last_id: count,
      last_stranger: count,
      chance: RandomStateDump,
      blocked_keys: z.array(apiKey),
      merchants: z.array(
        z.strictObject({
          id: z.int().min(1),
          name: z.string(),
          api_key: apiKey,
          origin: z.strictObject({
            records: z.enum(['none', 'own', 'demo']),
            clock: z.strictObject({
              now: z
                .int()
                .refine(isClockInstant, { error: 'a moment a clock can show' })
                .nullable(),
              mode: z.enum(['running', 'frozen']),
            }),
            seed: z.int().min(0).max(MAX_SEED),
          }),
          snapshot: Snapshot,
        }),
      ),
    }),
  });
};

/** Made when the first state is read: most sandboxes never read one, and all of them start. */
let sandboxDumpSchema: ReturnType<typeof createSandboxDumpSchema> | undefined;

type SandboxDump = z.output<ReturnType<typeof createSandboxDumpSchema>>;
type MerchantDump = SandboxDump['sandbox']['merchants'][number];

export function dumpSandbox(store: MerchantStore): SandboxState {
  return {
    version: SNAPSHOT_VERSION,
    sandbox: {
      last_id: store.lastId,
      last_stranger: store.anonymousRequests,
      chance: { state: [...store.chance.state] },
      blocked_keys: [...store.blocked],
      merchants: [...store.byId.values()].map(({ id, name, api_key, config, world }) => ({
        id,
        name,
        api_key,
        origin: { ...config, clock: { mode: config.clock.mode, now: config.clock.now ?? null } },
        snapshot: takeSnapshot(world),
      })),
    } satisfies SandboxDump['sandbox'],
  };
}

/** Puts every merchant and World back, or changes nothing and throws 422 naming the place that is broken. */
export function loadSandbox(store: MerchantStore, document: unknown): void {
  const { sandbox } = readDump(jsonRoundTrip(document, MAX_SNAPSHOT_DEPTH));
  const worlds = sandbox.merchants.map(({ snapshot }, position): World => {
    try {
      return readSnapshot(snapshot, store.settings, store.time);
    } catch (error) {
      throw error instanceof ControlError ? inSnapshotOf(position, error) : error;
    }
  });
  const before = new Map(store.byId);
  store.byId.clear();
  store.byKey.clear();
  store.blocked.clear();
  for (const [position, dump] of sandbox.merchants.entries()) {
    const merchant = restoreMerchant(store, before.get(dump.id), dump);
    before.delete(dump.id);
    replaceWorld(merchant, worlds[position] as World);
  }
  for (const gone of before.values()) {
    gone.removed = true;
    notifyListeners(gone);
  }
  for (const blocked of sandbox.blocked_keys) store.blocked.add(blocked);
  store.lastId = sandbox.last_id;
  store.anonymousRequests = sandbox.last_stranger;
  store.chance.state = sandbox.chance.state;
}

function readDump(document: unknown): SandboxDump {
  const version =
    typeof document === 'object' && document !== null
      ? Reflect.get(document, 'version')
      : undefined;
  if (version !== undefined && version !== SNAPSHOT_VERSION) {
    refuseBroken([
      `version: this sandbox reads version ${SNAPSHOT_VERSION}, got ${truncate(version)}`,
    ]);
  }
  sandboxDumpSchema ??= createSandboxDumpSchema();
  const parsed = sandboxDumpSchema.safeParse(document);
  if (!parsed.success) refuseBroken(formatIssues(document, parsed.error));
  const { merchants, last_id: last } = parsed.data.sandbox;
  const highest = maxOf(merchants.map(({ id }) => id));
  const problems = [
    ...findDuplicates(merchants, ({ id }) => id, 'sandbox.merchants', 'id'),
    ...findDuplicates(merchants, ({ api_key }) => api_key, 'sandbox.merchants', 'api_key'),
    ...(last < highest ? [`sandbox.last_id: expected at least ${highest}, got ${last}`] : []),
  ];
  if (problems.length > 0) refuseBroken(problems);
  return parsed.data;
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

function refuseBroken(problems: readonly string[]): never {
  throw new ControlError(422, `The saved state is broken: ${problems[0]}`, { errors: problems });
}
