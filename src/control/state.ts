import * as z from 'zod/mini';
import { component } from '../core/schema.ts';
import { formProblems } from '../core/form.ts';
import type { World } from '../products/world.ts';
import { addTenant, type Origin, type Tenants } from './merchants.ts';
import { ControlError } from './problems.ts';
import { readSnapshot, SNAPSHOT_VERSION, takeSnapshot } from './snapshot.ts';

/** A whole sandbox as one document: what `--state` keeps. */
export interface SandboxState {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly sandbox: Readonly<Record<string, unknown>>;
}

const StateForm = component('SandboxState', () =>
  z.strictObject({
    version: z.literal(SNAPSHOT_VERSION),
    sandbox: z.strictObject({
      last_id: z.int().check(z.gte(0)),
      chance: z.strictObject({ state: z.array(z.int()).check(z.length(4)) }),
      merchants: z.array(
        z.strictObject({
          id: z.int().check(z.gte(1)),
          name: z.string(),
          api_key: z.string().check(z.regex(/^\S+$/)),
          origin: z.strictObject({
            records: z.enum(['none', 'own', 'demo']),
            clock: z.strictObject({
              now: z.nullable(z.number()),
              mode: z.enum(['running', 'frozen']),
            }),
            seed: z.int(),
          }),
          snapshot: z.unknown(),
        }),
      ),
    }),
  }),
);

export function dumpSandbox(tenants: Tenants): SandboxState {
  return {
    version: SNAPSHOT_VERSION,
    sandbox: {
      last_id: tenants.lastId,
      chance: { state: [...tenants.chance.state] },
      merchants: [...tenants.byId.values()].map(({ id, name, api_key, origin, world }) => ({
        id,
        name,
        api_key,
        origin: { ...origin, clock: { mode: origin.clock.mode, now: origin.clock.now ?? null } },
        snapshot: takeSnapshot(world),
      })),
    },
  };
}

/** Puts every merchant and World back, or changes nothing and refuses with the place that is broken. */
export function loadSandbox(tenants: Tenants, document: unknown): void {
  const parsed = z.safeParse(StateForm(), document);
  if (!parsed.success) {
    const problems = formProblems(document, parsed.error);
    throw new ControlError(422, `The saved state is broken: ${problems[0]}`, { errors: problems });
  }
  const { sandbox } = parsed.data;
  const worlds = sandbox.merchants.map(({ snapshot }, position): World => {
    try {
      return readSnapshot(snapshot, tenants.settings);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      throw new ControlError(
        422,
        `sandbox.merchants.${position}.snapshot: ${error.message}`,
        error.more,
      );
    }
  });
  tenants.byId.clear();
  tenants.byKey.clear();
  for (const [position, { origin, ...merchant }] of sandbox.merchants.entries()) {
    const clock = { mode: origin.clock.mode, now: origin.clock.now ?? undefined };
    const tenant = addTenant(tenants, {
      ...merchant,
      origin: { ...origin, clock } satisfies Origin,
    });
    tenant.world = worlds[position] as World;
  }
  tenants.lastId = sandbox.last_id;
  tenants.chance.state = sandbox.chance.state;
}
