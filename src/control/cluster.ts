import type { MerchantState } from '../public.ts';
import type { ClockMode } from '../world/clock.ts';

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
