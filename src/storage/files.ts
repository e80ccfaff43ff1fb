/** The file that holds a sandbox, or the log of what changed since. */
export type Part = 'file' | 'log';

/** Where the lines of a state are written and read. */
export interface StateFiles {
  /** How long the log may get, in bytes, before the file is written anew, unless that is longer still. */
  readonly maxLogBytes: number;
  exists(part: Part): boolean;
  /** Its lines, many at a time. Answers what stands behind the last end of a line: the half of one, or nothing. */
  read(part: Part): AsyncGenerator<readonly string[], string>;
  /** Adds lines to the log. They are in place when it returns; throws if they can't be, and none of them is then. */
  append(lines: Iterable<string>): void;
  /** Throws unless lines could be added. */
  tryAppend(): void;
  /** How long they are, in bytes. */
  size(part: Part): number;
  /** Puts a file in the place of the old one, which stays until the new one is there whole. */
  replaceFile(pieces: Iterable<string>): Promise<void>;
  /** Takes the beginning of the log away, that many bytes of it, and puts a line there instead. */
  cutLog(bytes: number, firstLine: string): Promise<void>;
  /**
   * Which of the two somebody else removed, replaced or changed. The log is there again then, and empty if it was
   * emptied; the file is lost until it is replaced. Throws if the log can't be written.
   */
  findLost(): readonly Part[];
  /** A number that a changed text does not have: each start makes another one. */
  checksum(text: string, start: number): number;
  /** A name that no other state has. */
  newId(): string;
}

/** A state that can't be used: where, and why. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly part: Part;

  constructor(part: Part, reason: string) {
    super(reason);
    this.part = part;
  }
}
