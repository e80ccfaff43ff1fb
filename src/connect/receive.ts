/* Sends a request and reads its whole response. */

import { parseJson } from '../world/json.ts';
import { describeFailure } from './failed-call.ts';

/** A response, completely read. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; undefined if the body is not JSON. */
  readonly body: unknown;
}

/** Why there is no response. The message follows the server's URL. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** Sends a request and reads its response. Throws `NetworkError` if there is none. */
export type Send = (request: Request) => Promise<ReceivedResponse>;

/** Sends over a `fetch`. */
export const sendOver =
  (fetch: (request: Request) => Promise<Response>): Send =>
  async (request) => {
    try {
      const response = await fetch(request);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: parseJson(text) };
    } catch (error) {
      throw new NetworkError(describeFailure(error));
    }
  };
