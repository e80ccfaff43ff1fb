/** Anything that can be called. */
type Callable = (...args: never[]) => unknown;

/** Begins the stack of an error where somebody called that function, as far as the runtime can tell. */
export function atCaller<E extends Error>(error: E, called: Callable): E {
  Error.captureStackTrace?.(error, called);
  return error;
}
