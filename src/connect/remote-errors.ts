/* What methods over HTTP throw: the errors of the same methods in this process, and `ConnectError`. */

import { ControlError } from '../control/control-error.ts';
import { truncate } from '../world/problem-texts.ts';
import { describeFailure } from './failed-call.ts';

/** Runs a call with the key of a merchant. A key that the sandbox does not know is 404, as it is in this process. */
export const ofUnknownKey = <Result>(apiKey: string, call: () => Promise<Result>) =>
  unless401(call, () => new ControlError(404, `No merchant has the key ${truncate(apiKey)}.`));

/** Runs an admin call. Without the token, its error names the option that takes it. */
export const withAdminToken = <Result>(call: () => Promise<Result>) =>
  unless401(call, () => new ControlError(401, 'The adminToken of connect() is missing or wrong.'));

async function unless401<Result>(
  call: () => Promise<Result>,
  refusal: () => ControlError,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ControlError && error.status === 401 ? refusal() : error;
  }
}

/** The failure of a merchant-API call without a response: a TypeError as of `fetch`, which says why. */
export const noResponse = (url: string, cause: unknown): TypeError =>
  new TypeError(`${url} ${describeFailure(cause)}.`, { cause });
