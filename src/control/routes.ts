import * as z from 'zod/mini';
import { component } from '../core/schema.ts';
import { listAssumptions } from './assumptions.ts';
import { advanceClock, changeClock, showClock } from './clock.ts';
import { addFault, clearFaults, listFaults, removeFault } from './faults.ts';
import { awaitJournal, clearJournal, listJournal } from './journal.ts';
import {
  findTenant,
  mint,
  removeTenant,
  resetAll,
  resetWorld,
  restoreWorld,
  rotateKey,
  showMerchant,
  type Tenant,
} from './merchants.ts';
import { type ControlCall, type ControlRoute, controlRoute } from './route.ts';
import {
  Advance,
  Advanced,
  AssumptionCount,
  ClockChange,
  ClockState,
  Expectation,
  Fault,
  JournalEntry,
  JournalQuery,
  MerchantState,
  NewFault,
  NewMerchant,
} from './schemas.ts';
import { SNAPSHOT_VERSION, takeSnapshot } from './snapshot.ts';

/** A snapshot of a World with very many records is larger than any request of the merchant API. */
const MOST_SNAPSHOT_BYTES = 256 * 1024 * 1024;

// What a snapshot holds is checked in full by the rule that reads it, which can name every place.
const SnapshotDocument = component(
  'Snapshot',
  () => z.looseObject({ version: z.int(), world: z.record(z.string(), z.unknown()) }),
  {
    description: `A whole World, version ${SNAPSHOT_VERSION}.`,
  },
);
const AnyDocument = component('SnapshotUpload', () => z.unknown());

const named = ({ tenants, id }: ControlCall): Tenant => findTenant(tenants, Number(id));

/** Every call of the control plane. */
export const controlRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'getClock',
    summary: "Read a World's clock",
    method: 'get',
    path: '/clock',
    over: 'world',
    status: 200,
    answer: ClockState,
    refusals: [],
    handle: ({ tenant }) => showClock(tenant.world),
  }),
  controlRoute({
    operationId: 'setClock',
    summary: "Freeze a World's clock, set it running, or move it forward",
    method: 'put',
    path: '/clock',
    over: 'world',
    request: { in: 'body', schema: ClockChange },
    status: 200,
    answer: ClockState,
    refusals: [409, 422],
    handle: ({ tenant }, change) => changeClock(tenant.world, change),
  }),
  controlRoute({
    operationId: 'advanceClock',
    summary: 'Let time pass in a World and see what lapsed',
    method: 'post',
    path: '/clock/advance',
    over: 'world',
    request: { in: 'body', schema: Advance },
    status: 200,
    answer: Advanced,
    refusals: [409, 422],
    handle: ({ tenant }, advance) => advanceClock(tenant.world, advance),
  }),
  controlRoute({
    operationId: 'resetWorld',
    summary: 'Make a World what the fixtures made it',
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
    answer: SnapshotDocument,
    refusals: [],
    handle: ({ tenant }) => takeSnapshot(tenant.world),
  }),
  controlRoute({
    operationId: 'putSnapshot',
    summary: 'Put a World back as a snapshot holds it',
    method: 'put',
    path: '/snapshot',
    over: 'world',
    request: { in: 'body', schema: AnyDocument, mostBytes: MOST_SNAPSHOT_BYTES },
    status: 200,
    answer: MerchantState,
    refusals: [422],
    handle: ({ tenants, tenant }, document) => {
      restoreWorld(tenants, tenant, document);
      return showMerchant(tenant);
    },
  }),
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
  controlRoute({
    operationId: 'listJournal',
    summary: 'List what a merchant asked and was answered, newest first',
    method: 'get',
    path: '/journal',
    over: 'world',
    request: { in: 'query', schema: JournalQuery },
    status: 200,
    answer: JournalEntry,
    list: true,
    refusals: [422],
    handle: ({ tenant }, query) => listJournal(tenant.world, query),
  }),
  controlRoute({
    operationId: 'clearJournal',
    summary: 'Forget the exchanges of a World',
    method: 'delete',
    path: '/journal',
    over: 'world',
    status: 204,
    refusals: [],
    handle: ({ tenant }) => clearJournal(tenant.world),
  }),
  controlRoute({
    operationId: 'awaitJournal',
    summary: 'Wait until exchanges are there',
    method: 'post',
    path: '/journal/await',
    over: 'world',
    request: { in: 'body', schema: Expectation, optional: true },
    status: 200,
    answer: JournalEntry,
    list: true,
    refusals: [408, 422],
    handle: ({ tenant, signal }, expectation) => awaitJournal(tenant, expectation, signal),
  }),
  controlRoute({
    operationId: 'listAssumptions',
    summary: 'List every decision, with how often answers rested on it',
    method: 'get',
    path: '/assumptions',
    over: 'world',
    status: 200,
    answer: AssumptionCount,
    list: true,
    refusals: [],
    handle: ({ tenant }) => listAssumptions(tenant.world),
  }),
  controlRoute({
    operationId: 'listMerchants',
    summary: 'List the merchants of the sandbox',
    method: 'get',
    path: '/merchants',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    list: true,
    refusals: [],
    handle: ({ tenants }) => [...tenants.byId.values()].map(showMerchant),
  }),
  controlRoute({
    operationId: 'createMerchant',
    summary: 'Mint a merchant with a World of its own',
    method: 'post',
    path: '/merchants',
    over: 'sandbox',
    request: { in: 'body', schema: NewMerchant, optional: true },
    status: 201,
    answer: MerchantState,
    refusals: [422],
    handle: ({ tenants }, wanted) => showMerchant(mint(tenants, wanted)),
  }),
  controlRoute({
    operationId: 'removeMerchant',
    summary: 'Remove a merchant and its World',
    method: 'delete',
    path: '/merchants/:id',
    over: 'sandbox',
    status: 204,
    refusals: [404],
    handle: (call) => removeTenant(call.tenants, named(call)),
  }),
  controlRoute({
    operationId: 'rotateKey',
    summary: 'Give a merchant a new key and block the old one',
    method: 'post',
    path: '/merchants/:id/rotate_key',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    refusals: [404],
    handle: (call) => {
      rotateKey(call.tenants, named(call));
      return showMerchant(named(call));
    },
  }),
  controlRoute({
    operationId: 'resetAll',
    summary: 'Reset every World; minted merchants stay',
    method: 'post',
    path: '/reset_all',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    list: true,
    refusals: [],
    handle: ({ tenants }) => {
      resetAll(tenants);
      return [...tenants.byId.values()].map(showMerchant);
    },
  }),
];
