/* How a scenario reads the response to a call. */

import type { ReceivedResponse } from '../kit/receive.ts';
import { valueAt } from './json.ts';

/** Whether a response is a success. */
export const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success === undefined && status < 400);
};
