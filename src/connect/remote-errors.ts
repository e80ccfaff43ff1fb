/* What methods over HTTP throw: the errors of the same methods in this process, and `ConnectError`. */

import { isRefusal, rejectingAtCaller } from '../control/caller.ts';
import { ControlError, type ControlStatus } from '../control/control-error.ts';
import { truncate } from '../world/problem-texts.ts';
import { ConnectError } from './connect-error.ts';
import { ControlCallError } from './control-client.ts';
import { describeFailure } from './failed-call.ts';

/** Makes methods that call the control plane throw the errors of methods. */
export function methodsOverHttp<Methods extends object>(url: string, methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    methodOverHttp(url, method),
  ]);
  return Object.fromEntries(wrapped);
}

/** Makes a method that calls the control plane throw the errors of methods. Its stacks begin at the caller's line. */
export const methodOverHttp = <Args extends unknown[], Result>(
  url: string,
  method: (...args: Args) => Promise<Result>,
): ((...args: Args) => Promise<Result>) =>
  rejectingAtCaller(async (...given: Args) => {
    try {
      return await method(...given);
    } catch (error) {
      throw asMethodError(url, error);
    }
  }, isCallersConcern);

const isCallersConcern = (error: unknown): error is Error =>
  isRefusal(error) || error instanceof ConnectError || error instanceof TypeError;

function asMethodError(url: string, error: unknown): unknown {
  if (!(error instanceof ControlCallError)) return error;
  const { problem, message, cause } = error;
  if (!problem) return new ConnectError(url, message, { cause });
  const { status, detail, errors } = problem;
  // A key that the sandbox does not know is a 404 by now.
  return new ControlError(status as ControlStatus, status === 401 ? WRONG_TOKEN : detail, errors);
}

const WRONG_TOKEN = 'The adminToken of connect() is missing or wrong.';

/** Runs a call with the key of a merchant. A key that the sandbox does not know is 404, as it is in this process. */
export async function ofUnknownKey<Result>(
  apiKey: string,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ControlCallError && error.problem) || error.status !== 401) throw error;
    throw new ControlError(404, `No merchant has the key ${truncate(apiKey)}.`);
  }
}

/** The failure of a merchant-API call without a response: a TypeError as of `fetch`, which says why. */
export const noResponse = (url: string, cause: unknown): TypeError =>
  new TypeError(`${url} ${describeFailure(cause)}.`, { cause });
