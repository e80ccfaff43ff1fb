/* When the cover of a motor policy ends. */
import { addMonths, type Instant, startOfDay } from '../../world/time.ts';
import type { MotorInitiateRequest } from './requests.ts';

/** Calendar months of one period. */
const MONTHS: Readonly<Record<MotorInitiateRequest['frequency_type'], number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

/** When the cover ends (`motor-dates`). NaN if that is beyond the calendar. */
export function coverEnd(
  cover: Pick<MotorInitiateRequest, 'start_date' | 'frequency_type' | 'duration'>,
): Instant {
  const months = Number(cover.duration) * MONTHS[cover.frequency_type];
  return addMonths(startOfDay(cover.start_date), months);
}
