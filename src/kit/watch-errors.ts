/* Sees each error that a test runner notes down for a test, when it does. */

/** Where a test runner notes down the errors of a test. */
interface Noted<Failure> {
  errors?: Failure[] | undefined;
}

/**
 * Calls `added` after each error that a test runner adds, whatever failed: the body of a test, a hook, a teardown. Which
 * of them run, and in which order, differs between the versions of a runner; that they add an error does not.
 */
export function watchErrors<Failure>(noted: Noted<Failure>, added: (error: Failure) => void): void {
  // Not enumerable, because the list is sent to another process.
  const watched = (list: Failure[]): Failure[] =>
    Object.defineProperty(list, 'push', {
      configurable: true,
      value: (...errors: Failure[]): number => {
        for (const error of errors) list[list.length] = error;
        for (const error of errors) added(error);
        return list.length;
      },
    });
  let errors = noted.errors && watched(noted.errors);
  Object.defineProperty(noted, 'errors', {
    configurable: true,
    enumerable: true,
    get: () => errors,
    set: (list: Failure[] | undefined) => {
      errors = list && watched(list);
      for (const error of list ?? []) added(error);
    },
  });
}
