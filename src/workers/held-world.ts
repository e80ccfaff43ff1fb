import { ControlError } from '../control/control-error.ts';
import { type MerchantAccount, registerMerchant } from '../control/merchant-store.ts';
import { bytesOf } from '../core/body-text.ts';
import { systemNow } from '../core/clock.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { anyFamilies, stateOf, type World } from '../products/world.ts';
import { keepState } from '../state/keep.ts';
import { StateError, type StatePlace } from '../state/place.ts';
import type { MerchantRecord } from './bindings.ts';
import { openPart } from './deployment.ts';
import type { ObjectContext } from './engine.ts';
import { digest } from './engine-chance.ts';
import { openSqlPlace } from './sql-place.ts';

/** How many policies a World may hold, with purchases that are pending: an object has 128 MB of memory. */
const MAX_POLICIES = 20_000;
/** How much of a World may be kept, in bytes: policies may be of very many members, and fault rules have bodies. */
const MAX_KEPT_BYTES = 31 * 1024 * 1024;
/** How large fault rules may be in all: what was removed is free again at once. */
const MAX_FAULT_BYTES = 8 * 1024 * 1024;
/** The journal goes on in a full World: what it keeps is in the snapshot too, at up to six bytes for one. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
/** How large a snapshot may be that is put back: as large as one that is taken can be. */
const MAX_DOCUMENT_BYTES = 40 * 1024 * 1024;
/** A policy is at most this many times as large as its purchase: each member gets fields of its own. */
const BYTES_OF_POLICY = 3;
/** How long nothing may change before the log is folded, while the engine still has the object in memory. */
const QUIET_MS = 5_000;

/** A World in an object, every change of which is kept before it is answered. */
export interface HeldWorld {
  readonly opened: OpenSandbox;
  readonly merchant: MerchantAccount;
  /** Folds the log once nothing has changed for a while, so that the object wakes sooner. */
  tidy(): Promise<void>;
}

/**
 * Wakes the World that an object keeps, or has it hold that of a merchant. Undefined where there is neither. Throws
 * `ControlError` (503) where what is kept can't be read.
 */
export async function holdWorld(
  { storage, id }: ObjectContext,
  env: object,
  record: MerchantRecord | undefined,
): Promise<HeldWorld | undefined> {
  let changedAt = 0;
  let isAlarmSet = false;
  const setAlarm = (): void => {
    isAlarmSet = true;
    void storage.setAlarm(changedAt + QUIET_MS);
  };
  const place = openSqlPlace(storage, id.toString(), digest, () => {
    changedAt = systemNow();
    if (!isAlarmSet) setAlarm();
  });
  const opened = openPart(env, {
    maxDocumentBytes: MAX_DOCUMENT_BYTES,
    maxFaultBytes: MAX_FAULT_BYTES,
    maxJournalBytes: MAX_JOURNAL_BYTES,
    whyFull: (world, { begins }) => whyFull(world, place, begins),
  });
  const { store } = opened;
  if (place.documentSize() === 0 && record) registerMerchant(store, record);
  const log = await keepState(opened, place, (line) =>
    console.warn(`The log of ${id}: ${line}`),
  ).catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error;
    throw new ControlError(503, `What is kept of this World can not be read: ${error.message}`);
  });
  const [merchant] = store.byId.values();
  if (!merchant) return undefined;
  return {
    opened,
    merchant,
    async tidy() {
      isAlarmSet = false;
      if (systemNow() - changedAt < QUIET_MS) setAlarm();
      else if (place.logSize() > 0) await log.fold();
    },
  };
}

function whyFull(world: World, place: StatePlace, begins: boolean): string | undefined {
  let policies = 0;
  let pendingBytes = 0;
  for (const family of anyFamilies) {
    const { tokens } = stateOf(world, family);
    policies += family.policiesOf(stateOf(world, family)).list.length + tokens.pending.size;
    for (const { details } of tokens.pending.values()) pendingBytes += sizeOf(details);
  }
  // Pending purchases are kept already; verify makes more of them, and is not refused.
  const growth = pendingBytes * (BYTES_OF_POLICY - 1);
  const bytes = place.documentSize() + place.logSize() + growth;
  const isFull = bytes >= MAX_KEPT_BYTES || (begins && policies >= MAX_POLICIES);
  if (!isFull) return undefined;
  return `A World holds at most ${MAX_POLICIES.toLocaleString('en')} policies and pending purchases here, or ${MAX_KEPT_BYTES >> 20} MiB of them and of fault rules; reset it, or buy with another key.`;
}

/** What is pending never changes, and is measured once. */
const sizes = new WeakMap<object, number>();

function sizeOf(details: object): number {
  const known = sizes.get(details) ?? bytesOf(JSON.stringify(details));
  sizes.set(details, known);
  return known;
}
