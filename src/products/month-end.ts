/* Where a cover ends whose day the last month lacks: what a profile can set. */

import { choice } from '../world/settings.ts';
import { addMonths, addMonthsOverflowing } from '../world/time.ts';

/** How calendar months are added to the start of a cover. */
export const MONTH_END = choice('month-end', {
  clamp: { addMonths },
  overflow: { addMonths: addMonthsOverflowing },
});
