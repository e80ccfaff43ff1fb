/*
 * Lets `instanceof` recognize errors of another copy of the package. A program can load two: one for `import` and one
 * for `require`.
 */

const PUBLIC = Symbol('public');

/** Whether an error is for the caller to fix: one of the package, or of `fetch`. */
export const isPublicError = (error: unknown): error is Error =>
  PUBLIC in Object(error) || (error instanceof TypeError && error.cause !== undefined);

/**
 * Makes `instanceof` hold for errors of this class that another copy has made.
 *
 * @param name the same in all copies
 */
export function recognizeCopies(
  errorClass: abstract new (...args: never[]) => Error,
  name: string,
): void {
  const mark = Symbol.for(`micro-insurance-sandbox.${name}`);
  Object.defineProperties(errorClass.prototype, {
    [mark]: { value: true },
    [PUBLIC]: { value: true },
  });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      // Subclasses inherit this method.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
