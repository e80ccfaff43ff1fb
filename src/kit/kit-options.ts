/* What the test kits take besides the options of a sandbox. Only types, which are published. */

import type { NewMerchant } from '../types/public.ts';

/** What a kit takes besides the options of its sandbox. */
export interface KitOptions {
  /** How the merchant of each test starts, as `sandbox.createMerchant` takes it. */
  readonly merchant?: NewMerchant | undefined;
  /** What a fault rule of the test's merchant means that never acted: the test fails, or nothing. Default: `fail`. */
  readonly unusedFaults?: 'fail' | 'ignore' | undefined;
}
