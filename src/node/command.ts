import type { Environment, Flag } from './flags.ts';
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
  /** What to know before using it. */
  readonly description?: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Does it and answers the exit code. Errors of the user are thrown; they make exit code 2. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
