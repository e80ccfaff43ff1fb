/* What methods over HTTP throw: the errors of the same methods in this process, and `ConnectError`. */

import { isRefusal, rejectingAtCaller } from '../control/caller.ts';
import { ControlError } from '../control/control-error.ts';
import { truncate } from '../world/problem-texts.ts';
import { ConnectError } from './connect-error.ts';
import { describeFailure } from './failed-call.ts';

/** Makes the stacks of methods begin at the caller's line. */
export function methodsOverHttp<Methods extends object>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [name, methodOverHttp(method)]);
  return Object.fromEntries(wrapped);
}

export const methodOverHttp = <Args extends unknown[], Result>(
  method: (...args: Args) => Promise<Result>,
): ((...args: Args) => Promise<Result>) => rejectingAtCaller(method, isCallersConcern);

const isCallersConcern = (error: unknown): error is Error =>
  isRefusal(error) || error instanceof ConnectError || error instanceof TypeError;

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
