/* What the test kits take besides the options of a sandbox. Only types, which are published. */

import type { NewMerchant } from '../public.ts';

/** What a kit takes besides the options of its sandbox. */
export interface MerchantOption {
  /** How the merchant of each test starts, as `sandbox.createMerchant` takes it. */
  readonly merchant?: NewMerchant | undefined;
}
