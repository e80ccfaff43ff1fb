import { FixtureError } from '../products/fixture-error.ts';
import { TimeSourceError } from '../world/clock.ts';
import { atCaller } from '../world/platform.ts';
import { ControlError } from './control-error.ts';

/*
 * What a caller did wrong is shown where the caller did it: the stack of a refusal begins at the line that called,
 * not inside of a bundle. A defect keeps all of its stack.
 */

const REFUSALS = [ControlError, FixtureError, TimeSourceError];

/** Whether an error says what a caller did wrong. */
export const isRefusal = (error: unknown): error is Error =>
  REFUSALS.some((refusal) => error instanceof refusal);

/** The same function; the stack of what it refuses begins where it was called. */
export function refusingAtCaller<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  return function called(...args) {
    try {
      return method(...args);
    } catch (error) {
      throw isRefusal(error) ? atCaller(error, called) : error;
    }
  };
}

/** The same for each of some methods. */
export function withCallerStack<Methods extends object>(methods: Methods): Methods {
  const entries = Object.entries(methods).map(([name, method]) => [name, refusingAtCaller(method)]);
  return Object.fromEntries(entries) as Methods;
}

/**
 * The same for a function that answers later, when the caller is on no stack any more.
 *
 * @param isRefused whether an error is one of the caller's
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

/** An error with the frames of one that was made where it belongs, and has no message. */
function withFramesOf({ stack = '' }: Error, error: Error): Error {
  const frames = stack.indexOf('\n');
  if (frames !== -1) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`;
  return error;
}
