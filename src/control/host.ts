import type { MerchantDirectory } from '../api/context.ts';
import type { BeforeChange } from '../api/endpoint.ts';
import { anyFamilies, operations, type World } from '../products/world.ts';
import type { MerchantState, PolicyCounts } from '../public.ts';
import type { ClockMode } from '../world/clock.ts';
import { NotStoredError } from '../world/tables.ts';

/** The program that runs a sandbox: what it provides, and its limits. */
export interface Host {
  /** Prints a warning. */
  readonly warn?: (message: string) => void;
  /** Called when a call with a valid key arrives, before the sandbox does anything for it. */
  readonly onArrival?: MerchantDirectory['onArrival'];
  /** Why the World of a key cannot be opened. Every request with a key then fails with this error. */
  readonly openFailure?: Error;
  /** Aborts when the sandbox closes; methods that wait then end. */
  readonly closing?: AbortSignal;
  /** Access to the Worlds, if they are not all in this process. */
  readonly cluster?: Cluster;
  /**
   * Whether it is one of many parts on a hosting platform. It then starts without merchants, treats no caller as local,
   * and has no connections to break.
   */
  readonly isHosted?: boolean;
  /** Whether other parts have the built-in merchants. */
  readonly hasDemo?: boolean;
  /** Size limit of a snapshot to restore, if lower than usual. */
  readonly maxSnapshotBytes?: number;
  /** Size limit of all fault rules of a World, if lower than usual. */
  readonly maxFaultBytes?: number;
  /** Size limit of the journal of a World, if lower than usual. */
  readonly maxJournalBytes?: number;
  /** The most policies that are bought for a new merchant, if fewer than usual. */
  readonly maxStartPolicies?: number;
  /** Why a World has no room for a change, or for a new purchase if it `begins` one; undefined while it has room. */
  readonly fullReason?: (world: World, wanted: { readonly begins: boolean }) => string | undefined;
}

/** Whether some Worlds are outside this process, so that totals over all of them are unknown here. */
export const isSpread = ({ cluster, isHosted = false }: Host): boolean =>
  cluster !== undefined || isHosted;

/**
 * Returns what throws `NotStoredError` if a World has no room for an operation. Undefined if the host has no limits. A
 * verify always has room: its purchase took it.
 */
export const roomCheck = ({ fullReason }: Host): BeforeChange | undefined =>
  fullReason &&
  ((world, { operationId }) => {
    if (isVerify(operationId)) return;
    const begins = anyFamilies.some(({ initiateOperation }) => initiateOperation === operationId);
    const why = fullReason(world as World, { begins });
    if (why !== undefined) throw new NotStoredError(why);
  });

/** Only verify refuses unknown tokens. */
export const isVerify = (operationId: string): boolean =>
  operations.some(
    (each) => each.operationId === operationId && each.errors.includes('token_unknown'),
  );

/** Merchants per page, in lists and in resets. */
export const MERCHANTS_PER_PAGE = 100;

/** The requested fields of a new merchant. */
interface WantedMerchant {
  readonly name?: string | undefined;
  readonly records?: 'none' | 'demo' | PolicyCounts | undefined;
  readonly now?: string | undefined;
  readonly mode?: ClockMode | undefined;
  readonly seed?: number | undefined;
}

/** The admin operations on merchants. They throw `ControlError`. */
export interface MerchantCalls {
  /** The merchants of a page, ordered by id. Without a page: all, or page 1 in a cluster. */
  list(page: number | undefined): MerchantState[] | Promise<MerchantState[]>;
  create(wanted: WantedMerchant): MerchantState | Promise<MerchantState>;
  remove(id: string): void | Promise<void>;
  rotateKey(id: string): MerchantState | Promise<MerchantState>;
  /** Resets the Worlds of a page, or all. Throws 422 if these are too many at once. */
  reset(page: number | undefined): MerchantState[] | Promise<MerchantState[]>;
}

/** A sandbox whose Worlds are spread over many processes. */
export interface Cluster extends MerchantCalls {
  /** Forwards a request to the process that has the merchant's World. Throws 404. */
  forward(id: number, request: Request): Promise<Response>;
}
