import { writeSync } from 'node:fs';

/** Where a command reads and writes. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  out(text: string): void;
  err(text: string): void;
}
