/** Wraps the handler of an event. */
export type Guard = <Args extends unknown[]>(
  handler: (...args: Args) => unknown,
) => (...args: Args) => void;

/** Wraps the handlers of one call: what one of them throws goes to `onError`, once, and none runs afterwards. */
export function createGuard(onError: (error: unknown) => void): Guard {
  let isOver = false;
  const fail = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    onError(error);
  };
  return (handler) =>
    (...args) => {
      if (isOver) return;
      try {
        const done = handler(...args);
        if (done instanceof Promise) done.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
}
