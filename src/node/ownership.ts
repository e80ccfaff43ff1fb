import type { LogOptions } from './log-options.ts';

/** What a process that is the sandbox's own does otherwise. */
export interface Ownership {
  /** Whether this process's `Request` and `Response` become those of `@hono/node-server`, which are faster. */
  readonly overrideGlobalObjects: boolean;
  /** How long a connection stays open for its client's next request once the server closes. */
  readonly quietMs?: number;
  /** Takes a line for whoever runs the sandbox; the console does unless given. */
  readonly warn?: (line: string) => void;
  /** Where every call is logged, if anywhere. */
  readonly log?: LogOptions | undefined;
  /** Takes what gives the sandbox other fixtures. */
  readonly onOpen?: (changeFixtures: ChangeFixtures) => void;
}

/** Goes on with other fixtures, by file name. Throws `FixtureError`; answers what to know of the change. */
export type ChangeFixtures = (files: Readonly<Record<string, unknown>>) => readonly string[];
