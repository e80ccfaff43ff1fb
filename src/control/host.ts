/* The program that runs a sandbox: what it limits, and the cluster that it is a part of. */

import type { World } from '../products/world.ts';
import type { ControlCalls } from '../types/control-wire.ts';
import type { OperationId } from '../types/public.ts';
import type { WorldChanged } from '../world/activity.ts';
import type { Fault } from '../world/faults.ts';
import type { StoredEntry } from '../world/journal.ts';
import type { MerchantOf } from '../world/merchant.ts';

/** What a call to a closed sandbox in this process fails with. */
export const CLOSED = 'The sandbox is closed.';

/** The program that runs a sandbox. */
export interface Host {
  /** Prints a warning. */
  readonly warn?: ((message: string) => void) | undefined;
  readonly observer?: CallObserver | undefined;
  /** Limits that are lower than usual. */
  readonly limits?: HostLimits | undefined;
  /** The cluster that the sandbox is a part of. */
  readonly cluster?: Cluster | undefined;
}

/** A program that disturbs and watches the calls of a sandbox. */
export interface CallObserver {
  /** Called when a merchant was created. Those of fixtures are there from the start. */
  onCreated(merchant: MerchantOf<World>): void;
  /**
   * Called when a call with a valid key arrives, before the sandbox does anything for it. Returns the fault that acts on
   * it, in place of the fault rules.
   */
  faultOf(merchant: MerchantOf<World>, operation: OperationId): Fault | undefined;
  /** Called with each call of the merchant API when it has ended, or will never be answered. */
  onCall(entry: StoredEntry, merchant: object | undefined): void;
  /** Called when a World was changed by something else: its clock was set, or it was reset. */
  onChange(changed: WorldChanged): void;
}

/** Limits of a World, in bytes and policies. */
export interface HostLimits {
  /** A snapshot to restore. */
  readonly maxSnapshotBytes?: number;
  /** The requests and responses in the journal. */
  readonly maxJournalBytes?: number;
  /** The history that rewinding needs, in memory. */
  readonly maxHistoryBytes?: number;
  /** The policies that are bought for a new merchant. */
  readonly maxStartPolicies?: number;
}

/**
 * A sandbox of many parts on a hosting platform, whose Worlds are spread over them. A part starts without merchants,
 * treats no caller as local, knows no totals, and has no connections to break.
 */
export interface Cluster {
  /** Whether it has the built-in merchants. */
  readonly hasDemo?: boolean;
  /** The calls about all merchants, in the part that knows them all. */
  readonly calls?: ClusterCalls;
}

/** Merchants per page, in lists and in resets. */
export const MERCHANTS_PER_PAGE = 100;

/** What a cluster does in place of the calls over one process, by method and path. They throw `ControlError`. */
export type ClusterCalls = {
  readonly [Route in keyof ControlCalls]?: (
    input: Pick<ControlCalls[Route], 'params' | 'query' | 'body'>,
    request: Request,
  ) => unknown;
} & {
  /** The stream, which is no JSON. */
  readonly 'GET /_sandbox/events'?: (
    input: { readonly query: { readonly merchant?: number | undefined } },
    request: Request,
  ) => unknown;
};
