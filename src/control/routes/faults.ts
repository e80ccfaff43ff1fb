import { addFault, clearFaults, listFaults, removeFault } from '../faults.ts';
import { type ControlRoute, controlRoute } from '../route.ts';
import { Fault, NewFault } from '../schemas/faults.ts';

/** The fault rules of a World. */
export const faultRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'listFaults',
    summary: 'List the fault rules of a World',
    method: 'get',
    path: '/faults',
    over: 'world',
    status: 200,
    answer: Fault,
    list: true,
    refusals: [],
    handle: ({ tenant }) => listFaults(tenant.world),
  }),
  controlRoute({
    operationId: 'addFault',
    summary: 'Break calls that match',
    description:
      'The first rule that matches a call acts on it, once unless it says otherwise. The header `Sandbox-Fault: after; drop` does the same for one request.',
    method: 'post',
    path: '/faults',
    over: 'world',
    request: { in: 'body', schema: NewFault },
    status: 201,
    answer: Fault,
    refusals: [422],
    handle: ({ tenant }, fault) => addFault(tenant.world, fault),
  }),
  controlRoute({
    operationId: 'clearFaults',
    summary: 'Remove all fault rules of a World',
    method: 'delete',
    path: '/faults',
    over: 'world',
    status: 204,
    refusals: [],
    handle: ({ tenant }) => clearFaults(tenant.world),
  }),
  controlRoute({
    operationId: 'removeFault',
    summary: 'Remove one fault rule',
    method: 'delete',
    path: '/faults/:id',
    over: 'world',
    status: 204,
    refusals: [404],
    handle: ({ tenant, id }) => removeFault(tenant.world, id),
  }),
];
