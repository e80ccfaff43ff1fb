import { showMerchant } from '../merchants.ts';
import { type ControlRoute, controlRoute } from '../route.ts';
import { MerchantState } from '../schemas/merchants.ts';
import { Snapshot } from '../schemas/snapshot.ts';
import { MOST_SNAPSHOT_BYTES, MOST_SNAPSHOT_LEVELS, takeSnapshot } from '../snapshot.ts';
import { resetWorld, restoreWorld } from '../worlds.ts';

/** A World whole: made anew, taken as a document, put back. */
export const worldRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'resetWorld',
    summary: 'Make a World what the fixtures made it',
    description:
      'Records, clock, numbering, chance, faults and journal. Calls under way finish in the World they began with.',
    method: 'post',
    path: '/reset',
    over: 'world',
    status: 200,
    answer: MerchantState,
    refusals: [],
    handle: ({ tenants, tenant }) => {
      resetWorld(tenants, tenant);
      return showMerchant(tenant);
    },
  }),
  controlRoute({
    operationId: 'getSnapshot',
    summary: 'Take a World as one document',
    method: 'get',
    path: '/snapshot',
    over: 'world',
    status: 200,
    answer: Snapshot,
    refusals: [],
    handle: ({ tenant }) => takeSnapshot(tenant.world),
  }),
  controlRoute({
    operationId: 'putSnapshot',
    summary: 'Put a World back as a snapshot holds it',
    description:
      'Every answer is then the one the saved World would give. A document that is broken in any place, or of another version, changes nothing.',
    method: 'put',
    path: '/snapshot',
    over: 'world',
    request: {
      in: 'body',
      schema: Snapshot,
      mostBytes: MOST_SNAPSHOT_BYTES,
      mostLevels: MOST_SNAPSHOT_LEVELS,
    },
    status: 200,
    answer: MerchantState,
    refusals: [422],
    handle: ({ tenants, tenant }, document) => {
      restoreWorld(tenants, tenant, document);
      return showMerchant(tenant);
    },
  }),
];
