/* Watches the calls of the sandboxes of one run, and disturbs one call in every World. */

import type { CallObserver } from '../../control/host.ts';
import { presentItem } from '../../control/journal.ts';
import { linesOf } from '../../control/journal-text.ts';
import { anyFamilies, stateOf, type World } from '../../products/world.ts';
import type { OperationId } from '../../types/public.ts';
import type { Fault } from '../../world/faults.ts';
import type { StoredEntry } from '../../world/journal.ts';
import type { MerchantOf } from '../../world/merchant.ts';
import { secretHex } from '../../world/random.ts';
import { faultOf } from './failures.ts';
import type { AddNote, AttemptId, Purchase } from './ledger.ts';
import type { Failure } from './public.ts';
import { type CallSelection, isWanted } from './selection.ts';

/**
 * How a World is found again in another run. Those of several processes may have the same place: nobody knows in which order
 * they come.
 */
export interface WorldPlace {
  readonly name: string;
  /** The test that calls it. Only the kits know. */
  readonly test: string | undefined;
  /** Among the Worlds of this name and this test in its process, from 0. Undefined if it is the only one. */
  readonly number: number | undefined;
}

/** The failure of a run, as its sandboxes apply it. */
export interface PlannedFailure {
  readonly failure: Failure;
  /** Which of the wanted calls of every World it disturbs, from 0. */
  readonly place: number;
  readonly selection: CallSelection;
  /** How many calls of the operation fail, one after the other. */
  readonly times: number;
  readonly slowMs: number;
  /** The only Worlds that it disturbs; all if undefined. */
  readonly targets?: readonly WorldPlace[] | undefined;
}

/** What the sandboxes of a run need to know. */
export interface RunPlan {
  /** Undefined for the undisturbed run. */
  readonly planned?: PlannedFailure | undefined;
  /** Which start of the program this is. */
  readonly start: number;
}

/** A test of the program, as a test kit knows it. */
export interface KnownTest extends AttemptId {
  readonly title: string;
}

/** A test that runs. */
export interface RunningTest {
  /** Makes a merchant that of the test. Others that are created while it runs alone are its merchants anyway. */
  own(merchant: MerchantOf<World>): void;
  /** Says how it ends, more than once if that changes. */
  tell(passed: boolean): void;
  /** Says that it is over. */
  end(): void;
}

/** An observer that knows which tests call. */
export interface RunObserver extends CallObserver {
  beginTest(test: KnownTest): RunningTest;
}

/** What an observer knows of a World. */
interface WatchedWorld {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  /** The test that calls it. */
  readonly test: KnownTest | undefined;
  /** Whether the run disturbs it. */
  readonly isTarget: boolean;
  readonly calls: Map<OperationId, number>;
  /** How many wanted calls it made. */
  wanted: number;
  /** The operation whose next calls fail too, and how many. */
  failing: OperationId | undefined;
  left: number;
  /** Where its latest call acts: it may be replaced. */
  world: World;
}

export function createRunObserver(plan: RunPlan, addNote: AddNote): RunObserver {
  const { planned, start } = plan;
  const watched = new WeakMap<object, Map<string, WatchedWorld>>();
  /** The World that a merchant was called for last. */
  const latest = new WeakMap<object, WatchedWorld>();
  const given = new WeakSet<Fault>();
  const running = new Set<KnownTest>();
  const creators = new WeakMap<object, KnownTest>();
  /** Merchants that were called while several tests ran: nobody knows by which. */
  const ofSeveral = new WeakSet<object>();
  /** How many merchants there are of each name and attempt of a test. */
  const counts = new Map<string, number>();
  const aloneNow = (): KnownTest | undefined => (running.size === 1 ? [...running][0] : undefined);
  /** The test that calls a merchant: the one that created it as long as it runs, else the one that runs alone. */
  const testOf = (merchant: object): KnownTest | undefined => {
    const creator = creators.get(merchant);
    if (creator && running.has(creator)) return creator;
    if (running.size > 1) ofSeveral.add(merchant);
    return ofSeveral.has(merchant) ? undefined : (aloneNow() ?? creator);
  };
  /**
   * The World that a test has in a merchant. Worlds are numbered as their merchants are created, which happens in the same
   * order more often than their first calls.
   */
  const worldOf = (merchant: MerchantOf<World>, test: KnownTest | undefined): WatchedWorld => {
    // A name that the sandbox gives counts its merchants, so it differs from run to run.
    const name = merchant.name === `Merchant ${merchant.id}` ? '' : merchant.name;
    const kin = JSON.stringify([name, test?.id, test?.attempt]);
    const own = watched.get(merchant) ?? new Map<string, WatchedWorld>();
    watched.set(merchant, own);
    const known = own.get(kin);
    if (known) return known;
    const number = counts.get(kin) ?? 0;
    counts.set(kin, number + 1);
    const { targets } = planned ?? {};
    const isHere = (target: WorldPlace) =>
      target.name === name && target.test === test?.id && (target.number ?? number) === number;
    const created: WatchedWorld = {
      ...{ id: secretHex(12), name, number, test },
      isTarget: !targets || targets.some(isHere),
      calls: new Map(),
      wanted: 0,
      failing: undefined,
      left: 0,
      world: merchant.world,
    };
    own.set(kin, created);
    return created;
  };
  const noteWorld = (merchant: MerchantOf<World>, { id, name, number, test }: WatchedWorld) => {
    const isNamed = test === undefined || test.title === name;
    addNote({
      ...{ kind: 'world', world: id, name, number, start },
      merchant: isNamed ? merchant.name : `${test.title}: ${merchant.name}`,
      key: merchant.api_key,
      test: test && attemptOf(test),
    });
  };
  return {
    beginTest(test) {
      running.add(test);
      const tell = (passed?: boolean) => addNote({ kind: 'test', ...attemptOf(test), passed });
      tell();
      return {
        own: (merchant) => void creators.set(merchant, test),
        tell,
        end: () => void running.delete(test),
      };
    },
    onCreated(merchant) {
      const test = aloneNow();
      if (test) creators.set(merchant, test);
      worldOf(merchant, test);
    },
    faultOf(merchant, operation) {
      const known = worldOf(merchant, testOf(merchant));
      if (known.calls.size === 0) noteWorld(merchant, known);
      latest.set(merchant, known);
      known.world = merchant.world;
      const call = (known.calls.get(operation) ?? 0) + 1;
      known.calls.set(operation, call);
      const isDisturbed = planned !== undefined && isHit(planned, known, operation, call);
      addNote({ kind: 'call', world: known.id, operation, call, isDisturbed });
      if (!isDisturbed) return undefined;
      const fault = faultOf(planned.failure, planned.slowMs);
      given.add(fault);
      return fault;
    },
    onCall(entry, merchant) {
      const known = merchant && latest.get(merchant);
      if (!known) return;
      addNote({
        kind: 'lines',
        world: known.id,
        isCall: true,
        isDisturbed: entry.fault !== null && given.has(entry.fault),
        ...linesOf(presentItem(entry)),
        bought: purchaseOf(entry, known.world),
      });
    },
    onChange({ event, merchant }) {
      const known = latest.get(merchant);
      // The calls of a fault tell what it did.
      if (!known || 'rule' in event) return;
      const lines = linesOf(presentItem(event));
      addNote({ kind: 'lines', world: known.id, isCall: false, isDisturbed: false, ...lines });
    },
  };
}

const attemptOf = ({ id, attempt }: KnownTest): AttemptId => ({ id, attempt });

/** Whether the failure of a run acts on a call of a World. */
function isHit(
  { failure, place, selection, times }: PlannedFailure,
  known: WatchedWorld,
  operation: OperationId,
  call: number,
): boolean {
  if (!known.isTarget) return false;
  if (known.failing === operation && known.left > 0) {
    known.left--;
    return true;
  }
  if (!isWanted({ operation, call, failure }, selection)) return false;
  if (known.wanted++ !== place) return false;
  known.failing = operation;
  known.left = times - 1;
  return true;
}

/** The policy that a call bought or renewed; undefined if it bought nothing. */
function purchaseOf({ operation, changes }: StoredEntry, world: World): Purchase | undefined {
  const family = anyFamilies.find(({ buyingOperations }) =>
    buyingOperations.some((id) => id === operation),
  );
  const bought = family && changes.find(({ table }) => table === `${family.key}.policies`);
  if (!bought || operation === null) return undefined;
  const policy = stateOf(world, family).policies.get(bought.key);
  if (!policy) return undefined;
  const holder = family.holderOf(policy);
  return { operation, ...family.termsOf(world, policy), holder, policy: bought.key };
}
