import type { Environment, FlagGroup } from './flags.ts';
import type { Output } from './line-writer.ts';

/** Where a command reads and writes. */
export interface Terminal {
  readonly environment: Environment;
  /** Whether out shows colours. */
  readonly colours: boolean;
  out(text: string): void;
  err(text: string): void;
  /** The same place as out, for the lines of a log. */
  readonly output: Output;
  /** Characters in a line of err, where that is a terminal. */
  readonly errColumns?: number | undefined;
  /** Characters in a line of out, where that is a terminal. */
  readonly columns?: number | undefined;
  /**
   * Called once a server answers; resolves when somebody asks the program to stop. Who asks again is not heard,
   * or, with `secondEnds`, ends it at once.
   */
  stopped(options?: { readonly secondEnds: boolean }): Promise<void>;
}

/** A subcommand. */
export interface Command {
  readonly summary: string;
  /** How it is written, after the name of the program. */
  readonly usage: string;
  /** What to know before using it, a paragraph a line. */
  readonly description?: string;
  readonly flagGroups: readonly FlagGroup[];
  /** Whether `--version` means the version of something else than the program. */
  readonly ownVersion?: boolean;
  /** What else there is to know, by title: terms with what they mean. */
  readonly more?: readonly (readonly [
    title: string,
    terms: readonly (readonly [term: string, text: string])[],
  ])[];
  /** Lines to copy. */
  readonly examples: readonly string[];
  /** Does it and answers the exit code. Errors of the user are thrown; they make exit code 2. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
