/** Whether two types are equal apart from readonly: `same<A, B>(true)` does not compile if they differ. */
export const same = <A, B>(_: Same<A, B>) => true;

type Same<A, B> = Identical<Plain<A>, Plain<B>>;
type Identical<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A type without `readonly`. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;
