/* The response to a call of a scenario, as whoever sends it received it. */

import { type Json, valueAt } from './json.ts';

/** A response, completely read. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; undefined if the body is not JSON. */
  readonly body: Json;
}

/** Whether a response is a success. */
export const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success === undefined && status < 400);
};
