/* How a scenario reads the response to a call. */

import type { ReceivedResponse } from '../kit/receive.ts';
import { type Instant, instantOf, MINUTE_MS } from '../world/time.ts';
import { valueAt } from './json.ts';

/** A date and time as servers write it: a fraction of any length, an offset, or no zone for UTC; NaN for anything else. */
export function writtenMoment(text: string): Instant {
  const [, time = '', zone = ''] = WRITTEN.exec(text.replace(' ', 'T')) ?? [];
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return instantOf(time) + (sign === '+' ? -offset : offset);
}

const WRITTEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** Whether a response is a success. */
export const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success === undefined && status < 400);
};
