import { anyFamilies, type World } from '../products/world.ts';
import type { MerchantState } from '../public.ts';
import type { ClockMode } from '../world/clock.ts';
import { NotStoredError } from '../world/tables.ts';

/** What a sandbox knows of the program it runs in. */
export interface Host {
  /** Takes a line that whoever runs the sandbox should know. */
  readonly warn?: (message: string) => void;
  /** Aborts when the sandbox closes: methods that wait then end. */
  readonly closing?: AbortSignal;
  /** Where its Worlds are, if they are not all in this process. */
  readonly cluster?: Cluster;
  /**
   * Whether it runs on somebody's servers, one of many parts: it begins without merchants, no caller is on its machine,
   * and there is no connection to break.
   */
  readonly isHosted?: boolean;
  /** Whether it has the built-in merchants all the same, in other parts. */
  readonly hasDemo?: boolean;
  /** How large a snapshot may be that is put back, where that is less than usual. */
  readonly maxSnapshotBytes?: number;
  /** How large the fault rules of a World may be in all, where that is less than usual. */
  readonly maxFaultBytes?: number;
  /** How much of what was sent and answered the journal of a World keeps, where that is less than usual. */
  readonly maxJournalBytes?: number;
  /** Why a World can take nothing more, or no new purchase where one `begins`; undefined while it can. */
  readonly fullReason?: (world: World, wanted: { readonly begins: boolean }) => string | undefined;
}

/** Whether the Worlds of a sandbox are not all in this process: nobody here can count them, or tell what happens in all. */
export const isSpread = ({ cluster, isHosted = false }: Host): boolean =>
  cluster !== undefined || isHosted;

/** Throws `NotStoredError` where a World has no room for what an operation adds. What was begun has its room. */
export function requireRoom({ fullReason }: Host, world: World, operationId: string): void {
  if (!fullReason || isVerify(operationId)) return;
  const begins = anyFamilies.some(({ initiateOperation }) => initiateOperation === operationId);
  const why = fullReason(world, { begins });
  if (why !== undefined) throw new NotStoredError(why);
}

/** Verify alone refuses a token that it does not know. */
const isVerify = (operationId: string): boolean =>
  anyFamilies.some(({ operations }) =>
    operations.some(
      (each) => each.operationId === operationId && each.errors.includes('token_unknown'),
    ),
  );

/** How many merchants a page holds, of lists and of calls over many. */
export const MERCHANTS_PER_PAGE = 100;

/** A merchant to be, as a call asked for it. */
interface WantedMerchant {
  readonly name?: string | undefined;
  readonly records?: 'none' | 'demo' | undefined;
  readonly now?: string | undefined;
  readonly mode?: ClockMode | undefined;
  readonly seed?: number | undefined;
}

/** What is asked about the merchants of a sandbox. It throws the `ControlError` that the call answers. */
export interface MerchantCalls {
  /** Those of a page, by id; all of them, or where they are a cluster's those of the first, unless one is named. */
  list(page: number | undefined): MerchantState[] | Promise<MerchantState[]>;
  create(wanted: WantedMerchant): MerchantState | Promise<MerchantState>;
  remove(id: string): void | Promise<void>;
  rotateKey(id: string): MerchantState | Promise<MerchantState>;
  /** Resets the Worlds of a page, of all unless one is named. Throws 422 where these are too many at once. */
  reset(page: number | undefined): MerchantState[] | Promise<MerchantState[]>;
}

/** The merchants of a sandbox whose Worlds are spread over many processes. */
export interface Cluster extends MerchantCalls {
  /** Has a call answered where the World of a merchant is. Throws 404. */
  forward(id: number, request: Request): Promise<Response>;
}
