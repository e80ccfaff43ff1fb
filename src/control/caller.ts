/*
 * The stack of an error that the caller has to fix begins at the caller's line instead of inside a bundle. Other errors
 * keep their whole stack.
 */

import { isPublicError } from '../world/error-classes.ts';
import { atCaller } from '../world/platform.ts';
import { seenByCaller } from './control-error.ts';

/** Wraps a function, asynchronous or not, so that the stacks of its errors begin where it was called. */
export function atCallersLine<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  return function called(...args) {
    // Taking a stack is slow, so only errors and promises do.
    const here = () => atCaller(new Error(), called);
    try {
      const result = method(...args);
      if (!(result instanceof Promise)) return result;
      // Taken now: when it rejects, the caller is no longer on the stack.
      const stack = here();
      return result.catch((thrown) => fail(thrown, stack)) as Result;
    } catch (thrown) {
      return fail(thrown, here());
    }
  };
}

function fail(thrown: unknown, here: Error): never {
  const error = seenByCaller(thrown);
  if (isPublicError(error)) giveFrames(here, error);
  throw error;
}

/** Wraps every method with `atCallersLine`. */
export function methodsAtCallersLine<Methods extends object>(methods: Methods): Methods {
  const entries = Object.entries(methods).map(([name, method]) => [name, atCallersLine(method)]);
  return Object.fromEntries(entries) as Methods;
}

/** Gives an error the stack frames of another error, which has no message. */
function giveFrames({ stack = '' }: Error, error: Error): void {
  const frames = stack.indexOf('\n');
  if (frames !== -1) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`;
}
