/*
 * Lets `instanceof` recognize errors of another copy of the package. A program can load two: one for `import` and one
 * for `require`.
 */

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
  Object.defineProperty(errorClass.prototype, mark, { value: true });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      // Subclasses inherit this method.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
