/* Values that take long to make, and that most programs never need. */

/** Makes a value on first use. */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
