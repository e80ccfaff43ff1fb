/*
 * The stack of a refusal begins at the caller's line instead of inside a bundle, because the caller has to fix it.
 * Other errors keep their whole stack.
 */

import { FixtureError } from '../products/fixture-error.ts';
import { TimeSourceError } from '../world/clock.ts';
import { atCaller } from '../world/platform.ts';
import { ControlError, seenByCaller } from './control-error.ts';
import { RefusalError } from './refusal-error.ts';

const REFUSALS = [ControlError, FixtureError, RefusalError, TimeSourceError];

/** Whether the caller can fix this error. */
export const isRefusal = (error: unknown): error is Error =>
  REFUSALS.some((refusal) => error instanceof refusal);

/** Wraps a function so that the stacks of its refusals begin where it was called. A `NotStoredError` becomes 507. */
export function refusingAtCaller<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  return function called(...args) {
    try {
      return method(...args);
    } catch (thrown) {
      const error = seenByCaller(thrown);
      throw isRefusal(error) ? atCaller(error, called) : error;
    }
  };
}

/** Wraps every method with `refusingAtCaller`. */
export function withCallerStack<Methods extends object>(methods: Methods): Methods {
  const entries = Object.entries(methods).map(([name, method]) => [name, refusingAtCaller(method)]);
  return Object.fromEntries(entries) as Methods;
}

/**
 * Like `refusingAtCaller` for an async function. When it rejects, the caller is no longer on the stack.
 *
 * @param isRefused whether the caller can fix this error
 */
export function rejectingAtCaller<Args extends unknown[], Result>(
  method: (...args: Args) => Promise<Result>,
  isRefused: (error: unknown) => error is Error = isRefusal,
): (...args: Args) => Promise<Result> {
  return async function called(...args) {
    const here = atCaller(new Error(), called);
    try {
      return await method(...args);
    } catch (error) {
      throw isRefused(error) ? withFramesOf(here, error) : error;
    }
  };
}

/** Gives an error the stack frames of another error, which has no message. */
function withFramesOf({ stack = '' }: Error, error: Error): Error {
  const frames = stack.indexOf('\n');
  if (frames !== -1) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`;
  return error;
}
