/** What `await using` calls at the end of a block. */
interface Disposal {
  [Symbol.asyncDispose](): Promise<void>;
}

/** The same as closing, where the runtime knows of it. */
export const disposal = (close: () => Promise<void>): Disposal =>
  (Symbol.asyncDispose ? { [Symbol.asyncDispose]: close } : {}) as Disposal;
