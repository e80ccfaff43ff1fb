/**
 * Where a sandbox is kept: a document that holds all of it as it was at some moment, and a log of lines, each
 * of which holds a change since.
 */
export interface StatePlace {
  /** How long the log may get, in bytes, before it is folded into the document, if that is not longer still. */
  readonly maxLogBytes: number;
  /**
   * Whether the sandbox goes on while no program runs it: its clocks have run on when one does again, and what another
   * version of the program wrote down is made again by the one that is there.
   */
  readonly outlivesProgram: boolean;
  /** The document in pieces; undefined if there is none yet. */
  readDocument(): AsyncIterable<Uint8Array> | undefined;
  /**
   * The lines of the log, oldest first. The last one may be there by half, where the program ended while it
   * was written: that is left out.
   */
  readLog(): AsyncGenerator<string, { readonly isTorn: boolean }>;
  /** Adds whole lines to the log. They are in place when it returns; throws if they can't be, and none is then. */
  append(lines: string): void;
  /** Throws unless lines could be added. */
  tryAppend(): void;
  /** How long the document and the log are, in bytes. */
  documentSize(): number;
  logSize(): number;
  /** Puts a document in the place of the old one, which stays until the new one is there whole. */
  replaceDocument(pieces: Iterable<string>): Promise<void>;
  /** Takes the beginning of the log away, that many bytes of it; `header` then stands before the rest, if any. */
  cutLog(bytes: number, header: string): Promise<void>;
  /** A name that no other state has. */
  newId(): string;
  /** A short text that is another for every text. */
  digest(text: string): string | Promise<string>;
}

/** A state that can't be used: which part of it, and why. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly part: 'document' | 'log';

  constructor(part: StateError['part'], why: string, options?: ErrorOptions) {
    super(why, options);
    this.part = part;
  }
}
