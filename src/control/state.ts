import * as z from 'zod/mini';
import { isClockInstant } from '../core/clock.ts';
import { formProblems, shortly } from '../core/form.ts';
import { LAST_SEED } from '../core/random.ts';
import { component } from '../core/schema.ts';
import { highestOf } from '../core/world.ts';
import { tellWatchers } from '../http/merchant.ts';
import { repeated } from '../products/review.ts';
import type { World } from '../products/world.ts';
import { overTheWire } from './input.ts';
import { addTenant, type Tenant, type Tenants } from './merchants.ts';
import { ControlError } from './problems.ts';
import { SNAPSHOT_VERSION, Snapshot } from './schemas/snapshot.ts';
import { MOST_SNAPSHOT_LEVELS, readSnapshot, takeSnapshot } from './snapshot.ts';
import { chanceForm } from './snapshot-form.ts';

/** A whole sandbox as one document: what `--state` keeps. */
export interface SandboxState {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly sandbox: Readonly<Record<string, unknown>>;
}

const key = () => z.string().check(z.regex(/^\S+$/));
const count = () => z.int().check(z.gte(0));

const StateForm = component('SandboxState', () =>
  z.strictObject({
    version: z.literal(SNAPSHOT_VERSION),
    sandbox: z.strictObject({
      last_id: count(),
      last_stranger: count(),
      chance: chanceForm(),
      blocked_keys: z.array(key()),
      merchants: z.array(
        z.strictObject({
          id: z.int().check(z.gte(1)),
          name: z.string(),
          api_key: key(),
          origin: z.strictObject({
            records: z.enum(['none', 'own', 'demo']),
            clock: z.strictObject({
              now: z.nullable(
                z.int().check(z.refine(isClockInstant, { error: 'a moment a clock can show' })),
              ),
              mode: z.enum(['running', 'frozen']),
            }),
            seed: z.int().check(z.gte(0), z.lte(LAST_SEED)),
          }),
          snapshot: Snapshot(),
        }),
      ),
    }),
  }),
);
type State = z.output<ReturnType<typeof StateForm>>;

export function dumpSandbox(tenants: Tenants): SandboxState {
  return {
    version: SNAPSHOT_VERSION,
    sandbox: {
      last_id: tenants.lastId,
      last_stranger: tenants.strangers,
      chance: { state: [...tenants.chance.state] },
      blocked_keys: [...tenants.blocked],
      merchants: [...tenants.byId.values()].map(({ id, name, api_key, origin, world }) => ({
        id,
        name,
        api_key,
        origin: { ...origin, clock: { mode: origin.clock.mode, now: origin.clock.now ?? null } },
        snapshot: takeSnapshot(world),
      })),
    } satisfies State['sandbox'],
  };
}

/** Puts every merchant and World back, or changes nothing and refuses with the place that is broken. */
export function loadSandbox(tenants: Tenants, document: unknown): void {
  const { sandbox } = readState(overTheWire(document, MOST_SNAPSHOT_LEVELS));
  const worlds = sandbox.merchants.map(({ snapshot }, position): World => {
    try {
      return readSnapshot(snapshot, tenants.settings);
    } catch (error) {
      throw error instanceof ControlError ? inSnapshotOf(position, error) : error;
    }
  });
  const before = new Map(tenants.byId);
  tenants.byId.clear();
  tenants.byKey.clear();
  tenants.blocked.clear();
  for (const [position, saved] of sandbox.merchants.entries()) {
    const tenant = putBack(tenants, before.get(saved.id), saved);
    tenant.world = worlds[position] as World;
    before.delete(saved.id);
    tellWatchers(tenant);
  }
  for (const gone of before.values()) {
    gone.removed = true;
    tellWatchers(gone);
  }
  for (const blocked of sandbox.blocked_keys) tenants.blocked.add(blocked);
  tenants.lastId = sandbox.last_id;
  tenants.strangers = sandbox.last_stranger;
  tenants.chance.state = sandbox.chance.state;
}

function readState(document: unknown): State {
  const version =
    typeof document === 'object' && document !== null
      ? Reflect.get(document, 'version')
      : undefined;
  if (version !== undefined && version !== SNAPSHOT_VERSION) {
    refuseBroken([
      `version: this sandbox reads version ${SNAPSHOT_VERSION}, got ${shortly(version)}`,
    ]);
  }
  const parsed = z.safeParse(StateForm(), document);
  if (!parsed.success) refuseBroken(formProblems(document, parsed.error));
  const { merchants, last_id: last } = parsed.data.sandbox;
  const highest = highestOf(merchants.map(({ id }) => id));
  const problems = [
    ...repeated(merchants, ({ id }) => id, 'sandbox.merchants', 'id'),
    ...repeated(merchants, ({ api_key }) => api_key, 'sandbox.merchants', 'api_key'),
    ...(last < highest ? [`sandbox.last_id: expected at least ${highest}, got ${last}`] : []),
  ];
  if (problems.length > 0) refuseBroken(problems);
  return parsed.data;
}

/** The merchant that is there already, so that what holds it goes on with it, or a new one. */
function putBack(
  tenants: Tenants,
  known: Tenant | undefined,
  { id, name, api_key, origin: saved }: State['sandbox']['merchants'][number],
): Tenant {
  const { now, mode } = saved.clock;
  const origin = { ...saved, clock: { mode, now: now ?? undefined } };
  if (!known) return addTenant(tenants, { id, name, api_key, origin });
  tenants.byId.set(id, known);
  tenants.byKey.set(api_key, known);
  known.api_key = api_key;
  known.name = name;
  known.origin = origin;
  return known;
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
